package crawl

import (
	"cmp"
	"context"
)

// A MemoryStore is a [Store] and a [Memory] that keeps a crawl in memory, for
// small sites. The zero value is empty.
type MemoryStore struct {
	links []Link
	pages map[ID]Page
	byURL map[string]ID

	finished bool
}

// Replay implements [Store].
func (m *MemoryStore) Replay(_ context.Context, each func(Commit) error) error {
	if len(m.links) == 0 {
		return nil
	}
	commit := Commit{Found: m.links}
	for _, link := range m.links {
		if page, ok := m.pages[link.ID]; ok {
			commit.Done = append(commit.Done, page)
		}
	}
	return each(commit)
}

// Append implements [Store].
func (m *MemoryStore) Append(_ context.Context, c Commit) error {
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
	for _, naming := range c.Seeds {
		m.links[naming.ID-1].SeededBy |= naming.Source
	}
	for _, page := range c.Done {
		m.pages[page.ID] = page
	}
	return nil
}

// Finish implements [Store].
func (m *MemoryStore) Finish(context.Context) error {
	m.finished = true
	return nil
}

// Close does nothing: the store can still be used.
func (m *MemoryStore) Close() error { return nil }

// Each calls f for every address met, with what became of it, or nil.
func (m *MemoryStore) Each(f func(Link, *Page)) {
	for _, link := range m.links {
		if page, ok := m.pages[link.ID]; ok {
			f(link, &page)
			continue
		}
		f(link, nil)
	}
}

// address is what the site linked to.
func (l *Link) address() string { return cmp.Or(l.Asked, l.URL) }

// Lookup implements [Memory].
func (m *MemoryStore) Lookup(url string) (PreviousPage, bool) {
	page, ok := m.pages[m.byURL[url]]
	if !ok {
		return PreviousPage{}, false
	}
	remembered := PreviousPage{Page: page}
	for _, edge := range page.Links {
		remembered.Links = append(remembered.Links, PreviousLink{m.links[edge.To-1].address(), edge})
	}
	if page.Target > 0 {
		remembered.TargetURL = m.links[page.Target-1].URL
	}
	return remembered, true
}
