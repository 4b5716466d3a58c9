package app

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/store"
)

const (
	crawlName    = "crawl.sqlite"
	previousName = "crawl.previous.sqlite"
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

// A crawlMeta is the options that decide what a crawl file holds of a page.
type crawlMeta struct {
	Images bool     `json:"images,omitempty"`
	Assets bool     `json:"assets,omitempty"`
	Feeds  bool     `json:"feeds,omitempty"`
	Strip  []string `json:"strip,omitempty"` // ignored query parameters
	Links  int      `json:"links,omitempty"` // limit of a page; 0 is the default
	// Asked is the start that the user named, if that redirects to the start.
	Asked string `json:"asked,omitempty"`
	// Crawled is the address of a crawl whose URLs are those of another, public one.
	Crawled       string `json:"crawled,omitempty"`
	IgnoreNoIndex bool   `json:"ignore_noindex,omitempty"`
	// Documents are the kinds of files that are listed.
	Documents []crawl.DocumentKind `json:"documents"`
	// Job is the job of workers that crawled the site, with the time of its creation.
	// Sequence is that of the last record of the site. Every end of the site has another one.
	Job      string    `json:"job,omitempty"`
	Created  time.Time `json:"job_created,omitzero"`
	Sequence uint64    `json:"sequence,omitempty"`
}

// covers reports whether pages that were recorded with m hold all that wanted needs.
func (m crawlMeta) covers(wanted crawlMeta) bool {
	return (m.Images || !wanted.Images) && (m.Assets || !wanted.Assets) && m.Feeds == wanted.Feeds &&
		m.Links == wanted.Links && slices.Equal(m.Documents, wanted.Documents) &&
		m.Crawled == wanted.Crawled && m.IgnoreNoIndex == wanted.IgnoreNoIndex
}

func (m crawlMeta) String() string {
	text, _ := json.Marshal(m) // this struct can always be encoded
	return string(text)
}

// readCrawlMeta returns the options of a crawl.
func readCrawlMeta(file crawl.Reader) (m crawlMeta, err error) {
	if err := json.Unmarshal([]byte(file.Meta().Options), &m); err != nil {
		return m, fmt.Errorf("read the options of the crawl: %w", err)
	}
	return m, nil
}

// A FolderInUseError says that a folder holds the crawl of another site.
type FolderInUseError struct{ Folder, Start string }

// Error names the other site.
func (e *FolderInUseError) Error() string {
	return fmt.Sprintf("%s holds a crawl of %s", e.Folder, e.Start)
}

// openCrawl opens the crawl of a folder if it is not finished, or creates one. A
// finished crawl becomes the previous one, or with keep is opened. With fresh, a crawl is
// always created, and it has no previous one.
func openCrawl(
	folder, start, version string, meta crawlMeta, written *writtenFiles, fresh, keep bool,
) (*crawlFile, error) {
	f := &crawlFile{path: filepath.Join(folder, crawlName), previousPath: filepath.Join(folder, previousName), keep: keep}
	present, err := store.Open(f.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = f.create(start, version, meta, written)
	case fresh:
		err = f.replace(present, err, start, version, meta, written)
	case err != nil:
	case !isCrawlOf(present, start):
		err = errors.Join(&FolderInUseError{folder, present.Meta().Start}, present.Close())
	case keep || !present.Finished():
		f.File = present
	default:
		if err = present.Close(); err == nil {
			err = os.Rename(f.path, f.previousPath)
		}
		if err == nil {
			err = f.create(start, version, meta, written)
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
	present *store.File, err error, start, version string, meta crawlMeta, written *writtenFiles,
) error {
	finished := true // as far as is known
	switch {
	case err == nil:
		finished = present.Finished()
		if err := present.Close(); err != nil {
			return err
		}
	case errors.Is(err, store.ErrLocked), errors.Is(err, store.ErrNotCrawlFile):
		return err
	}
	if !finished && fileIn(filepath.Dir(f.path), previousName) != "" {
		err = os.Remove(f.path)
	} else {
		err = os.Rename(f.path, f.previousPath)
	}
	if err != nil {
		return err
	}
	return f.create(start, version, meta, written)
}

// dropPrevious removes the crawl that a fresh one replaces.
func (f *crawlFile) dropPrevious() error {
	if !f.fresh {
		return nil
	}
	return removeFile(f.previousPath)
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
	if sameStart(withoutUser(file.Meta().Start), start) {
		return true
	}
	meta, err := readCrawlMeta(file)
	return err == nil && meta.Asked != "" && sameStart(meta.Asked, start)
}

func (f *crawlFile) create(start, version string, meta crawlMeta, written *writtenFiles) (err error) {
	about := crawl.Meta{Start: start, Program: version, Options: meta.String()}
	f.File, err = store.Create(f.path, about, written.names...)
	f.created = err == nil
	if err == nil && written.all {
		err = f.ForgetFiles()
	}
	if err == nil && written.complete {
		err = f.SetSitemapComplete(true)
	}
	return err
}

// memory returns the previous crawl for conditional requests, or nil where it cannot
// serve: without one, or where other URLs were taken for one page. Where it recorded
// less of a page than is wanted now, pages are compared with it but fetched in full.
func (f *crawlFile) memory(wanted crawlMeta) crawl.Previous {
	if f.previous == nil {
		return nil
	}
	before, err := readCrawlMeta(f.previous)
	switch {
	case err != nil || !slices.Equal(before.Strip, wanted.Strip):
		return nil
	case !before.covers(wanted):
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

// removeFile removes a file that may not exist.
func removeFile(name string) error {
	if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// withoutUser returns the start of a crawl file, which earlier versions recorded with
// its user information.
func withoutUser(start string) string {
	start, _ = format.CutUser(start)
	return start
}

// folderOf returns the default folder of a crawl of a host. A colon is not allowed in
// names everywhere.
func folderOf(host string) string { return strings.ReplaceAll(host, ":", "-") }

// checkHostFolder refuses the folder that is named after a host, where the output setting
// names none, if it leads out of the current folder, as a link in a checkout of strangers
// may do.
func checkHostFolder(host string) error {
	if err := checkBelow(folderOf(strings.ToLower(host))); err != nil {
		return badSetting("output", "%s is missing: the folder %[2]v", err)
	}
	return nil
}

// ErrNoCrawl says that a folder holds no crawl.
var ErrNoCrawl = errors.New("no crawl")

// A NotCrawlError says that a file that was named as a crawl is something else.
type NotCrawlError struct{ Name string }

// Error names the file.
func (e *NotCrawlError) Error() string { return e.Name + " is not the file of a crawl" }

// A FolderError says that the folder of a crawl cannot be created.
type FolderError struct {
	Folder string
	Err    error
}

// Error names the folder and the reason.
func (e *FolderError) Error() string {
	err := e.Err
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		err = path.Err // the path is that of the folder, or of one above it
	}
	return fmt.Sprintf("cannot create the folder %s: %v", e.Folder, err)
}

// Unwrap returns the reason.
func (e *FolderError) Unwrap() error { return e.Err }

// HasCrawl reports whether there is a crawl with a page in a folder, or one that cannot be read.
func HasCrawl(folder string) bool {
	file, err := openCrawlIn(folder)
	if err == nil {
		err = file.Close()
	}
	return !errors.Is(err, ErrNoCrawl)
}

// openCrawlIn opens the crawl of a folder, or a crawl file, to read it.
func openCrawlIn(location string) (*store.File, error) {
	file, err := store.OpenReader(crawlPath(location))
	return file, crawlError(err, location)
}

// crawlError returns the error of opening the crawl at a location.
func crawlError(err error, location string) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%w in %s", ErrNoCrawl, location)
	case errors.Is(err, store.ErrNotCrawlFile):
		return &NotCrawlError{location}
	}
	return err
}

// crawlPath returns the crawl file of a folder, or the name itself.
func crawlPath(location string) string {
	if info, err := os.Stat(location); err == nil && info.IsDir() {
		return filepath.Join(location, crawlName)
	}
	return location
}

// CrawlFolders returns the folders in the current folder that hold a crawl.
func CrawlFolders() []string {
	files, err := filepath.Glob(filepath.Join("*", crawlName))
	if err != nil {
		return nil
	}
	var folders []string
	for _, file := range files {
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
			folders = append(folders, filepath.Dir(file))
		}
	}
	return folders
}
