// Package figures joins the crawl in a folder with what search engines and other tables say about its pages. Begin with
// [Read].
package figures

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"github.com/mapatools/mapa/internal/app/addresses"
	"github.com/mapatools/mapa/internal/app/crawlfile"
	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/internal/figures"
	"github.com/mapatools/mapa/internal/insight"
	"github.com/mapatools/mapa/internal/ledger"
	"github.com/mapatools/mapa/internal/sqlite"
	"github.com/mapatools/mapa/internal/store"
)

// Setting returns the setting of tables to join.
func Setting(tables *[]string) setting.Setting {
	return setting.Setting{Name: "join", Value: setting.Strings(tables), Risk: setting.RiskFile,
		Help: "add what this `TABLE` says about the pages, such as an export of Search Console"}
}

// A FileError says which file of an export cannot be read, and why.
type FileError = figures.FileError

// About is what the figures of a site say as a whole, by its exports.
type (
	About  = figures.About
	Export = figures.Export
)

// A Result is what was read, and what all figures of the site say. Its JSON is for programs.
type Result struct {
	// Read are the exports that were read, in the order in which they were named.
	Read []figures.Export `json:"read"`
	figures.About
}

// Check returns the error that Read would have for files that are no tables it knows, before a crawl that takes long.
func Check(ctx context.Context, names []string) error { return figures.Check(ctx, names, time.Now()) }

// Show returns what the figures of the crawl in a folder say.
func Show(folder string) (result *Result, err error) {
	file, err := crawlfile.Open(folder)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	result = &Result{Read: []figures.Export{}, About: figures.About{Exports: []figures.Export{}}}
	about := &result.About
	return result, file.ReadFigures(&about)
}

// Read reads exports, and joins all figures of the folder with its crawl. Either all of them are kept or, with an
// error, none.
func Read(ctx context.Context, folder string, names []string) (result *Result, err error) {
	file, err := crawlfile.OpenToChange(folder)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	return Join(ctx, In(filepath.Dir(crawlfile.Path(folder))), file, names)
}

// A Place is where the figures of a site are kept.
type Place struct {
	// File has the figures. Its folder must exist.
	File string
	// Ledger is that of announcements, which may be missing. IsAnnounced reports whether a target in it is of the site.
	Ledger      string
	IsAnnounced func(target string) bool
}

// In returns the place of the figures in the folder of a crawl.
func In(folder string) Place {
	everything := func(string) bool { return true }
	return Place{filepath.Join(folder, figures.Name), filepath.Join(folder, ledger.Name), everything}
}

// Join reads exports, and joins all figures of a site with a crawl. It returns nil if there are none.
func Join(ctx context.Context, place Place, file *store.File, names []string) (result *Result, err error) {
	open := figures.OpenPresent
	if len(names) > 0 {
		open = figures.Open
	}
	kept, err := open(ctx, place.File)
	if err != nil || kept == nil {
		return nil, err
	}
	defer func() {
		failed := err != nil
		err = errors.Join(err, kept.Close())
		if failed && kept.Created() { // a full disk would stay full
			err = errors.Join(err, crawlfile.RemoveFile(place.File),
				crawlfile.RemoveFile(place.File+sqlite.JournalSuffix))
		}
	}()
	site, err := siteOf(file)
	if err != nil {
		return nil, err
	}
	result = &Result{Read: []figures.Export{}}
	if len(names) > 0 {
		if result.Read, err = kept.Read(ctx, names, site, time.Now()); err != nil {
			return nil, err
		}
	}
	submitted, err := place.submittedDays(ctx)
	if err != nil {
		return nil, err
	}
	about, err := kept.Join(ctx, file, site, submitted)
	if err != nil {
		return nil, err
	}
	result.About = *about
	result.count()
	return result, insight.WriteFigures(ctx, file, about)
}

// count sets how many rows of the exports that were read are of pages of the crawl. One that another of them replaces
// is an older one.
func (r *Result) count() {
	for i := range r.Read {
		at := slices.IndexFunc(r.Exports, func(e figures.Export) bool { return e.Is(&r.Read[i]) })
		if r.Read[i].Older = at < 0; at >= 0 {
			r.Read[i].Matched, r.Read[i].Unmatched = r.Exports[at].Matched, r.Exports[at].Unmatched
		}
	}
}

func siteOf(file *store.File) (*figures.Site, error) {
	meta, err := crawlfile.ReadMeta(file)
	return &figures.Site{
		Start: file.Meta().Start, Key: addresses.PageKey(meta.Strip), Strip: meta.Strip, Folder: meta.IsFolder(),
	}, err
}

// submittedDays returns the days on which something of the site was announced.
func (p *Place) submittedDays(ctx context.Context) ([]string, error) {
	days, err := ledger.Days(ctx, p.Ledger, p.IsAnnounced)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return days, err
}
