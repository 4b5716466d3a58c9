// Package diff implements mapa diff: what changed between two sitemaps or two crawls. Begin
// with [Run].
package diff

import (
	"bufio"
	"context"
	"errors"
	"io"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/access"
	"github.com/mapatools/mapa/internal/app/checks"
	"github.com/mapatools/mapa/internal/app/crawlfile"
	"github.com/mapatools/mapa/internal/app/outputs"
	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/internal/atomicfile"
	"github.com/mapatools/mapa/internal/compare"
	"github.com/mapatools/mapa/internal/report"
)

// Settings say how to compare. Get them from [NewSettings].
type Settings struct {
	Format    string
	CrossHost bool
	Output    string // file
	FailOn    []string
	Request   access.RequestSettings
}

// NewSettings returns the defaults.
func NewSettings() *Settings { return &Settings{Format: "text"} }

// All returns the table of the settings.
func (s *Settings) All() []setting.Setting {
	return append([]setting.Setting{
		{Name: "format", Value: setting.String(&s.Format), Risk: setting.RiskNone,
			Values: setting.Choices("text", "json", "jsonl", "csv", "markdown", "html"),
			Help:   "text, json, jsonl (one change a line), csv (one fact a line), markdown or html"},
		{Name: "cross-host", Value: setting.Bool(&s.CrossHost), Risk: setting.RiskNone, Help: setting.CrossHostHelp},
		{Name: "fail-on", Value: setting.List(&s.FailOn), Risk: setting.RiskNone, Values: checks.GateNames,
			Help: "exit with 1 on these `CHANGES` only, such as left-sitemap, newly-broken, removed, moved, title-lost"},
		outputs.FileSetting(&s.Output),
	}, s.Request.All()...)
}

// A Result is the outcome of a comparison.
type Result struct {
	Counts *compare.Counts // nil where nothing could be read
	Gates  []checks.GateFailure
	Files  int     // sitemaps that could be opened
	Failed []error // what could not be read of sitemaps
}

// Run writes what changed from old to new, each a crawl or a source of sitemaps. It
// writes nothing when no file of a side can be read. What cannot be read of a sitemap
// is reported as a [app.Problem].
func Run(ctx context.Context, a *app.App, old, new string, s *Settings, out io.Writer) (_ *Result, err error) {
	write, ok := report.DiffFormats[s.Format]
	if !ok {
		return nil, setting.Invalid("format", "%s must be text, json, jsonl, csv, markdown or html, not %q", s.Format)
	}
	gates, err := checks.NewGates(s.FailOn)
	if err != nil {
		return nil, err
	}
	sides, users := access.CutUsers([]string{old, new})
	if err := s.Request.CheckOrigins(sides, users); err != nil {
		return nil, err
	}
	var inputs atomicfile.FileSet
	inputs.Add(crawlfile.Path(old), crawlfile.Path(new))
	if err := (outputs.Output{Setting: "output", File: s.Output}).Check(&inputs); err != nil {
		return nil, err
	}
	result := &Result{}
	var comparison compare.Comparison
	for _, side := range []struct {
		location string
		into     **compare.Side
	}{{old, &comparison.Old}, {new, &comparison.New}} {
		location, options, err := access.Sources(a, &s.Request, side.location)
		if err != nil {
			return nil, err
		}
		options.CrossHost = s.CrossHost
		opened, err := compare.Open(ctx, location[0], &options)
		if err != nil {
			return nil, err
		}
		defer opened.Close()
		*side.into = opened
		for _, fault := range opened.Faults {
			a.Emit(app.Problem{Err: fault})
		}
		if len(opened.Faults) > 0 && opened.Files == 0 {
			return &Result{Failed: opened.Faults}, nil
		}
		result.Failed, result.Files = append(result.Failed, opened.Faults...), result.Files+opened.Files
	}
	if old, new, aligned := comparison.Align(); aligned {
		a.Notify("notice.schemes", old, new)
	}
	changes, err := comparison.Find(ctx)
	if err != nil {
		return nil, err
	}
	defer changes.Close()
	result.Counts = &changes.Counts
	if result.Gates, err = gates.Run(ctx, changes, nil); err != nil {
		return nil, err
	}
	if len(result.Failed) > 0 && result.Counts.Total() == 0 && s.Format == "text" {
		return result, nil // "no differences" would be said of a part
	}
	diff := report.Diff{Old: comparison.Old.Location, New: comparison.New.Location, Changes: changes, Texts: a.Texts()}
	return result, outputs.ToOutput(s.Output, out, func(w io.Writer) error {
		buffer := bufio.NewWriter(w)
		err := write(ctx, buffer, &diff)
		return errors.Join(err, buffer.Flush())
	})
}
