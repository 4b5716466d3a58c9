package crawl

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
)

var (
	_ Store    = (*MemoryStore)(nil)
	_ Previous = (*MemoryStore)(nil)
)

// MemoryStore is a [Store] and a [Previous] that keeps a crawl in memory, some kilobytes for
// each page, and reads what was found. The zero value is an empty crawl. Its methods are called by
// one goroutine at a time, but for those of Previous, and while one of its iterators runs nothing
// may be appended. An iterator ends with its first error, which is that of ctx when ctx has ended.
type MemoryStore struct {
	links    []Link // by ID, from 1
	pages    map[ID]Page
	byURL    map[string]ID
	finished bool
}

// NewMemoryStore returns an empty store.
func NewMemoryStore() *MemoryStore { return &MemoryStore{} }

// Replay implements [Store].
func (m *MemoryStore) Replay(ctx context.Context, each func(Commit) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if len(m.links) == 0 {
		return nil
	}
	commit := Commit{Found: slices.Clone(m.links)}
	for _, link := range m.links {
		if page, ok := m.pages[link.ID]; ok {
			commit.Done = append(commit.Done, page)
		}
	}
	return each(commit)
}

// Append implements [Store].
func (m *MemoryStore) Append(ctx context.Context, c Commit) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := m.checkLinks(c.Done); err != nil {
		return err
	}
	m.finished = false
	if m.pages == nil {
		m.pages, m.byURL = map[ID]Page{}, map[string]ID{}
	}
	for _, link := range c.Found {
		m.byURL[link.URL] = link.ID
		if int(link.ID) <= len(m.links) {
			link.SeededBy = m.links[link.ID-1].SeededBy
			m.links[link.ID-1] = link
			continue
		}
		m.links = append(m.links, link)
	}
	for _, mark := range c.Seeds {
		m.links[mark.ID-1].SeededBy |= mark.SeededBy
	}
	for _, page := range c.Done {
		if !page.hasLinks() {
			before := m.pages[page.ID]
			page.Links, page.Anchors, page.Shingles = before.Links, before.Anchors, before.Shingles
		}
		m.pages[page.ID] = page
	}
	return nil
}

// checkLinks refuses links of a page that has some.
func (m *MemoryStore) checkLinks(done []Page) error {
	given := map[ID]bool{}
	for i := range done {
		page := &done[i]
		if !page.hasLinks() {
			continue
		}
		if before := m.pages[page.ID]; given[page.ID] || before.hasLinks() {
			return fmt.Errorf("page %d has links already", page.ID)
		}
		given[page.ID] = true
	}
	return nil
}

func (p *Page) hasLinks() bool { return len(p.Links)+len(p.Anchors)+len(p.Shingles) > 0 }

// Finish implements [Store].
func (m *MemoryStore) Finish(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.finished = true
	return nil
}

// Close does nothing: the store can still be used.
func (m *MemoryStore) Close() error { return nil }

// Each calls f for every URL found, with the result of its fetch, or nil.
func (m *MemoryStore) Each(f func(Link, *Page)) {
	for _, link := range m.links {
		if page, ok := m.pages[link.ID]; ok {
			f(link, &page)
			continue
		}
		f(link, nil)
	}
}

// asked returns the URL that the site linked to.
func (l *Link) asked() string { return cmp.Or(l.RequestedURL, l.URL) }

// Lookup implements [Previous].
func (m *MemoryStore) Lookup(url string) (page Page, target string, ok bool) {
	id := m.byURL[url]
	page, ok = m.pages[id]
	if !ok || m.links[id-1].OnlyEarlier() { // without its links
		return Page{}, "", false
	}
	if page.Target > 0 {
		target = m.links[page.Target-1].URL
	}
	return page, target, true
}

// URLsToAsk implements [Previous].
func (m *MemoryStore) URLsToAsk(ctx context.Context) iter.Seq2[string, error] {
	linked := map[ID]bool{}
	for from, page := range m.pages {
		for _, edge := range page.Links {
			linked[edge.To] = linked[edge.To] || edge.To != from
		}
	}
	return memorySequence(ctx, m.links, func(link *Link, yield func(string) bool) bool {
		page, fetched := m.pages[link.ID]
		isGiven := link.SeededBy&(SeedList|SeedLog) != 0 && !linked[link.ID]
		return !fetched || page.Reason != ReasonListed || isGiven || yield(link.URL)
	})
}

// URL implements [Previous].
func (m *MemoryStore) URL(id ID) (string, error) {
	if id < 1 || int(id) > len(m.links) {
		return "", fmt.Errorf("URL %d is unknown", id)
	}
	return m.links[id-1].asked(), nil
}
