package publish

import (
	"cmp"
	"container/heap"
	"errors"
	"slices"

	"github.com/mapatools/mapa/sitemap"
)

// mostNewest is how many pages a feed has.
const mostNewest = 50

// Feeds write RSS and Atom of the pages that changed last. A page without a
// lastmod is in none of them: nobody knows whether it is new.
type feeds struct {
	home    string
	title   string // of the home page, or its host
	newest  newest
	written []feed
}

type feed struct {
	files  *series
	format sitemap.Format
}

func newFeeds(home, host string) *feeds { return &feeds{home: home, title: host} }

func (f *feeds) add(files *series, format sitemap.Format) {
	f.written = append(f.written, feed{files, format})
}

func (f *feeds) write(p *Page) error {
	if p.Loc == f.home && p.Title != "" {
		f.title = p.Title
	}
	if p.LastMod.IsZero() {
		return nil
	}
	item := feedItem(p)
	switch {
	case len(f.newest) < mostNewest:
		heap.Push(&f.newest, item)
	case later(item, f.newest[0]):
		f.newest[0] = item
		heap.Fix(&f.newest, 0)
	}
	return nil
}

// feedItem returns what a feed says of a page. The feed's writer takes the title
// of an entry from its article, so the page is one here.
func feedItem(p *Page) *sitemap.URL {
	u := &sitemap.URL{Loc: p.Loc, LastMod: p.LastMod}
	if p.Title != "" {
		u.News = []sitemap.News{{Title: p.Title}}
	}
	return u
}

func (f *feeds) prepare() error {
	slices.SortFunc(f.newest, func(a, b *sitemap.URL) int {
		if later(a, b) {
			return -1
		}
		return 1
	})
	for _, written := range f.written {
		// An Atom feed must have a date (RFC 4287, 4.1.1), and without pages has none.
		if written.format == sitemap.FormatAtom && len(f.newest) == 0 {
			continue
		}
		if err := f.writeFeed(written); err != nil {
			return err
		}
	}
	return nil
}

func (f *feeds) writeFeed(to feed) error {
	file, err := to.files.create()
	if err != nil {
		return err
	}
	w, err := sitemap.NewWriter(file, &sitemap.WriterOptions{Format: to.format, Feed: sitemap.Feed{Title: f.title, Link: f.home}})
	if err != nil {
		return errors.Join(err, file.Close())
	}
	for _, item := range f.newest {
		var field *sitemap.FieldError
		if err := w.Write(item); err != nil && !errors.As(err, &field) {
			return errors.Join(err, file.Close())
		}
	}
	if err := w.Close(); err != nil {
		return errors.Join(err, file.Close())
	}
	return settle(file)
}

// newest is a heap whose root is the oldest.
type newest []*sitemap.URL

// later reports whether a comes before b in a feed; of one time, the order is that
// of the addresses, so that it does not hang on which was met first.
func later(a, b *sitemap.URL) bool {
	by := a.LastMod.Time().Compare(b.LastMod.Time())
	return cmp.Or(by, cmp.Compare(b.Loc, a.Loc)) > 0
}

func (n newest) Len() int           { return len(n) }
func (n newest) Less(i, j int) bool { return later(n[j], n[i]) }
func (n newest) Swap(i, j int)      { n[i], n[j] = n[j], n[i] }
func (n *newest) Push(item any)     { *n = append(*n, item.(*sitemap.URL)) }

// Pop is there for the interface: the heap only grows and is sorted at its end.
func (n *newest) Pop() any {
	last := (*n)[len(*n)-1]
	*n = (*n)[:len(*n)-1]
	return last
}
