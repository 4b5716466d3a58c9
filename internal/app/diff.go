package app

import (
	"bufio"
	"context"
	"errors"
	"io"

	"github.com/mapatools/mapa/internal/compare"
	"github.com/mapatools/mapa/internal/report"
)

// DiffSettings say how to compare. Get them from [NewDiffSettings].
type DiffSettings struct {
	Format    string
	CrossHost bool
	Request   RequestSettings
}

// NewDiffSettings returns the defaults.
func NewDiffSettings() *DiffSettings { return &DiffSettings{Format: "text"} }

// All returns the table of the settings.
func (s *DiffSettings) All() []Setting {
	return append([]Setting{
		{Name: "format", Value: &s.Format, Risk: RiskNone, Values: choices("text", "json", "jsonl", "html"),
			Help: "text, json, jsonl (one change a line) or html"},
		{Name: "cross-host", Value: &s.CrossHost, Risk: RiskNone, Help: crossHostHelp},
	}, s.Request.all()...)
}

// A DiffResult is the outcome of a comparison.
type DiffResult struct {
	Differs bool
	Unseen  int     // URLs that are left out because a crawl did not reach them
	Files   int     // sitemaps that could be opened
	Failed  []error // what could not be read of sitemaps
}

// Diff writes what changed from old to new, each a crawl or a source of sitemaps. It
// writes nothing when no file of a side can be read. What cannot be read of a sitemap
// is reported as a [Problem].
func (a *App) Diff(ctx context.Context, old, new string, s *DiffSettings, out io.Writer) (_ *DiffResult, err error) {
	write, ok := report.DiffFormats[s.Format]
	if !ok {
		return nil, badSetting("format", "%s must be text, json, jsonl or html, not %q", s.Format)
	}
	sides, users := cutUsers([]string{old, new})
	if err := s.Request.checkOrigins(sides, users); err != nil {
		return nil, err
	}
	result := &DiffResult{}
	var comparison compare.Comparison
	for _, side := range []struct {
		location string
		into     **compare.Side
	}{{old, &comparison.Old}, {new, &comparison.New}} {
		location, options, err := a.sources(&s.Request, side.location)
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
			a.emit(Problem{fault})
		}
		if len(opened.Faults) > 0 && opened.Files == 0 {
			return &DiffResult{Failed: opened.Faults}, nil
		}
		result.Failed, result.Files = append(result.Failed, opened.Faults...), result.Files+opened.Files
	}
	buffer := bufio.NewWriter(out)
	result.Differs, err = write(ctx, buffer, &comparison)
	result.Unseen = comparison.Unseen
	return result, errors.Join(err, buffer.Flush())
}
