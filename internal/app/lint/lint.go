// Package lint implements mapa lint and mapa rules: it checks sitemaps, reports findings and
// writes repaired copies. Begin with [Run].
package lint

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/baseline"
	"github.com/mapatools/mapa/internal/app/crawlfile"
	"github.com/mapatools/mapa/internal/app/outputs"
	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/internal/atomicfile"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/lintreport"
	"github.com/mapatools/mapa/internal/report"
	"github.com/mapatools/mapa/lint"
	"github.com/mapatools/mapa/source"
)

// A Result is the outcome of checking sitemaps.
type Result struct {
	Findings    int     // that are reported
	Failing     int     // findings at or above the fail-on setting
	Accepted    int     // findings that the baseline lists
	Opened      int     // files
	Unreachable int     // files that could not be opened
	Unopened    []error // why named sources could not be
}

// A Document says where a report is written.
type Document struct {
	Out io.Writer // unless the settings name a file
	// Color, when set, reports whether text written there may have colors.
	Color func(io.Writer) bool
	// Width, when set, returns the number of columns there, 0 where it is unknown.
	Width func(io.Writer) int
}

// Run checks the sitemaps of the sources and writes the findings.
func Run(ctx context.Context, a *app.App, sources []string, s *Settings, document Document) (*Result, error) {
	sources, run, err := newLintRun(a, sources, s, document)
	if err != nil {
		return nil, err
	}
	if s.Crawl == "" {
		return run.do(ctx, sources)
	}
	file, err := crawlfile.Open(s.Crawl)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	summary, err := file.Summary(ctx)
	if err != nil {
		return nil, err
	}
	onlySeeds := file.Meta().OnlySeeds
	isComplete := summary.Complete() && !onlySeeds
	if !isComplete {
		a.Emit(CrawlIncomplete{Folder: s.Crawl, OnlySeeds: onlySeeds})
	}
	run.options.Crawled = report.CrawledPages(ctx, file, isComplete)
	return run.do(ctx, sources)
}

// A lintRun is one run of [Run].
type lintRun struct {
	app      *app.App
	settings *Settings
	document Document
	options  lint.Options
	failOn   lint.Severity
	baseline *baseline.List     // nil without one
	inputs   atomicfile.FileSet // must not be overwritten
	result   Result
}

// newLintRun validates the settings. clean are the sources without user information.
func newLintRun(
	a *app.App, sources []string, s *Settings, document Document,
) (clean []string, r *lintRun, err error) {
	r = &lintRun{app: a, settings: s, document: document}
	switch {
	case s.Fix.Zone != "":
		return nil, nil, setting.Invalid("zone", "%s needs {fix}")
	case s.Fix.Force:
		return nil, nil, setting.Invalid("force", "%s needs {fix}")
	}
	if clean, r.options, err = s.optionsFor(a, sources); err != nil {
		return nil, nil, err
	}
	if r.failOn, err = s.failOn(); err != nil {
		return nil, nil, err
	}
	if !slices.Contains(lintFormats, s.Format) {
		return nil, nil, setting.Invalid("format", "%s must be %s, not %q", setting.OneOf(lintFormats), s.Format)
	}
	if err := r.checkOutputs(clean); err != nil {
		return nil, nil, err
	}
	if r.baseline, err = baseline.Open(s.Baseline, s.WriteBaseline); err != nil {
		return nil, nil, err
	}
	if s.WriteBaseline {
		if err := baseline.CheckFolder(s.Baseline); err != nil {
			return nil, nil, err
		}
	}
	if r.baseline.HasFolders() {
		r.options.MaxPerRule = -1
	}
	if r.baseline != nil && !s.WriteBaseline {
		r.options.Previous = r.baseline.Pages
	}
	return clean, r, nil
}

// checkOutputs refuses to write a file that is read, as far as is known before the
// sources are opened.
func (r *lintRun) checkOutputs(sources []string) error {
	r.inputs.Add(sources...)
	r.inputs.Add(r.settings.Config)
	r.inputs.AddReader(r.app.Stdin)
	if r.settings.Crawl != "" {
		r.inputs.Add(crawlfile.Path(r.settings.Crawl), crawlfile.Path(r.settings.Crawl)+"-wal")
	}
	// A folder without a sitemap is reported when it is checked.
	if files, err := source.ExpandFolders(sources); err == nil {
		r.inputs.Add(files...)
	}
	if r.settings.Baseline != "" && outputs.IsSamePath(r.settings.Output, r.settings.Baseline) {
		return setting.Invalid("output", "%s and {baseline} are both %s", r.settings.Baseline)
	}
	return r.checkInputs()
}

// checkInputs checks the outputs again, when the parts of indexes are known.
func (r *lintRun) checkInputs() error {
	if err := (outputs.Output{Setting: "output", File: r.settings.Output}).Check(&r.inputs); err != nil {
		return err
	}
	if r.settings.WriteBaseline {
		return outputs.Output{Setting: "baseline", File: r.settings.Baseline}.Check(&r.inputs)
	}
	return nil
}

func (r *lintRun) do(ctx context.Context, sources []string) (*Result, error) {
	err := outputs.ToOutput(r.settings.Output, r.document.Out, func(out io.Writer) error {
		return r.report(ctx, sources, out)
	})
	return &r.result, err
}

// report checks and writes the findings.
func (r *lintRun) report(ctx context.Context, sources []string, out io.Writer) error {
	options := lintreport.Options{Rules: lint.Rules(), FailOn: r.failOn, Version: r.app.Version, Now: time.Now(),
		Texts: r.app.Texts()}
	if r.document.Color != nil {
		options.Color = r.document.Color(out)
	}
	if r.document.Width != nil {
		options.Width = r.document.Width(out)
	}
	writer, err := lintreport.New(r.settings.Format, out, &options)
	if err != nil {
		return err
	}
	var totals strings.Builder
	if r.settings.Output != "" {
		writer = lintreport.WithSummary(writer, &totals, r.app.Texts())
	}
	if r.settings.WriteBaseline {
		err = r.record(ctx, sources, writer)
	} else {
		err = r.check(ctx, sources, writer, r.judge)
	}
	err = errors.Join(err, writer.Close(r.result.Accepted))
	if text := strings.TrimSpace(totals.String()); text != "" {
		r.app.Emit(Summary{text})
	}
	return err
}

// check passes every finding to accept and, unless that takes it, to the report.
func (r *lintRun) check(
	ctx context.Context, sources []string, out lintreport.Writer, accept func(*lint.Finding) (bool, error),
) error {
	var writing error
	r.options.OnFile = func(file string, err error) {
		r.inputs.Add(file)
		switch {
		case err == nil:
			r.result.Opened++
		case errors.Is(err, source.ErrOpen):
			r.result.Unreachable++
			if slices.Contains(sources, file) {
				r.result.Unopened = append(r.result.Unopened, err)
			}
		}
		writing = errors.Join(writing, out.Checked(file))
	}
	linter, err := lint.New(&r.options)
	if err != nil {
		return err
	}
	for f, err := range linter.Check(ctx, sources...) {
		if err == nil {
			err = writing
		}
		taken := false
		if err == nil {
			taken, err = accept(&f)
		}
		if err == nil && !taken {
			err = out.Write(&f)
		}
		if err != nil {
			return err
		}
	}
	return errors.Join(writing, r.checkInputs())
}

// judge counts a finding, or takes it when the baseline lists it.
func (r *lintRun) judge(f *lint.Finding) (bool, error) {
	known := r.baseline.Take(f)
	r.result.Accepted += known
	if known == f.Count() {
		return true, nil
	}
	f.More = max(f.More-known, 0)
	r.result.Findings++
	if f.Severity >= r.failOn {
		r.result.Failing++
	}
	return false, nil
}

// errNothingRead keeps a baseline from being written when no file could be read, since
// nobody means to accept that.
var errNothingRead = errors.New("no file could be read")

// record writes the baseline and takes every finding.
func (r *lintRun) record(ctx context.Context, sources []string, out lintreport.Writer) error {
	now := time.Now()
	r.baseline.Pages = map[string]int{}
	r.options.OnCount = func(source string, pages int) { r.baseline.Pages[source] = pages }
	err := r.baseline.Save(r.settings.Baseline, nil, func(add func(*baseline.Entry) error) error {
		err := r.check(ctx, sources, out, func(f *lint.Finding) (bool, error) {
			r.result.Accepted += f.Count()
			known := r.baseline.Take(f)
			if known == f.Count() {
				return true, nil
			}
			f.More = max(f.More-known, 0)
			entry := baseline.EntryIn(f)
			entry.SetKnown(now)
			return true, add(entry)
		})
		if err == nil && r.result.Opened == 0 {
			err = errNothingRead
		}
		return err
	})
	if errors.Is(err, errNothingRead) {
		return nil
	}
	return err
}

// CrawlIncomplete reports that the crawl in the folder, which sitemaps are compared
// with, ended early or is one of given pages: pages without links are not reported.
type CrawlIncomplete struct {
	Folder    string
	OnlySeeds bool
}

// Summary is the line of totals of a report that is written to a file.
type Summary struct{ Text string }

// In names the folder.
func (e CrawlIncomplete) In(c *catalog.Catalog) string {
	if e.OnlySeeds {
		return c.Text("notice.crawl-given", e.Folder)
	}
	return c.Text("notice.crawl-incomplete", e.Folder)
}

// In returns the totals.
func (e Summary) In(*catalog.Catalog) string { return e.Text }
