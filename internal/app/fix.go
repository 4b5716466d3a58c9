package app

import (
	"context"
	"time"

	"github.com/mapatools/mapa/internal/repair"
)

// A FixResult says what [App.Fix] did. Its JSON is for programs.
type FixResult struct {
	Folder  string    `json:"folder"`
	Files   []string  `json:"files"` // copies that were written
	Changed []FixNote `json:"changed"`
	Left    []FixNote `json:"left"` // what was not repaired
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
func (a *App) Fix(ctx context.Context, sources []string, s *LintSettings) (*FixResult, error) {
	checked, err := s.Options()
	if err != nil {
		return nil, err
	}
	sources, open, err := a.sources(&s.Request, sources...)
	if err != nil {
		return nil, err
	}
	options := repair.Options{Folder: s.Fix.Folder, Force: s.Fix.Force, BaseURL: checked.BaseURL, Source: open}
	if s.Fix.Zone != "" {
		at, err := time.Parse("Z07:00", s.Fix.Zone)
		if err != nil {
			return nil, badSetting("zone", "%s must be Z or an offset from UTC such as +01:00, not %q", s.Fix.Zone)
		}
		options.Zone = at.Location()
	}
	done, err := repair.Run(ctx, sources, options)
	if err != nil {
		return nil, err
	}
	return &FixResult{
		Folder: s.Fix.Folder, Files: append([]string{}, done.Files...),
		Changed: fixNotes(done.Changed), Left: fixNotes(done.Left),
	}, nil
}

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
