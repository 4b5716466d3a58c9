package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/store"
)

const (
	crawlName    = "crawl.sqlite"
	previousName = "crawl.previous.sqlite"
)

// A crawlFile is the crawl of a folder, and the finished one before it.
type crawlFile struct {
	path     string
	store    *store.File
	memory   *store.File // the crawl before; nil when there is none
	previous string
	created  bool
}

// kept are the options that decide what a crawl file holds of a page.
type kept struct {
	Images bool     `json:"images,omitempty"`
	Assets bool     `json:"assets,omitempty"`
	Strip  []string `json:"strip,omitempty"` // parameters that make no difference
	Links  int      `json:"links,omitempty"` // the most of a page; 0 is the usual
}

// keptBy are those of a crawl.
func keptBy(o *crawl.Options) kept {
	return kept{Images: o.Images, Assets: o.Assets, Strip: o.StripParameters, Links: o.Traps.Links}
}

// suffices tells whether pages as they were kept hold all that is wanted.
func (k kept) suffices(wanted kept) bool {
	return (k.Images || !wanted.Images) && (k.Assets || !wanted.Assets) && k.Links == wanted.Links
}

func (k kept) String() string {
	text, _ := json.Marshal(k) // such a struct can always be written
	return string(text)
}

// openCrawl goes on with the crawl of a folder if it is not finished, or begins
// one. A finished crawl becomes the memory of the new one.
func openCrawl(folder, start string, options kept, fresh bool) (*crawlFile, error) {
	f := &crawlFile{path: filepath.Join(folder, crawlName), previous: filepath.Join(folder, previousName)}
	if fresh {
		if err := f.forget(); err != nil {
			return nil, err
		}
	}
	present, err := store.Open(f.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, err
	case present.Meta().Start != start:
		other := present.Meta().Start
		return nil, errors.Join(fmt.Errorf("%s holds a crawl of %s: choose another folder with -o", folder, other), present.Close())
	case !present.Finished():
		f.store = present
		return f, f.remember()
	default:
		if err := present.Close(); err != nil {
			return nil, err
		}
		if err := os.Rename(f.path, f.previous); err != nil {
			return nil, err
		}
	}
	if f.store, err = store.Create(f.path, crawl.Meta{Start: start, Program: version(), Options: options.String()}); err != nil {
		return nil, err
	}
	f.created = true
	return f, f.remember()
}

// remember opens the crawl before, if there is one that can be read: without it
// everything is asked for again.
func (f *crawlFile) remember() error {
	memory, err := store.Open(f.previous)
	if err == nil {
		f.memory = memory
	}
	return nil
}

// remembered returns the crawl before as a memory, or nil without one, and where
// other addresses were taken for one page then. Where that crawl kept less of the
// pages than is wanted now, it serves to compare with, and every page is asked for
// in full.
func (f *crawlFile) remembered(wanted kept) crawl.Previous {
	if f.memory == nil {
		return nil
	}
	var before kept
	err := json.Unmarshal([]byte(f.memory.Meta().Options), &before)
	switch {
	case err != nil || !slices.Equal(before.Strip, wanted.Strip):
		return nil
	case !before.suffices(wanted):
		return unconditional{f.memory}
	}
	return f.memory
}

// unconditional is a memory that makes no request conditional.
type unconditional struct{ crawl.Previous }

// Lookup implements [crawl.Previous].
func (u unconditional) Lookup(url string) (crawl.PreviousPage, bool) {
	page, ok := u.Previous.Lookup(url)
	page.ETag, page.LastModified = "", ""
	return page, ok
}

// forget removes what --fresh is to start without, unless somebody uses it.
func (f *crawlFile) forget() error {
	present, err := store.Open(f.path)
	switch {
	case err == nil:
		if err := present.Close(); err != nil {
			return err
		}
	case errors.Is(err, store.ErrLocked), errors.Is(err, store.ErrNotCrawlFile):
		return err
	}
	for _, name := range []string{f.path, f.previous} {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// takeBack undoes a crawl that did not get beyond its first page.
func (f *crawlFile) takeBack() error {
	f.release()
	if !f.created {
		return nil
	}
	if err := os.Remove(f.path); err != nil {
		return err
	}
	if err := os.Rename(f.previous, f.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// release gives up the crawl before.
func (f *crawlFile) release() {
	if f.memory != nil {
		f.memory.Close()
		f.memory = nil
	}
}
