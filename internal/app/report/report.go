// Package report implements mapa report: what the crawl in a folder found, in all formats.
// Begin with [Run].
package report

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/checks"
	"github.com/mapatools/mapa/internal/app/crawlfile"
	"github.com/mapatools/mapa/internal/app/figures"
	"github.com/mapatools/mapa/internal/app/outputs"
	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/internal/atomicfile"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/compare"
	"github.com/mapatools/mapa/internal/insight"
	"github.com/mapatools/mapa/internal/page"
	"github.com/mapatools/mapa/internal/report"
	"github.com/mapatools/mapa/internal/sqlite"
	"github.com/mapatools/mapa/internal/store"
)

// Settings say how to write the report of a crawl. Get them from
// [NewSettings].
type Settings struct {
	Format   string
	Reason   string // lists only the URLs of one reason
	Findings bool   // lists findings
	Rules    []string
	AtLeast  string
	Every    bool                  // lists findings that are alike one by one
	Sources  []string              // folders that the site is built from
	Join     []string              // tables to join, as mapa figures reads them
	OnJoin   func(*figures.Result) // receives what was joined; may be nil
	Output   string                // file
	Checks   checks.Settings
}

// NewSettings returns the defaults.
func NewSettings() *Settings {
	return &Settings{Format: "text"}
}

// All returns the table of the settings.
func (s *Settings) All() []setting.Setting {
	return append([]setting.Setting{
		{Name: "format", Value: setting.String(&s.Format), Risk: setting.RiskNone,
			Values: setting.Choices(formatNames()...), Help: setting.OneOf(formatNames())},
		{Name: "reason", Value: setting.String(&s.Reason), Risk: setting.RiskNone, Values: decisionNames,
			Help: "list the URLs with this `REASON` (text, csv, jsonl), such as client-error"},
		{Name: "findings", Value: setting.Bool(&s.Findings), Risk: setting.RiskNone,
			Help: "list what the rules found"},
		{Name: "rule", Value: setting.List(&s.Rules), Risk: setting.RiskNone, Values: checks.RuleIDs,
			Help: "list the findings of the rules with these `IDS`"},
		{Name: "at-least", Value: setting.String(&s.AtLeast), Risk: setting.RiskNone,
			Values: setting.Choices("error", "warning", "info"),
			Help:   "list findings of this `SEVERITY` or above: error, warning or info"},
		{Name: "all", Value: setting.Bool(&s.Every), Risk: setting.RiskNone,
			Help: "list each finding, also those that are alike"},
		{Name: "source-dir", Value: setting.Strings(&s.Sources), Risk: setting.RiskFile,
			Help: "name the line to edit of links, in the files of this `FOLDER` that the site is built from"},
		figures.Setting(&s.Join),
		outputs.FileSetting(&s.Output),
	}, s.Checks.All()...)
}

// Run writes the report of a crawl, given by its folder or file, and checks its findings. The crawl file keeps what the
// baseline ignores. The formats that list findings leave out those that are allowed.
func Run(
	ctx context.Context, a *app.App, location string, s *Settings, out io.Writer,
) (result checks.Result, err error) {
	folder := filepath.Dir(crawlfile.Path(location))
	write, err := s.writer(folder, a.Texts())
	if err != nil {
		return result, err
	}
	var inputs atomicfile.FileSet
	inputs.Add(crawlfile.Path(location), crawlfile.Path(location)+"-wal", crawlfile.Path(location)+"-journal")
	checker, err := s.Checks.Checker(&inputs)
	if err != nil {
		return result, err
	}
	if err := (outputs.Output{Setting: "output", File: s.Output}).Check(&inputs); err != nil {
		return result, err
	}
	if s.Checks.Baseline != "" && outputs.IsSamePath(s.Output, s.Checks.Baseline) {
		return result, setting.Invalid("output", "%s and {baseline} are both %s", s.Output)
	}
	if len(s.Join) > 0 {
		joined, err := figures.Read(ctx, location, s.Join)
		if err != nil {
			return result, err
		}
		if s.OnJoin != nil {
			s.OnJoin(joined)
		}
	}
	file, err := s.open(ctx, location, checker)
	if err != nil {
		return result, err
	}
	defer func() {
		if err = errors.Join(err, file.Close()); err == nil {
			err = recordOutcome(location, &result)
		}
	}()
	if checker != nil {
		if result, err = check(ctx, checker, folder, file); err != nil {
			return result, err
		}
	}
	if s.listsFindings() {
		write = func(ctx context.Context, file *store.File, w io.Writer) error {
			return s.writeFindings(ctx, file, folder, checker, w, a.Language())
		}
	}
	err = outputs.ToOutput(s.Output, out, func(w io.Writer) error { return write(ctx, file, w) })
	return result, err
}

// A reportFormat writes the report of a crawl, or the URLs of one reason; nil where
// the format cannot.
type reportFormat struct {
	name  string
	write func(context.Context, *store.File, io.Writer) error
	urls  func(context.Context, *store.File, io.Writer, crawl.Reason) error
}

// reportFormatsOf returns the formats of a report on the crawl in a folder. Those for
// people are in the language of the catalog.
func reportFormatsOf(folder string, c *catalog.Catalog) []reportFormat {
	return []reportFormat{
		{"text", func(ctx context.Context, file *store.File, w io.Writer) error {
			return report.WriteText(ctx, file, w, c)
		}, report.WriteURLs},
		{"html", func(ctx context.Context, file *store.File, w io.Writer) error {
			options := &report.HTMLOptions{
				Language: c.Language(), Sitemap: crawlfile.FileIn(folder, "sitemap.xml", "sitemap.xml.gz"),
			}
			changes, began, err := changesOf(ctx, folder, file)
			if err != nil {
				return err
			}
			if changes != nil {
				changes.Close()
				options.Previous, options.Changes = began, &changes.Counts
			}
			return report.WriteHTML(ctx, file, w, options)
		}, nil},
		{"csv", func(ctx context.Context, file *store.File, w io.Writer) error {
			return report.WriteCSV(ctx, file, w)
		}, func(ctx context.Context, file *store.File, w io.Writer, reason crawl.Reason) error {
			return report.WriteCSV(ctx, file, w, reason)
		}},
		{"json", report.WriteJSON, nil},
		{"jsonl", func(ctx context.Context, file *store.File, w io.Writer) error {
			return report.WriteJSONL(ctx, file, w)
		}, func(ctx context.Context, file *store.File, w io.Writer, reason crawl.Reason) error {
			return report.WriteJSONL(ctx, file, w, reason)
		}},
	}
}

// formatNames are the values of the format setting.
func formatNames() (names []string) {
	for _, format := range reportFormatsOf("", nil) {
		names = append(names, format.name)
	}
	return append(names, findingFormats...)
}

// recordOutcome records in a crawl file whether the next crawl is compared with it: not if its changes fail the run,
// unless a baseline says that they are intended.
func recordOutcome(location string, result *checks.Result) (err error) {
	if is, err := isRecorded(location, result); is || err != nil {
		return err
	}
	file, err := crawlfile.OpenToChange(location)
	if errors.Is(err, sqlite.ErrNoAccess) {
		return nil // where nothing can be written, no crawl follows
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	return file.SetNote(store.NoteBase, result.Written && file.Finished())
}

// open opens a crawl file, after it set what the baseline ignores: in a copy where the file cannot be written.
func (s *Settings) open(ctx context.Context, location string, checker *checks.Checker) (*store.File, error) {
	if s.Checks.Baseline == "" {
		return crawlfile.Open(location)
	}
	file, err := crawlfile.OpenToChange(location)
	isReadOnly := errors.Is(err, sqlite.ErrNoAccess)
	if isReadOnly {
		file, err = crawlfile.OpenCopy(location)
	}
	if err != nil {
		return nil, err
	}
	if _, err = checker.Ignore(ctx, file); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	if isReadOnly {
		return file, nil
	}
	if err := file.Close(); err != nil {
		return nil, err
	}
	return crawlfile.Open(location)
}

// isRecorded reports whether there is nothing to record.
func isRecorded(location string, result *checks.Result) (is bool, err error) {
	if !result.Written && len(result.Gates) == 0 {
		return true, nil
	}
	file, err := crawlfile.Open(location)
	if err != nil {
		return false, err
	}
	defer file.Close()
	isBase := false
	err = file.ReadNote(store.NoteBase, &isBase)
	return isBase == (result.Written && file.Finished()), err
}

// check checks a crawl, and what changed since the previous crawl in its folder.
func check(
	ctx context.Context, checker *checks.Checker, folder string, file *store.File,
) (result checks.Result, err error) {
	var changes *compare.Changes
	if checker.ReadsChanges() {
		if changes, _, err = changesOf(ctx, folder, file); err != nil {
			return result, err
		}
	}
	if changes != nil {
		defer changes.Close()
	}
	return checker.Run(ctx, file, changes)
}

// changesOf returns the changes since the previous crawl in a folder, and when that began: nil without one, or if the
// crawl is not finished.
func changesOf(ctx context.Context, folder string, file *store.File) (_ *compare.Changes, began time.Time, err error) {
	if !file.Finished() {
		return nil, began, nil
	}
	previous, err := store.OpenReader(filepath.Join(folder, crawlfile.PreviousName))
	if err != nil {
		return nil, began, nil // as without one
	}
	defer previous.Close()
	now, err := crawlfile.TimeOf(file)
	if err != nil {
		return nil, began, err
	}
	if began, err = crawlfile.TimeOf(previous); err != nil || !began.Before(now) {
		// file is the previous one itself
		return nil, began, err
	}
	if comparison, err := insight.ReadComparison(file); err != nil || !comparison.Compared {
		return nil, began, err
	}
	changes, err := compare.Crawls(ctx, previous, file)
	return changes, began, err
}

// writer returns what writes the report of the crawl in a folder, or nil where it is a list of
// findings.
func (s *Settings) writer(
	folder string, c *catalog.Catalog,
) (func(context.Context, *store.File, io.Writer) error, error) {
	if s.listsFindings() {
		return nil, s.checkFindings()
	}
	formats := reportFormatsOf(folder, c)
	i := slices.IndexFunc(formats, func(f reportFormat) bool { return f.name == s.Format })
	switch {
	case i < 0:
		return nil, setting.Invalid("format", "%s must be %s, not %q", setting.OneOf(formatNames()), s.Format)
	case s.Reason == "":
		return formats[i].write, nil
	case formats[i].urls == nil:
		return nil, setting.Invalid("reason", "%s needs {format} text, csv or jsonl, not %s", s.Format)
	}
	reason, err := decisionOf(s.Reason)
	return func(ctx context.Context, file *store.File, w io.Writer) error {
		return formats[i].urls(ctx, file, w, reason)
	}, err
}

// decisionNames are the values of the reason setting.
func decisionNames() (names []string) {
	for _, decision := range page.Decisions() {
		names = append(names, page.DecisionName(decision))
	}
	return names
}

func decisionOf(name string) (crawl.Reason, error) {
	names := decisionNames()
	if !slices.Contains(names, name) {
		return "", setting.Invalid("reason", "unknown %s %q: use one of %s", name, setting.Joined(names, ", "))
	}
	return page.DecisionNamed(name), nil
}
