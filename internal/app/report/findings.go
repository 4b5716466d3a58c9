package report

import (
	"context"
	"io"
	"iter"
	"net/http"
	"slices"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app/checks"
	"github.com/mapatools/mapa/internal/app/crawlfile"
	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/insight"
	"github.com/mapatools/mapa/internal/report"
	"github.com/mapatools/mapa/internal/store"
	"github.com/mapatools/mapa/lint"
)

// findingFormats are the formats that only lists of findings have.
var findingFormats = []string{"sarif", "junit", "github", "markdown"}

// listsFindings reports whether the report is a list of findings.
func (s *Settings) listsFindings() bool {
	return s.Findings || s.Every || s.AtLeast != "" || len(s.Rules) > 0 || len(s.Sources) > 0 ||
		slices.Contains(findingFormats, s.Format)
}

// checkFindings validates the settings of a list of findings.
func (s *Settings) checkFindings() error {
	if report.FindingWriters[s.Format] == nil {
		return setting.Invalid("format", "%s must be %s for findings, not %q", setting.OneOf(report.FindingFormats()), s.Format)
	}
	for _, id := range s.Rules {
		if _, err := lint.LookupRule(id); err != nil {
			return setting.Wrap("rule", err)
		}
	}
	_, err := s.filter()
	if err == nil && s.Reason != "" {
		err = setting.Invalid("reason", "%s lists URLs, not findings")
	}
	return err
}

// filter returns which findings are listed.
func (s *Settings) filter() (filter insight.Filter, err error) {
	filter.Rules = s.Rules
	if s.AtLeast != "" {
		if err := filter.AtLeast.UnmarshalText([]byte(s.AtLeast)); err != nil || filter.AtLeast == lint.SeverityOff {
			return filter, setting.Invalid("at-least", "%s must be error, warning or info, not %q", s.AtLeast)
		}
	}
	return filter, nil
}

// writeFindings writes the findings of the crawl in a folder. With --fail-on, and without a choice of its
// own, the list has those that fail the run.
func (s *Settings) writeFindings(
	ctx context.Context, file *store.File, folder string, checker *checks.Checker, w io.Writer,
	language catalog.Language,
) error {
	filter, err := s.filter()
	if err != nil {
		return err
	}
	findings, err := s.findings(ctx, file, folder, checker, filter)
	if err != nil {
		return err
	}
	about := file.Meta()
	options := &report.FindingOptions{Language: language, Program: about.Program, Start: about.Start}
	if options.Time, err = crawlfile.TimeOf(file); err != nil {
		return err
	}
	return report.FindingWriters[s.Format](w, inPlace(file, findings), options)
}

// findings returns the findings of a list, those that are alike as one unless each is wanted.
func (s *Settings) findings(
	ctx context.Context, file *store.File, folder string, checker *checks.Checker, filter insight.Filter,
) (iter.Seq2[insight.Finding, error], error) {
	if !s.Every && !checker.FailsRuns() && len(s.Sources) == 0 {
		return insight.ReadGroups(ctx, file, filter, insight.Part{}), nil
	}
	findings, err := s.placeInSources(ctx, file, folder, insight.Read(ctx, file, filter))
	if err != nil {
		return nil, err
	}
	if checker.FailsRuns() {
		findings = checker.Allowed(findings)
		if len(s.Rules) == 0 && s.AtLeast == "" {
			findings = failing(findings, checker)
		}
	}
	if !s.Every {
		findings = insight.Group(findings)
	}
	return findings, nil
}

// failing returns the findings that fail a run.
func failing(findings iter.Seq2[insight.Finding, error], checker *checks.Checker) iter.Seq2[insight.Finding, error] {
	return func(yield func(insight.Finding, error) bool) {
		for f, err := range findings {
			if (err != nil || checker.Fails(&f)) && !yield(f, err) {
				return
			}
		}
	}
}

// inPlace yields findings with the source files of their links, or else with the files of their pages
// where a folder was crawled.
func inPlace(file *store.File, findings iter.Seq2[insight.Finding, error]) iter.Seq2[insight.Finding, error] {
	return func(yield func(insight.Finding, error) bool) {
		site, origin := openSite(file), crawlfile.SiteOrigin(file)
		if site != nil {
			defer site.root.Close()
		}
		for f, err := range findings {
			if err == nil {
				f.Fingerprint = f.FingerprintAt(origin)
				page := f.PageToEdit()
				if f.Source == "" && site != nil {
					f.Source = site.fileOf(page)
				}
				if f.Source == "" && page != f.URL {
					f.Position = crawl.Position{} // in another page than the one that is named
				}
				f.NewURL, err = newURL(file, &f)
			}
			if !yield(f, err) {
				return
			}
		}
	}
}

// newURL returns where a URL that pages link to has moved permanently, or nothing.
func newURL(file *store.File, f *insight.Finding) (string, error) {
	if f.Other == 0 || f.Rule.ID != "redirect-internal" && f.Rule.ID != "redirect-chain" {
		return "", nil
	}
	for id, steps := f.Page, 0; id != f.Other; steps++ {
		record, _, err := file.Page(id)
		if err != nil {
			return "", err
		}
		status := record.Page.Status
		if status != http.StatusMovedPermanently && status != http.StatusPermanentRedirect || steps == maxRedirects {
			return "", nil
		}
		id = record.Page.Target
	}
	return f.OtherURL, nil
}

// maxRedirects is how many redirects in a row lead to a new URL.
const maxRedirects = 10
