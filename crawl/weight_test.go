package crawl

import (
	"strings"
	"testing"
	"testing/synctest"

	"github.com/mapatools/mapa/sitemap"
)

// TestUnsavedBytes lets workers wait while results of many bytes wait for the store,
// however few pages they are.
func TestUnsavedBytes(t *testing.T) {
	site, err := newSite(&Options{Start: "https://site.example/"})
	if err != nil {
		t.Fatal(err)
	}
	defer site.client.Close()
	long := strings.Repeat("z", 2000)
	for name, page := range map[string]*Page{
		"fragments": {Links: []Edge{{Fragment: long}}},
		"texts":     {Links: []Edge{{Text: long}}},
		"anchors":   {Anchors: make([]uint32, 500)},
		"shingles":  {Shingles: make([]uint32, 500)},
		"images":    {Extensions: &sitemap.Extensions{Images: []sitemap.Image{{Loc: long}}}},
		"versions":  {Extensions: &sitemap.Extensions{Alternates: []sitemap.Alternate{{Href: long}}}},
		"videos":    {Extensions: &sitemap.Extensions{Videos: []sitemap.Video{{ContentLoc: long}}}},
		"links":     nil,
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { testUnsavedBytes(t, newState(site), page, long) })
		})
	}
}

// testUnsavedBytes records the page, or without one a URL, until there is no room.
func testUnsavedBytes(t *testing.T, s *state, page *Page, address string) {
	c := &committer{state: s, store: &MemoryStore{}, batches: make(chan batch, 1)}
	s.mutex.Lock()
	s.queueLocked(item{id: 1, url: "https://site.example/"})
	s.recordLinkLocked(Link{ID: 1, URL: address})
	recorded := 0
	for ; s.fitsLocked(); recorded++ {
		if page == nil {
			s.recordLinkLocked(Link{ID: ID(recorded + 1), URL: address})
			continue
		}
		page.ID = ID(recorded + 1)
		s.finishPageLocked(new(item), page)
	}
	s.mutex.Unlock()
	if bytes := recorded * len(address); bytes < maxUnsavedBytes/2 || bytes > maxUnsavedBytes {
		t.Errorf("%d bytes wait, want at most %d", bytes, maxUnsavedBytes)
	}
	taken := false
	go func() { _, taken = s.takeItem(true) }()
	synctest.Wait()
	if taken {
		t.Error("a worker did not wait for the store")
	}
	c.flush(false)
	close(c.batches)
	c.write(func() {})
	synctest.Wait()
	if !taken {
		t.Errorf("the worker waits after the store has everything: %v", s.failed)
	}
}
