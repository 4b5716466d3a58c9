package links

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/checks"
	"github.com/mapatools/mapa/internal/app/crawlfile"
	"github.com/mapatools/mapa/internal/app/outputs"
	"github.com/mapatools/mapa/internal/app/scope"
	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/internal/atomicfile"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/documents"
	"github.com/mapatools/mapa/internal/insight"
	"github.com/mapatools/mapa/internal/report"
	"github.com/mapatools/mapa/internal/store"
	"github.com/mapatools/mapa/lint"
	"github.com/mapatools/mapa/source"
)

// A Result says what was checked.
type Result struct {
	Checks    checks.Result
	Documents int         // with links to check
	URLs      int         // that these or sitemaps name, and that were requested
	Limit     string      // that ended the run early, or LimitNone
	Unread    []error     // documents and sitemaps that were not read, or only in part
	Undecided []Undecided // links of documents that are neither right nor broken
}

// An Undecided is how many links were not checked for a reason.
type Undecided struct {
	What  string // a link, or a document, is, as the end of the key of a text
	Links int
}

var reasons = map[documents.Reason]string{
	documents.Templates:  "templates",
	documents.Components: "components",
	documents.Elsewhere:  "elsewhere",
	documents.Code:       "code",
	documents.Tests:      "tests",
	documents.Markup:     "markup",
}

// IsEmpty reports that nothing could be read.
func (r *Result) IsEmpty() bool { return len(r.Unread) > 0 && r.Documents == 0 && r.URLs == 0 }

// ErrNothing says that folders have nothing to check.
var ErrNothing = errors.New("no Markdown, HTML or text file to check")

// Run checks the links in files and folders, and the URLs of sitemaps, and writes what is wrong
// with them to out or to the file of the settings. A name is that of a file or a folder, a URL of
// a sitemap, or - for standard input.
func Run(ctx context.Context, a *app.App, names []string, s *Settings, out io.Writer) (result *Result, err error) {
	language, err := setting.LanguageOf(cmp.Or(s.Lang, string(a.Language())))
	if err != nil {
		return nil, err
	}
	if report.FindingWriters[s.Format] == nil {
		return nil, setting.Invalid("format", "%s must be %s, not %q", setting.OneOf(report.FindingFormats()), s.Format)
	}
	r := &run{app: a, settings: s, result: &Result{}}
	matched, err := (&scope.Settings{Exclude: s.Exclude}).Options()
	if err != nil {
		return nil, err
	}
	r.exclude = matched.Exclude
	r.inputs.Add(names...)
	r.inputs.Add(s.Config)
	r.inputs.AddReader(a.Stdin)
	if err := (outputs.Output{Setting: "output", File: s.Output}).Check(&r.inputs); err != nil {
		return nil, err
	}
	checker, err := s.Checks.Checker(&r.inputs)
	if err != nil {
		return nil, err
	}
	if err := checker.CheckPlace(nil); err != nil {
		return nil, err
	}
	if checker != nil && checker.ReadsChanges() {
		return nil, setting.Invalid("fail-on", "changes are judged by mapa crawl, which compares with an earlier crawl")
	}
	reading, stopReading := ctx, context.CancelFunc(func() {})
	if s.MaxTime > 0 {
		reading, stopReading = context.WithTimeout(ctx, s.MaxTime)
	}
	defer stopReading()
	if err := r.open(reading, names); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.set.Close()) }()
	return r.result, r.inCrawlFile(func(file *store.File) error {
		if err := r.check(ctx, file, checker); err != nil {
			return err
		}
		if r.result.Checks, err = checker.Run(ctx, file, nil); err != nil {
			return err
		}
		if r.result.IsEmpty() && s.Format == "text" {
			return nil // the errors say enough
		}
		return outputs.ToOutput(s.Output, out, func(w io.Writer) error { return r.write(ctx, file, checker, w, language) })
	})
}

// A run is one run of [Run].
type run struct {
	app      *app.App
	settings *Settings
	inputs   atomicfile.FileSet // must not be overwritten
	set      *documents.Set
	exclude  []*regexp.Regexp
	origin   string   // of the files
	start    string   // URL of their folder
	names    []string // of the documents and the folders
	sitemaps []string
	sources  source.Options
	combined []combination
	result   *Result
	// folder is the path of the URL of the folder that holds the files and the working directory, without a slash at
	// its end, where they are no project.
	folder string
}

// inCrawlFile calls use with a crawl file that is removed afterwards.
func (r *run) inCrawlFile(use func(*store.File) error) error {
	folder, err := os.MkdirTemp("", "mapa-links-")
	if err != nil {
		return err
	}
	meta := crawlfile.Meta{Assets: true, Files: r.origin + r.folder}
	about := crawl.Meta{Start: r.start, Program: r.app.UserAgent(), Options: meta.String()}
	file, err := store.Create(filepath.Join(folder, crawlfile.Name), about)
	if err == nil {
		err = errors.Join(use(file), file.Close())
	}
	return errors.Join(err, os.RemoveAll(folder))
}

// check requests what the links lead to, and judges the answers.
func (r *run) check(ctx context.Context, file *store.File, checker *checks.Checker) error {
	options, err := r.options(ctx)
	if err != nil {
		return err
	}
	rules := r.settings.Rules
	if len(rules.Only) == 0 {
		choice, err := rules.Check(lint.LookupRule)
		if err != nil {
			return err
		}
		rules.Only = append(applied(), choice.Enable...)
	}
	judging, err := rules.Rules(options.Checks.Policy)
	if err != nil {
		return err
	}
	end := r.settings.Access.ShareAnswers(r.app, options)
	defer end()
	progress, err := crawl.Run(ctx, file, options)
	r.app.Emit(app.Ended{})
	if err != nil {
		return err
	}
	r.result.Limit = progress.Limit
	r.result.Unread = append(r.result.Unread, r.set.Unread()...)
	for _, u := range r.set.Undecided() {
		r.result.Undecided = append(r.result.Undecided, Undecided{reasons[u.Reason], u.Links})
	}
	if err := r.count(ctx, file); err != nil {
		return err
	}
	if r.hasOnlyFolders() && r.result.Documents == 0 && len(r.result.Unread) == 0 && len(r.exclude) == 0 {
		return fmt.Errorf("%s: %w", strings.Join(r.names, ", "), ErrNothing)
	}
	about := &insight.End{Limit: progress.Limit, Documents: true, Combine: r.combine(file, checker)}
	if _, err := insight.Write(ctx, file, judging.Pages, about, r.known()); err != nil {
		return err
	}
	_, err = checker.Ignore(ctx, file)
	return err
}

// count counts the URLs that were requested, apart from the documents.
func (r *run) count(ctx context.Context, file *store.File) error {
	for record, err := range file.Pages(ctx) {
		if err != nil {
			return err
		}
		if record.Fetched && record.Link.SeededBy&(crawl.SeedStart|crawl.SeedList) == 0 {
			r.result.URLs++
		}
	}
	return nil
}

// options returns how the files and the URLs are requested. The files are the pages of a site, and
// only their links are judged.
func (r *run) options(ctx context.Context) (*crawl.Options, error) {
	s, a := r.settings, r.app
	o := &crawl.Options{
		Start: r.start, BaseURL: s.BaseURL, Seeds: r.seeds(ctx),
		Local:     crawl.Local{Transport: r.set, Offline: !s.External},
		Checks:    crawl.Checks{Assets: true, External: s.External, Moved: true},
		Limits:    crawl.Limits{Depth: 1, Time: s.MaxTime},
		Traps:     noTraps,
		Documents: []crawl.DocumentKind{}, LastMod: []crawl.LastModSource{},
		OnProgress: func(p crawl.Progress) { a.Emit(app.Progress{Progress: p}) },
		OnRateChange: func(host string, perSecond float64, why string) {
			a.Emit(app.RateChange{Host: host, PerSecond: perSecond, Why: why})
		},
		OnNotice: func(text string) { a.Emit(app.Notice{Text: text}) },
	}
	err := s.Access.SetOptions(o, r.sources.Access)
	for _, pattern := range r.exclude {
		o.Checks.Policy = slices.Insert(o.Checks.Policy, 0, crawl.LinkRule{URL: pattern, Level: crawl.LinkSkip})
	}
	return o, err
}

// isExcluded reports whether a document is not checked, by its path.
func (r *run) isExcluded(path string) bool {
	return slices.ContainsFunc(r.exclude, func(pattern *regexp.Regexp) bool { return pattern.MatchString(path) })
}

// noTraps switches off what protects a crawl from sites that name URLs without end: files are finite.
var noTraps = crawl.Traps{
	Repeats: -1, Segments: -1, YearsAhead: -1, YearsBack: -1, Months: -1, Facets: -1, Variants: -1, Tokens: -1,
	Canonical: -1, Escapes: -1, SameContent: -1, Chain: -1, Links: -1,
}

// seeds yields the files, and the URLs of the sitemaps.
func (r *run) seeds(ctx context.Context) iter.Seq2[crawl.Seed, error] {
	return func(yield func(crawl.Seed, error) bool) {
		for path := range r.set.Paths() {
			if !strings.Contains(path, "?") { // else a part of the one before
				r.result.Documents++
			}
			if !yield(crawl.Seed{URL: r.origin + path, Source: crawl.SeedList}, nil) {
				return
			}
		}
		for file, err := range source.Sitemaps(ctx, r.sitemaps, &r.sources) {
			if err != nil {
				r.result.Unread = append(r.result.Unread, err)
				continue
			}
			for entry, err := range file.Entries() {
				if err != nil {
					r.result.Unread = append(r.result.Unread, err)
					break
				}
				if !yield(crawl.Seed{URL: string(entry.Loc), Source: crawl.SeedSitemap}, nil) {
					return
				}
			}
		}
	}
}

// write writes the findings.
func (r *run) write(
	ctx context.Context, file *store.File, checker *checks.Checker, w io.Writer, language catalog.Language,
) error {
	findings := checker.Allowed(insight.Read(ctx, file, insight.Filter{}))
	if !r.settings.Every && r.settings.Format == "text" { // a program needs the place of each link
		findings = insight.Group(findings)
	}
	options := &report.FindingOptions{Language: language, Program: r.app.Version, Start: r.start, Time: time.Now()}
	return report.FindingWriters[r.settings.Format](w, r.inPlace(file, findings), options)
}

// inPlace yields findings with the names of their files in place of URLs.
func (r *run) inPlace(
	file *store.File, findings iter.Seq2[insight.Finding, error],
) iter.Seq2[insight.Finding, error] {
	origin := crawlfile.SiteOrigin(file)
	return func(yield func(insight.Finding, error) bool) {
		for f, err := range findings {
			if err == nil {
				f.Fingerprint = f.FingerprintAt(origin)
				r.place(&f)
			}
			if !yield(f, err) {
				return
			}
		}
	}
}

// place replaces the URLs of a finding by the names of the files.
func (r *run) place(f *insight.Finding) {
	if path, inside := r.pathOf(f.URL); inside {
		f.Source = r.set.Name(path)
		f.Line, f.Column = r.set.Position(path, f.Line, f.Column)
	}
	f.URL, f.OtherURL = r.nameOf(f.URL), r.nameOf(f.OtherURL)
	f.First = slices.Clone(f.First)
	for i := range f.First {
		place := &f.First[i]
		if path, inside := r.pathOf(place.URL); inside {
			place.Line, place.Column = r.set.Position(path, place.Line, place.Column)
		}
		if place.URL = r.nameOf(place.URL); place.Line > 0 {
			place.URL += fmt.Sprintf(":%d:%d", place.Line, place.Column)
		}
	}
	f.Arguments = slices.Clone(f.Arguments)
	for i, argument := range f.Arguments {
		if address, is := argument.(string); is {
			f.Arguments[i] = r.nameOf(address)
		}
	}
}
