package store

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/sitemap"
)

// site is an invented crawl: the number of a commit, from 0, determines its content.
type site struct {
	pages int // done in a commit
	links int // of a page
}

func (s site) id(commit, page int) crawl.ID { return crawl.ID(commit*s.pages + page + 1) }

func (s site) link(id crawl.ID) crawl.Link {
	return crawl.Link{
		ID: id, URL: fmt.Sprintf("https://example.com/section-%d/page-%d.html", id%100, id),
		From: id / 2, Depth: 3,
	}
}

func (s site) page(id crawl.ID) crawl.Page {
	p := crawl.Page{
		ID: id, Time: time.UnixMilli(1_700_000_000_000 + int64(id)).UTC(), Status: 200,
		MediaType: "text/html", Size: 15_000 + int64(id%1000), Transferred: 4_000,
		Duration: 12_345 * time.Microsecond, Digest: uint64(id) * 0x9e3779b97f4a7c15,
	}
	switch id % 50 {
	case 7:
		p.Status, p.Reason, p.Digest = 404, crawl.ReasonClientError, 0
	case 9:
		p.Status, p.Reason, p.Target = 301, crawl.ReasonRedirect, 1
	}
	for i := range s.links {
		e := crawl.Edge{To: max(1, id-crawl.ID(7*i)), Kind: crawl.EdgeAnchor, Text: "Section of the manual"}
		if i%13 == 5 {
			e.Fragment = "top"
		}
		p.Links = append(p.Links, e)
	}
	if s.links > 0 {
		p.Title = "A page of the manual"
		p.LastMod, p.LastModSource = sitemap.DateOf(p.Time), "header"
		p.Anchors = []uint32{1, 77, 1 << 31}
	}
	return p
}

// commit returns a commit that finds its own pages and has them done.
func (s site) commit(number int) crawl.Commit {
	var c crawl.Commit
	for i := range s.pages {
		id := s.id(number, i)
		c.Found = append(c.Found, s.link(id))
		c.Done = append(c.Done, s.page(id))
	}
	return c
}

func create(t testing.TB) (*File, string) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "crawl.sqlite")
	f, err := Create(name, crawl.Meta{Start: "https://example.com/", Options: "depth 3", Program: "1.2.3"})
	if err != nil {
		t.Fatal(err)
	}
	return f, name
}

func reopen(t testing.TB, f *File, finished bool) *File {
	t.Helper()
	if finished {
		if err := f.Finish(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := Open(f.db.Name())
	if err != nil {
		t.Fatal(err)
	}
	return again
}

func closeFile(t testing.TB, f *File) {
	t.Helper()
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}
