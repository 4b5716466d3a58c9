package crawl

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"time"

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
	previous *store.File           // may be nil
	written  *outputs.WrittenFiles // in the folder
	opened   time.Time

	path, previousPath, replacedPath string
	created                          bool // by this run
	fresh                            bool // without a previous crawl
	keep                             bool // the crawl in the folder, and the previous one
	forgotten                        int  // losses of the crawl that a fresh one replaces
}

// A FolderInUseError says that a folder holds a crawl of another site, or of other pages of the
// site.
type FolderInUseError struct{ Folder, Crawled string }

// Error names what was crawled.
func (e *FolderInUseError) Error() string {
	return fmt.Sprintf("%s holds a crawl of %s", e.Folder, e.Crawled)
}

// A crawlKind is which pages of a site a crawl has: all, those of its folder of files, or the given
// ones. One of them does not replace another.
type crawlKind struct{ isFolder, onlySeeds bool }

func kindOf(about crawl.Meta) (kind crawlKind, err error) {
	meta, err := crawlfile.ParseMeta(about.Options)
	return crawlKind{meta.IsFolder(), about.OnlySeeds}, err
}

// of returns what a crawl of the kind is of.
func (k crawlKind) of(start string) string {
	switch {
	case k.onlySeeds:
		return "given pages of " + start
	case k.isFolder:
		return "a folder, for " + start
	}
	return "the site " + start
}

// checkKind refuses to replace a crawl of the same site by one of another kind.
func checkKind(folder string, present, next crawl.Meta) error {
	before, err := kindOf(present)
	if err != nil {
		return err
	}
	kind, err := kindOf(next)
	if err == nil && kind != before {
		err = &FolderInUseError{folder, before.of(present.Start)}
	}
	return err
}

// openCrawl opens the crawl of a folder if it is not finished, or creates one about a site. A
// finished crawl is replaced, or with keep is opened. With fresh, a crawl is always created, and it
// has no previous one.
func openCrawl(
	folder string, about crawl.Meta, written *outputs.WrittenFiles, fresh, keep bool,
) (*crawlFile, error) {
	f := &crawlFile{
		path: filepath.Join(folder, crawlfile.Name), previousPath: filepath.Join(folder, crawlfile.PreviousName),
		replacedPath: filepath.Join(folder, crawlfile.ReplacedName), keep: keep, written: written, opened: time.Now(),
	}
	present, err := store.Open(f.path)
	if err == nil && isCrawlOf(present, about.Start) {
		if err := checkKind(folder, present.Meta(), about); err != nil {
			return nil, errors.Join(err, present.Close())
		}
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = nil
	case errors.Is(err, sqlite.ErrLocked), errors.Is(err, sqlite.ErrForeign):
	case fresh:
		if present != nil {
			f.forgotten = countLosses(present)
		}
		err = f.replace(present)
	case err != nil:
	case !isCrawlOf(present, about.Start):
		err = errors.Join(&FolderInUseError{folder, present.Meta().Start}, present.Close())
	case keep || !present.Finished():
		f.File = present
	default:
		err = f.replace(present)
	}
	if err != nil {
		return nil, err
	}
	if f.fresh = fresh; !fresh {
		// A previous crawl that cannot be read is ignored: everything is fetched again.
		f.previous, _ = store.Open(f.previousPath)
	}
	if f.File == nil {
		err = f.create(about)
	}
	if err != nil {
		return nil, errors.Join(err, f.close())
	}
	return f, nil
}

// countLosses returns the number of open losses of a crawl, 0 if they cannot be read.
func countLosses(file *store.File) (sum int) {
	counts, err := file.CountLosses(context.Background())
	if err != nil {
		return 0
	}
	for i := range counts {
		sum += counts[i].Count
	}
	return sum
}

// replace makes room for a new crawl. The present one, nil if it cannot be read, becomes the previous
// one if it is a base of comparisons, or if it is finished and there is no base. Otherwise the base
// stays, and takeBack can bring the present one back until dropReplaced is called.
func (f *crawlFile) replace(present *store.File) (err error) {
	to := f.replacedPath
	if present != nil {
		isBase := false
		if present.Finished() {
			err = present.ReadNote(store.NoteBase, &isBase)
			isBase = isBase || crawlfile.FileIn(filepath.Dir(f.path), crawlfile.PreviousName) == ""
		}
		if isBase {
			to = f.previousPath
		}
		if err = errors.Join(err, present.Close()); err != nil {
			return err
		}
	}
	return os.Rename(f.path, to)
}

// dropReplaced removes the crawls that this one replaces, apart from the one to compare with.
func (f *crawlFile) dropReplaced() error {
	err := crawlfile.RemoveFile(f.replacedPath)
	if f.fresh {
		err = errors.Join(err, crawlfile.RemoveFile(f.previousPath))
	}
	return err
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
func isCrawlOf(file *store.File, start string) bool {
	if addresses.SameStart(file.Meta().Start, start) {
		return true
	}
	meta, err := crawlfile.ReadMeta(file)
	return err == nil && meta.RequestedStart != "" && addresses.SameStart(meta.RequestedStart, start)
}

func (f *crawlFile) create(about crawl.Meta) (err error) {
	f.File, err = store.Create(f.path, about, f.written.Names...)
	f.created = err == nil
	if err == nil && f.written.All {
		err = f.ForgetFiles()
	}
	if err == nil && f.written.Complete {
		err = f.SetSitemapComplete(true)
	}
	if err == nil {
		err = f.takeOver()
	}
	return err
}

// takeOver copies the history of the crawl that this one replaces, or else of the previous one, and unless this one is
// fresh its open losses.
func (f *crawlFile) takeOver() error {
	from := f.previous
	replaced, err := store.OpenReader(f.replacedPath)
	switch {
	case err == nil:
		defer replaced.Close()
		from = replaced
	case !errors.Is(err, fs.ErrNotExist) && !f.fresh:
		return err
	case from == nil:
		return nil
	}
	history, err := from.History()
	if err == nil {
		err = f.SetHistory(history)
	}
	if err != nil || f.fresh {
		return err
	}
	return f.AddLosses(func(yield func(*store.Loss, error) bool) {
		for loss, err := range from.AllLosses(context.Background()) {
			if err == nil {
				loss.Ignored = false // until the list says so again
			}
			if !yield(loss, err) {
				return
			}
		}
	})
}

// addToHistory records that the crawl is complete, with the number of its pages.
func (f *crawlFile) addToHistory(listed int) error {
	history, err := f.History()
	if err != nil {
		return err
	}
	began, err := crawlfile.TimeOf(f.File)
	if err != nil {
		return err
	}
	history = slices.DeleteFunc(history, func(one store.Past) bool { return one.Time.Equal(began) }) // concluded again
	return f.SetHistory(append(history, store.Past{Time: began, Listed: listed}))
}

// memory returns the previous crawl for conditional requests, or nil where it cannot
// serve: without one, or where other URLs were taken for one page. Where it recorded
// less of a page than is wanted now, pages are compared with it but fetched in full.
// Where other options decide what is found, no page is looked for that is not.
func (f *crawlFile) memory(wanted crawlfile.Meta) crawl.Previous {
	if f.previous == nil {
		return nil
	}
	before, err := crawlfile.ReadMeta(f.previous)
	if err == nil {
		err = f.previous.KeepReading()
	}
	if err != nil || !slices.Equal(before.Strip, wanted.Strip) {
		return nil
	}
	isComparable := len(wanted.OtherOptions(before)) == 0
	if isComparable && before.Covers(wanted) {
		return f.previous
	}
	return &partlyKnown{f.previous, before.Covers(wanted), isComparable}
}

// partlyKnown is a previous crawl with other options.
type partlyKnown struct {
	crawl.Previous
	isConditional bool // requests are conditional
	isComparable  bool // what it found is looked for
}

// Lookup implements [crawl.Previous].
func (p *partlyKnown) Lookup(url string) (page crawl.Page, target string, ok bool) {
	page, target, ok = p.Previous.Lookup(url)
	if !p.isConditional {
		page.ETag, page.LastModified = "", ""
	}
	return page, target, ok
}

// URLsToAsk implements [crawl.Previous].
func (p *partlyKnown) URLsToAsk(ctx context.Context) iter.Seq2[string, error] {
	if !p.isComparable {
		return func(func(string, error) bool) {}
	}
	return p.Previous.URLsToAsk(ctx)
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
	for _, name := range []string{f.replacedPath, f.previousPath} {
		if err := os.Rename(name, f.path); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
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
