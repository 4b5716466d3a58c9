package compare

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"

	"github.com/mapatools/mapa/internal/sqlite"
	"github.com/mapatools/mapa/internal/store"
	"github.com/mapatools/mapa/source"
)

// Side is one side of a comparison: a crawl or a sitemap. It is not safe for concurrent
// use.
type Side struct {
	Location string // as given; for a folder, the file in it
	// Files is the number of sitemaps that could be opened, Faults the errors of all
	// sitemaps. Both are zero for a crawl.
	Files  int
	Faults []error

	crawl    *store.File
	owned    bool // Close closes the crawl
	list     *sorter
	recorded iter.Seq2[State, error] // of Recorded
	complete bool                    // a complete crawl of all pages, or a sitemap without errors

	listed          listedOrigin
	scheme, aligned string // as in http://, of Comparison.Align; mostly empty
}

// maxFaults is the number of errors after which Open gives up.
const maxFaults = 1000

// ErrNoCrawl means that a folder has no crawl file.
var ErrNoCrawl = errors.New("no crawl.sqlite in this folder")

// crawlName is the crawl file of a folder.
const crawlName = "crawl.sqlite"

// Open opens a crawl file, a folder with one, or anything that [source.Sitemaps] takes:
// a sitemap, an index, a URL, a site. A sitemap is
// read at once and sorted on disk if it is too large for memory. Errors of a sitemap are
// added to the faults of the side, and the rest is compared. Nil options are the
// defaults.
func Open(ctx context.Context, location string, options *source.Options) (*Side, error) {
	name, err := crawlFile(location)
	if err != nil {
		return nil, err
	}
	if name == "" {
		return openList(ctx, location, options)
	}
	file, err := store.OpenReader(name)
	if err != nil {
		return nil, err
	}
	side, err := Crawl(ctx, name, file)
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	side.owned = true
	return side, nil
}

// Crawl makes an open crawl file a side. Close leaves it open.
func Crawl(ctx context.Context, location string, file *store.File) (*Side, error) {
	summary, err := file.Summary(ctx)
	if err != nil {
		return nil, err
	}
	return &Side{
		Location: location,
		crawl:    file,
		complete: summary.Complete() && !file.Meta().OnlySeeds,
	}, nil
}

// crawlFile returns the name of the crawl file at a location, or "" without one.
func crawlFile(location string) (string, error) {
	info, err := os.Stat(location)
	switch {
	case err != nil:
		return "", nil
	case info.IsDir():
		name := filepath.Join(location, crawlName)
		if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("%s: %w", location, ErrNoCrawl)
		}
		return name, nil
	}
	if is, err := sqlite.IsDatabase(location); !is {
		return "", err
	}
	return location, nil
}

func (s *Side) isList() bool { return s.crawl == nil }

// states returns the states of all URLs in order, each once.
func (s *Side) states(ctx context.Context) iter.Seq2[*State, error] {
	if s.scheme != "" {
		return s.alignedStates(ctx)
	}
	return s.ownStates(ctx)
}

// ownStates is states with the URLs as they are.
func (s *Side) ownStates(ctx context.Context) iter.Seq2[*State, error] {
	if s.recorded != nil {
		return s.recordedStates()
	}
	if s.isList() {
		return s.list.states(ctx)
	}
	return func(yield func(*State, error) bool) {
		var last *State
		for page, err := range s.crawl.PagesByURL(ctx) {
			if err != nil {
				yield(nil, err)
				return
			}
			next := stateOf(page)
			switch {
			case last == nil:
			case next.URL == last.URL && (last.isPage || !next.isPage):
				continue
			case next.URL != last.URL && !yield(last, nil):
				return
			}
			last = next
		}
		if last != nil {
			yield(last, nil)
		}
	}
}

// Close closes the crawl file or removes temporary files.
func (s *Side) Close() error {
	switch {
	case s.list != nil:
		s.list.close()
	case s.owned:
		return s.crawl.Close()
	}
	return nil
}
