package crawl

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app/addresses"
	"github.com/mapatools/mapa/internal/app/crawlfile"
	"github.com/mapatools/mapa/internal/app/outputs"
	"github.com/mapatools/mapa/internal/sqlite"
	"github.com/mapatools/mapa/internal/store"
)

// A crawlFile is the crawl in a folder, with the finished one before it. It stays
// open for the whole run.
type crawlFile struct {
	*store.File
	previous *store.File // may be nil

	path, previousPath string
	created            bool // by this run
	fresh              bool // without a previous crawl
	keep               bool // the crawl in the folder, and the previous one
}

// A FolderInUseError says that a folder holds the crawl of another site.
type FolderInUseError struct{ Folder, Start string }

// Error names the other site.
func (e *FolderInUseError) Error() string {
	return fmt.Sprintf("%s holds a crawl of %s", e.Folder, e.Start)
}

// openCrawl opens the crawl of a folder if it is not finished, or creates one about a site. A
// finished crawl becomes the previous one, or with keep is opened. With fresh, a crawl is
// always created, and it has no previous one.
func openCrawl(
	folder string, about crawl.Meta, written *outputs.WrittenFiles, fresh, keep bool,
) (*crawlFile, error) {
	f := &crawlFile{
		path: filepath.Join(folder, crawlfile.Name), previousPath: filepath.Join(folder, crawlfile.PreviousName), keep: keep,
	}
	present, err := store.Open(f.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = f.create(about, written)
	case fresh:
		err = f.replace(present, err, about, written)
	case err != nil:
	case !isCrawlOf(present, about.Start):
		err = errors.Join(&FolderInUseError{folder, present.Meta().Start}, present.Close())
	case keep || !present.Finished():
		f.File = present
	default:
		if err = present.Close(); err == nil {
			err = os.Rename(f.path, f.previousPath)
		}
		if err == nil {
			err = f.create(about, written)
		}
	}
	if err != nil {
		return nil, err
	}
	if f.fresh = fresh; !fresh {
		// A previous crawl that cannot be read is ignored: everything is fetched again.
		f.previous, _ = store.Open(f.previousPath)
	}
	return f, nil
}

// replace creates a crawl in place of the present one, which takeBack can bring back
// until dropPrevious is called. An unfinished one is lost where there is a finished one
// before it.
func (f *crawlFile) replace(
	present *store.File, err error, about crawl.Meta, written *outputs.WrittenFiles,
) error {
	finished := true // as far as is known
	switch {
	case err == nil:
		finished = present.Finished()
		if err := present.Close(); err != nil {
			return err
		}
	case errors.Is(err, sqlite.ErrLocked), errors.Is(err, sqlite.ErrForeign):
		return err
	}
	if !finished && crawlfile.FileIn(filepath.Dir(f.path), crawlfile.PreviousName) != "" {
		err = os.Remove(f.path)
	} else {
		err = os.Rename(f.path, f.previousPath)
	}
	if err != nil {
		return err
	}
	return f.create(about, written)
}

// dropPrevious removes the crawl that a fresh one replaces.
func (f *crawlFile) dropPrevious() error {
	if !f.fresh {
		return nil
	}
	return crawlfile.RemoveFile(f.previousPath)
}

// closePrevious leaves out the crawl to compare with.
func (f *crawlFile) closePrevious() (err error) {
	if f.previous != nil {
		err = f.previous.Close()
		f.previous = nil
	}
	return err
}

// isCrawlOf reports whether a crawl is of a start, or of a page that redirects to it.
func isCrawlOf(file crawl.Reader, start string) bool {
	if addresses.SameStart(file.Meta().Start, start) {
		return true
	}
	meta, err := crawlfile.ReadMeta(file)
	return err == nil && meta.RequestedStart != "" && addresses.SameStart(meta.RequestedStart, start)
}

func (f *crawlFile) create(about crawl.Meta, written *outputs.WrittenFiles) (err error) {
	f.File, err = store.Create(f.path, about, written.Names...)
	f.created = err == nil
	if err == nil && written.All {
		err = f.ForgetFiles()
	}
	if err == nil && written.Complete {
		err = f.SetSitemapComplete(true)
	}
	return err
}

// memory returns the previous crawl for conditional requests, or nil where it cannot
// serve: without one, or where other URLs were taken for one page. Where it recorded
// less of a page than is wanted now, pages are compared with it but fetched in full.
func (f *crawlFile) memory(wanted crawlfile.Meta) crawl.Previous {
	if f.previous == nil {
		return nil
	}
	before, err := crawlfile.ReadMeta(f.previous)
	if err == nil {
		err = f.previous.KeepReading()
	}
	switch {
	case err != nil || !slices.Equal(before.Strip, wanted.Strip):
		return nil
	case !before.Covers(wanted):
		return unconditional{f.previous}
	}
	return f.previous
}

// unconditional is a previous crawl that makes no request conditional.
type unconditional struct{ crawl.Previous }

// Lookup implements [crawl.Previous].
func (u unconditional) Lookup(url string) (crawl.PreviousPage, bool) {
	page, ok := u.Previous.Lookup(url)
	page.ETag, page.LastModified = "", ""
	return page, ok
}

// takeBack undoes the creation of a crawl that did not get beyond its first page, and
// puts the previous one back.
func (f *crawlFile) takeBack() error {
	if err := f.close(); err != nil || !f.created {
		return err
	}
	if err := os.Remove(f.path); err != nil || f.keep {
		return err
	}
	if err := os.Rename(f.previousPath, f.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// close closes both files. It may be called again.
func (f *crawlFile) close() (err error) {
	for _, file := range []**store.File{&f.File, &f.previous} {
		if *file != nil {
			err = errors.Join(err, (*file).Close())
			*file = nil
		}
	}
	return err
}

// HasCrawl reports whether there is a crawl with a page in a folder, or one that cannot be read.
func HasCrawl(folder string) bool {
	file, err := crawlfile.Open(folder)
	if err == nil {
		err = file.Close()
	}
	return !errors.Is(err, crawlfile.ErrNoCrawl)
}
