package publish

import (
	"cmp"
	"container/heap"
	"errors"
	"slices"

	"github.com/mapatools/mapa/sitemap"
)

// maxFeedItems is the number of pages in a feed.
const maxFeedItems = 50

// feeds writes RSS and Atom feeds of the pages with the newest lastmod. It leaves out
// pages without one.
type feeds struct {
	home    string
	folder  string   // URL of the folder of the feeds
	hubs    []string // of WebSub
	title   string   // of the home page, or its host
	newest  newest
	written []feed
}

type feed struct {
	files  *series
	format sitemap.Format
}

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
	case len(f.newest) < maxFeedItems:
		heap.Push(&f.newest, item)
	case isNewer(item, f.newest[0]):
		f.newest[0] = item
		heap.Fix(&f.newest, 0)
	}
	return nil
}

// feedItem returns the feed item of a page. The feed writer takes the title of an item
// from a news article.
func feedItem(p *Page) *sitemap.URL {
	u := &sitemap.URL{Loc: p.Loc, LastMod: p.LastMod}
	if p.Title != "" {
		u.News = []sitemap.News{{Title: p.Title}}
	}
	return u
}

func (f *feeds) prepare() error {
	slices.SortFunc(f.newest, func(a, b *sitemap.URL) int {
		if isNewer(a, b) {
			return -1
		}
		return 1
	})
	for _, written := range f.written {
		// An Atom feed must have a date (RFC 4287, 4.1.1). Without pages it has none.
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
	about := sitemap.Feed{Title: f.title, Link: f.home, Hubs: f.hubs}
	if len(f.hubs) > 0 {
		about.Self = f.folder + to.files.name(1)
	}
	w := sitemap.NewWriter(file, &sitemap.WriterOptions{Format: to.format, Feed: about})
	for _, item := range f.newest {
		var field *sitemap.FieldError
		if err := w.Write(item); err != nil && !errors.As(err, &field) {
			return errors.Join(err, file.Close())
		}
	}
	if err := w.Close(); err != nil {
		return errors.Join(err, file.Close())
	}
	return syncAndClose(file)
}

// newest is a heap with the oldest page on top.
type newest []*sitemap.URL

// isNewer reports whether a comes before b in a feed. Pages of the same time are ordered
// by URL, so that the order does not depend on the crawl.
func isNewer(a, b *sitemap.URL) bool {
	by := a.LastMod.Time().Compare(b.LastMod.Time())
	return cmp.Or(by, cmp.Compare(b.Loc, a.Loc)) > 0
}

func (n newest) Len() int           { return len(n) }
func (n newest) Less(i, j int) bool { return isNewer(n[j], n[i]) }
func (n newest) Swap(i, j int)      { n[i], n[j] = n[j], n[i] }
func (n *newest) Push(item any)     { *n = append(*n, item.(*sitemap.URL)) }

// Pop implements [heap.Interface]. Nothing calls it: the heap only grows.
func (n *newest) Pop() any {
	last := (*n)[len(*n)-1]
	*n = (*n)[:len(*n)-1]
	return last
}
