package lint

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/access"
	"github.com/mapatools/mapa/internal/app/outputs"
	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/internal/repair"
	"github.com/mapatools/mapa/lint"
)

// A FixResult says what [Fix] did. Its JSON is for programs.
type FixResult struct {
	Folder  string    `json:"folder"`
	Files   []string  `json:"files"` // copies that were written
	Changed []FixNote `json:"changed"`
	Left    []FixNote `json:"left"` // what was not repaired

	Opened   int     `json:"-"` // originals
	Unopened []error `json:"-"` // why other originals could not be
}

// A FixNote counts places of one kind.
type FixNote struct {
	Rule     string       `json:"rule,omitempty"` // ID of the lint rule
	Count    int          `json:"count"`
	Examples []FixExample `json:"examples"`
}

// A FixExample is one of the places.
type FixExample struct {
	File string `json:"file"`
	Line int    `json:"line,omitempty"` // 0 for the whole file
	Text string `json:"text,omitempty"`
}

// Fix writes repaired copies of sitemaps to the folder of the fix setting.
func Fix(ctx context.Context, a *app.App, sources []string, s *Settings) (*FixResult, error) {
	checked, err := s.Options()
	if err != nil {
		return nil, err
	}
	sources, open, err := access.Sources(a, &s.Request, sources...)
	if err != nil {
		return nil, err
	}
	options := repair.Options{Folder: s.Fix.Folder, Force: s.Fix.Force, BaseURL: checked.BaseURL, Source: open}
	if s.Fix.Zone != "" {
		at, err := time.Parse("Z07:00", s.Fix.Zone)
		if err != nil {
			return nil, setting.Invalid("zone", "%s must be Z or an offset from UTC such as +01:00, not %q", s.Fix.Zone)
		}
		options.Zone = at.Location()
	}
	written, err := outputs.ReadWrittenFiles(s.Fix.Folder, s.Fix.Folder, nil)
	if err != nil {
		return nil, err
	}
	options.Own = written.Wrote
	done, err := repair.Run(ctx, sources, options)
	if len(done.Files) > 0 {
		err = errors.Join(err, written.Add(done.Files...))
	}
	if err != nil {
		return nil, err
	}
	result := &FixResult{
		Folder: s.Fix.Folder, Opened: done.Read, Unopened: done.Unopened, Files: append([]string{}, done.Files...),
		Changed: fixNotes(done.Changed), Left: fixNotes(done.Left),
	}
	return result, result.addErrors(ctx, checked.BaseURL)
}

// maxFixExamples is how many places of an error in the copies are examples.
const maxFixExamples = 3

// addErrors adds the errors that the copies still have by rules without a finding so far.
func (r *FixResult) addErrors(ctx context.Context, baseURL string) error {
	known := map[string]bool{}
	for _, note := range r.Left {
		known[note.Rule] = true
	}
	// What an index lists and has no copy was not read, which is known already.
	options := lint.Options{BaseURL: baseURL, Disable: []string{"child-unreachable", "child-not-sitemap", "fetch-fail"}}
	options.Source.Access.Admit = func() error { return errNotRequested }
	linter, err := lint.New(&options)
	if err != nil {
		return err
	}
	var copies []string
	for _, name := range r.Files {
		copies = append(copies, filepath.Join(r.Folder, name))
	}
	at := map[string]int{} // in r.Left, by rule
	for f, err := range linter.Check(ctx, copies...) {
		if err != nil {
			return err
		}
		if f.Severity < lint.SeverityError || known[f.Rule.ID] {
			continue
		}
		if _, found := at[f.Rule.ID]; !found {
			at[f.Rule.ID] = len(r.Left)
			r.Left = append(r.Left, FixNote{Rule: f.Rule.ID})
		}
		note := &r.Left[at[f.Rule.ID]]
		note.Count += f.Count()
		if len(note.Examples) < maxFixExamples && f.More == 0 {
			note.Examples = append(note.Examples, FixExample{File: f.File, Line: f.Line, Text: f.Message.String()})
		}
	}
	return nil
}

var errNotRequested = errors.New("only the copies are checked")

func fixNotes(notes []repair.Note) []FixNote {
	converted := []FixNote{}
	for _, n := range notes {
		note := FixNote{Rule: n.Rule, Count: n.Count}
		for _, e := range n.Examples {
			note.Examples = append(note.Examples, FixExample(e))
		}
		converted = append(converted, note)
	}
	return converted
}
