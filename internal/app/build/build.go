// Package build implements mapa build: a sitemap of URLs from lists, databases, logs and other
// sitemaps. Begin with [Run].
package build

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/access"
	"github.com/mapatools/mapa/internal/app/addresses"
	"github.com/mapatools/mapa/internal/app/build/dedupe"
	"github.com/mapatools/mapa/internal/app/config"
	"github.com/mapatools/mapa/internal/app/crawlfile"
	"github.com/mapatools/mapa/internal/app/outputs"
	"github.com/mapatools/mapa/internal/app/problems"
	"github.com/mapatools/mapa/internal/app/scope"
	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/internal/atomicfile"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/publish"
	"github.com/mapatools/mapa/source"
)

// A Result is the outcome of a build. Its JSON is for programs.
type Result struct {
	Rows       int `json:"rows"` // that the sources list
	Listed     int `json:"listed"`
	Duplicates int `json:"duplicates"`
	Conflicts  int `json:"conflicts"` // duplicates with other values than the first
	OutOfScope int `json:"out_of_scope"`
	Excluded   int `json:"excluded"` // by patterns
	Invalid    int `json:"invalid"`
	// Unlisted are rows whose source says that the page is not one for a sitemap: broken, a
	// draft, not indexable.
	Unlisted int `json:"unlisted"`
	// DroppedValues are values that cannot be used, such as a wrong date. Their pages are
	// listed without them.
	DroppedValues int `json:"dropped_values"`

	Seconds float64 `json:"seconds"`

	Sitemap string   `json:"sitemap"` // path of the file to submit
	Files   []string `json:"files"`
	Robots  string   `json:"robots,omitempty"`  // path of the robots.txt that names the sitemap
	Refused string   `json:"refused,omitempty"` // why nothing was published

	Details Details `json:"-"`
}

// WhyNotAnnounce returns why the result must not be announced, or "": nothing was
// published, or only a part of the rows.
func (r *Result) WhyNotAnnounce(c *catalog.Catalog) string {
	switch {
	case r.Details.Refused != nil:
		return c.Text("unannounced.refused")
	case r.Invalid > 0:
		return c.Text("unannounced.invalid")
	case r.Sitemap == "":
		return c.Text("unannounced.no-sitemap")
	}
	return ""
}

// Details are the parts of a result that are not in its JSON.
type Details struct {
	Folder  string
	Refused error    // of BuildResult.Refused
	Dropped int      // images, videos, news and languages that no sitemap may hold
	Parts   []string // names of the files that the sitemap lists if it is an index

	Reasons []ReasonCount // of Unlisted, the most frequent first
}

// A ReasonCount is how many rows a source keeps out of the sitemap for one reason, such as
// "Status Code: 404".
type ReasonCount struct {
	Reason string
	Count  int
}

// Run writes the sitemap of the pages that the sources of the settings list, and the other outputs. Of
// equal pages, the first counts. Rows that are left out are reported as a [app.Problem] each,
// up to ten of a kind. When a source cannot be read to its end, the error says so and
// nothing is published.
func Run(ctx context.Context, a *app.App, s *Settings) (*Result, error) {
	begun := time.Now()
	b, err := newBuild(a, s)
	if err != nil {
		return nil, err
	}
	defer b.close()
	if err := b.openFolder(); err != nil {
		return nil, err
	}
	if err := b.run(ctx); err != nil {
		_ = os.Remove(b.publish.Folder) // fails, as it should, unless this run made it
		return nil, err
	}
	b.result.Seconds = float64(time.Since(begun).Milliseconds()) / 1000
	if b.result.Refused != "" {
		_ = os.Remove(b.publish.Folder)
		return &b.result, nil
	}
	if err := b.written.Record(); err != nil {
		return nil, err
	}
	if b.result.Robots, err = s.Publish.SetSitemapLine(b.folder, b.result.Files); err != nil {
		return nil, err
	}
	return &b.result, nil
}

// A build is one run of [Run].
type build struct {
	app      *app.App
	settings *Settings
	sources  []buildSource
	rows     source.RowOptions
	database *sql.DB // nil without one
	base     *url.URL
	folder   string // URL that every page begins with
	scope    crawl.Scope
	unused   *scope.Unused
	publish  publish.Options
	written  *outputs.WrittenFiles
	hasher   dedupe.Hasher
	ring     rowRing
	file     fileCount
	reasons  map[string]int // of the rows that are unlisted

	problems problems.Problems
	result   Result
}

// newBuild validates the settings. What is wrong is a [*setting.Error].
func newBuild(a *app.App, s *Settings) (*build, error) {
	b := &build{app: a, settings: s, hasher: dedupe.NewHasher(), problems: problems.Problems{App: a}}
	var err error
	if b.base, err = s.base(); err != nil {
		return nil, err
	}
	if b.scope, err = s.Scope.Options(); err != nil {
		return nil, err
	}
	b.unused = scope.NewUnused(&b.scope)
	if b.publish, err = s.Publish.Options(); err != nil {
		return nil, err
	}
	expanded, err := expandSources(s.Sources)
	if err != nil {
		return nil, err
	}
	if b.sources, err = s.sources(expanded); err != nil {
		return nil, err
	}
	if err := outputs.CheckRobotsTxt(s.Publish.RobotsTxt, b.files()); err != nil {
		return nil, err
	}
	b.folder = addresses.FolderURL(b.base)
	b.publish.Home, b.publish.FolderURL = b.base.String(), b.folder
	b.publish.Folder = s.Output
	if b.publish.Folder == "" {
		if err := config.CheckHostFolder(b.base.Host); err != nil {
			return nil, err
		}
		b.publish.Folder = crawlfile.FolderOf(strings.ToLower(b.base.Host))
	}
	b.result.Details.Folder = b.publish.Folder
	if err := b.setRowOptions(); err != nil {
		return nil, err
	}
	if s.SQL != "" {
		b.database, err = openDatabase(a, s)
	}
	return b, err
}

func (b *build) close() {
	if b.database != nil {
		_ = b.database.Close() // it was only read
	}
}

// openFolder makes the folder of the outputs. Files in it that Mapa did not write are an
// error.
func (b *build) openFolder() (err error) {
	folder := b.publish.Folder
	if b.written, err = outputs.ReadWrittenFiles(folder, folder, b.publish.Outputs); err != nil {
		return err
	}
	b.written.FolderURL = b.folder
	if !b.settings.Force {
		if err := b.written.Check(); err != nil {
			return err
		}
	}
	if err := b.written.CheckSources(b.files()); err != nil {
		return err
	}
	b.publish.BeforePublish = b.written.Claim
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return &crawlfile.FolderError{Folder: folder, Err: err}
	}
	return nil
}

// files returns the sources that are files.
func (b *build) files() *atomicfile.FileSet {
	var files atomicfile.FileSet
	for i := range b.sources {
		files.Add(b.sources[i].name)
		if b.sources[i].name == "-" {
			files.AddReader(b.app.Stdin)
		}
	}
	return &files
}

// setRowOptions sets how the sources are read.
func (b *build) setRowOptions() error {
	names := make([]string, len(b.sources))
	for i := range b.sources {
		names[i] = b.sources[i].name
	}
	clean, options, err := access.Sources(b.app, &b.settings.Request, names...)
	if err != nil {
		return err
	}
	for i := range b.sources {
		b.sources[i].name = clean[i]
	}
	b.rows = source.RowOptions{
		Stdin: b.app.Stdin, Base: b.folder, Columns: b.settings.Columns, StripParameters: b.settings.StripParams,
		Sitemaps: &options,
	}
	return nil
}

// expandSources replaces folders by the sitemaps in them, except those of a crawl.
func expandSources(names []string) (expanded []string, err error) {
	for _, name := range names {
		if crawlfile.FileIn(name, crawlfile.Name) != "" {
			expanded = append(expanded, filepath.Join(name, crawlfile.Name))
			continue
		}
		files, err := source.ExpandFolders([]string{name})
		if err != nil {
			return nil, err
		}
		expanded = append(expanded, files...)
	}
	return expanded, nil
}

// run reads the sources and publishes their pages.
func (b *build) run(ctx context.Context) error {
	pages := dedupe.First(b.listable(ctx), b.deduplication())
	published, err := publish.Run(ctx, b.publishable(pages), &b.publish)
	b.problems.End()
	if column, is := errors.AsType[*source.ColumnError](err); is {
		return columnError(column, err)
	}
	r := &b.result
	r.Details.Reasons = b.countReasons()
	if errors.Is(err, publish.ErrEmpty) {
		err = &EmptyError{err}
	}
	if _, is := errors.AsType[*InvalidFileError](err); is || outputs.IsRefusal(err) {
		r.Details.Refused, r.Refused, err = err, err.Error(), nil
	}
	if err != nil {
		return err
	}
	r.Listed, r.Details.Dropped, r.Details.Parts = published.Pages, published.Dropped, published.Parts
	r.Invalid += published.Invalid
	r.Files, r.Sitemap = outputs.PublishedFiles(b.publish.Folder, &published)
	b.unused.Say(b.app, published.Unused)
	return nil
}

// leave reports a row that is left out. With the strict setting it returns the reason,
// which ends the build.
func (b *build) leave(count *int, err error) error {
	*count++
	if b.settings.Strict {
		return err
	}
	b.problems.Add(err)
	return nil
}

// columnError returns the error of a column that a source does not have, with what names it.
func columnError(missing *source.ColumnError, err error) error {
	location, _ := errors.AsType[*source.Error](err)
	switch {
	case missing.Column != "" || missing.Columns == nil:
		return setting.Wrap("column", err)
	case location == nil: // of a query
		return setting.Wrap("query", fmt.Errorf("%w: name it, as in: select %s as loc", err, cmp.Or(missing.Likely, "path")))
	}
	name := cmp.Or(missing.Likely, "NAME")
	if strings.ContainsAny(name, " '\"()") {
		name = "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
	}
	return setting.Invalid("column", "%[2]v: %[1]s loc=%[3]s", err, name)
}

func rowProblem(row *buildRow, reason error) error {
	return &source.RowError{Location: row.location, Line: row.line, Err: fmt.Errorf("%s: %w", row.Loc, reason)}
}
