package result

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/mapatools/mapa/internal/store"
)

// Files in the folder of a crawl.
const (
	crawlName    = "crawl.sqlite"
	previousName = "crawl.previous.sqlite"
	resultName   = "result.sqlite"
	compareName  = "compare.sqlite"
)

// crawlFolder is the folder of a crawl.
type crawlFolder struct {
	name, crawl, previous string // paths
	sitemap               string // name of the file if it is there, or empty
	stamp                 string // changes with the files
}

func newCrawlFolder(name string) *crawlFolder {
	c := &crawlFolder{
		name: name, crawl: filepath.Join(name, crawlName), previous: filepath.Join(name, previousName),
	}
	c.sitemap = firstFile(name, "sitemap.xml", "sitemap.xml.gz")
	c.stamp = stamp(c.crawl) + stamp(c.crawl+"-wal") + stamp(c.previous) + c.sitemap
	return c
}

// firstFile returns the first of the names that is a file in a folder, or "".
func firstFile(folder string, names ...string) string {
	for _, name := range names {
		if info, err := os.Stat(filepath.Join(folder, name)); err == nil && info.Mode().IsRegular() {
			return name
		}
	}
	return ""
}

// stamp returns what changes when a file is written.
func stamp(name string) string {
	info, err := os.Stat(name)
	if err != nil {
		return "none "
	}
	return fmt.Sprint(info.Size(), "@", info.ModTime().UnixNano(), " ")
}

// open opens the crawl to read it.
func (c *crawlFolder) open() (*store.File, error) { return store.OpenReader(c.crawl) }

// openPrevious opens the crawl before a finished one, or returns nil without one. One
// that cannot be read counts as none, as for the report.
func (c *crawlFolder) openPrevious(present *store.File) (*store.File, error) {
	if !present.Finished() {
		return nil, nil
	}
	previous, err := store.OpenReader(c.previous)
	if err != nil {
		return nil, nil
	}
	began, _, err := present.Page(1)
	before, _, errBefore := previous.Page(1)
	if err = errors.Join(err, errBefore); err != nil || !before.Page.Time.Before(began.Page.Time) {
		return nil, errors.Join(err, previous.Close())
	}
	return previous, nil
}

// remove removes a file that may not exist.
func remove(name string) error {
	if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
