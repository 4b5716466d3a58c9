package app

import (
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
	"github.com/mapatools/mapa/internal/atomicfile"
	"github.com/mapatools/mapa/internal/dedupe"
	"github.com/mapatools/mapa/internal/publish"
	"github.com/mapatools/mapa/source"
)

// A BuildResult is the outcome of a build. Its JSON is for programs.
type BuildResult struct {
	Rows       int     `json:"rows"` // that the sources list
	Listed     int     `json:"listed"`
	Duplicates int     `json:"duplicates"`
	Conflicts  int     `json:"conflicts"` // duplicates with other values than the first
	OutOfScope int     `json:"out_of_scope"`
	Excluded   int     `json:"excluded"` // by patterns
	Invalid    int     `json:"invalid"`
	Seconds    float64 `json:"seconds"`

	Sitemap string   `json:"sitemap"` // path of the file to submit
	Files   []string `json:"files"`
	Robots  string   `json:"robots,omitempty"`  // path of the robots.txt that names the sitemap
	Refused string   `json:"refused,omitempty"` // why nothing was published

	Details BuildDetails `json:"-"`
}

// WhyNotAnnounce returns why the result must not be announced, or "": nothing was
// published, or only a part of the rows.
func (r *BuildResult) WhyNotAnnounce() string {
	switch {
	case r.Details.Refused != nil:
		return "the sitemap was not published"
	case r.Invalid > 0:
		return "invalid rows were left out"
	case r.Sitemap == "":
		return "no sitemap was written"
	}
	return ""
}

// BuildDetails are the parts of a result that are not in its JSON.
type BuildDetails struct {
	Folder  string
	Refused error // of BuildResult.Refused
	Dropped int   // images, videos, news and languages that no sitemap may hold
}

// Build writes the sitemap of the pages that the sources of the settings list, and the other outputs. Of
// equal pages, the first counts. Rows that are left out are reported as a [Problem] each,
// up to ten of a kind. When a source cannot be read to its end, the error says so and
// nothing is published.
func (a *App) Build(ctx context.Context, s *BuildSettings) (*BuildResult, error) {
	begun := time.Now()
	b, err := a.newBuild(s)
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
	b.result.Seconds = time.Since(begun).Round(time.Millisecond).Seconds()
	if b.result.Refused != "" {
		return &b.result, nil
	}
	if err := b.written.record(); err != nil {
		return nil, err
	}
	if b.result.Robots, err = s.Publish.setSitemapLine(b.folder, b.result.Files); err != nil {
		return nil, err
	}
	return &b.result, nil
}

// A build is one run of [App.Build].
type build struct {
	app      *App
	settings *BuildSettings
	sources  []buildSource
	rows     source.RowOptions
	database *sql.DB // nil without one
	base     *url.URL
	folder   string // URL that every page begins with
	scope    crawl.Scope
	publish  publish.Options
	written  *writtenFiles
	hasher   dedupe.Hasher
	ring     rowRing

	problems problems
	result   BuildResult
}

// newBuild validates the settings. What is wrong is a [*SettingError].
func (a *App) newBuild(s *BuildSettings) (*build, error) {
	b := &build{app: a, settings: s, hasher: dedupe.NewHasher(), problems: problems{app: a}}
	var err error
	if b.base, err = s.base(); err != nil {
		return nil, err
	}
	if b.scope, err = s.Scope.options(); err != nil {
		return nil, err
	}
	if b.publish, err = s.Publish.options(); err != nil {
		return nil, err
	}
	if err := checkWeights(&b.publish.Weights); err != nil {
		return nil, err
	}
	expanded, err := expandSources(s.Sources)
	if err != nil {
		return nil, err
	}
	if b.sources, err = s.sources(expanded); err != nil {
		return nil, err
	}
	if err := checkRobotsTxt(s.Publish.RobotsTxt, b.files()); err != nil {
		return nil, err
	}
	b.folder = folderURL(b.base)
	b.publish.Home, b.publish.FolderURL = b.base.String(), b.folder
	b.publish.Weights.Time = time.Now()
	b.publish.Folder = s.Output
	if b.publish.Folder == "" {
		if err := checkHostFolder(b.base.Host); err != nil {
			return nil, err
		}
		b.publish.Folder = folderOf(strings.ToLower(b.base.Host))
	}
	b.result.Details.Folder = b.publish.Folder
	if err := b.setRowOptions(); err != nil {
		return nil, err
	}
	if s.SQL != "" {
		b.database, err = a.openDatabase(s)
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
	if b.written, err = readWrittenFiles(folder, folder, b.publish.Outputs); err != nil {
		return err
	}
	if !b.settings.Force {
		if err := b.written.check(); err != nil {
			return err
		}
	}
	if err := b.written.checkSources(b.files()); err != nil {
		return err
	}
	b.publish.BeforePublish = b.written.claim
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return &FolderError{folder, err}
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
	clean, options, err := b.app.sources(&b.settings.Request, names...)
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
		if fileIn(name, crawlName) != "" {
			expanded = append(expanded, filepath.Join(name, crawlName))
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

// folderURL returns a URL up to the last slash of its path.
func folderURL(u *url.URL) string {
	path := u.EscapedPath()
	return u.Scheme + "://" + u.Host + path[:strings.LastIndexByte(path, '/')+1]
}

// run reads the sources and publishes their pages.
func (b *build) run(ctx context.Context) error {
	pages := dedupe.First(b.listable(ctx), b.deduplication())
	published, err := publish.Run(ctx, b.publishable(pages), &b.publish)
	b.problems.end()
	if _, is := errors.AsType[*source.ColumnError](err); is {
		return wrapSetting("column", err)
	}
	r := &b.result
	if isRefusal(err) {
		r.Details.Refused, r.Refused, err = err, err.Error(), nil
	}
	if err != nil {
		return err
	}
	r.Listed, r.Details.Dropped = published.Pages, published.Dropped
	r.Invalid += published.Invalid
	r.Files, r.Sitemap = publishedFiles(b.publish.Folder, &published)
	return nil
}

// isRefusal reports whether an error says that nothing was published for the good of
// the sitemap that is there.
func isRefusal(err error) bool {
	_, isRefused := errors.AsType[*publish.RefusedError](err)
	return isRefused || errors.Is(err, publish.ErrEmpty)
}

// publishedFiles returns the paths of the published files, and that of the sitemap.
func publishedFiles(folder string, published *publish.Published) (files []string, sitemap string) {
	if published.Files != nil {
		files = make([]string, 0, len(published.Files))
	}
	for _, name := range published.Files {
		path := filepath.Join(folder, name)
		files = append(files, path)
		if sitemap == "" && strings.HasPrefix(name, "sitemap.xml") {
			sitemap = path
		}
	}
	return files, sitemap
}

// The reasons why a row is left out that are not in the row itself.
var (
	errDuplicate  = errors.New("listed before")
	errConflict   = errors.New("listed before with another lastmod, changefreq or priority, which counts")
	errOutOfScope = errors.New("outside the site")
)

// leave reports a row that is left out. With the strict setting it returns the reason,
// which ends the build.
func (b *build) leave(count *int, err error) error {
	*count++
	if b.settings.Strict {
		return err
	}
	b.problems.add(err)
	return nil
}

func rowProblem(row *buildRow, reason error) error {
	return &source.RowError{Location: row.location, Line: row.line, Err: fmt.Errorf("%s: %w", row.Loc, reason)}
}
