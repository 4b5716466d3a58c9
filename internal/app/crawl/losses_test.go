package crawl

import (
	"cmp"
	"path/filepath"
	"testing"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/store"
)

// TestStillOpen decides about a loss of an earlier crawl by what the next crawl found at its URL.
func TestStillOpen(t *testing.T) {
	const lost = "https://site.example/lost"
	for _, test := range []struct {
		name       string
		link       crawl.Link
		page       crawl.Page
		notCompare bool
		isOpen     bool
		kind       string // of the loss, if it is open
	}{
		{name: "listed again", page: crawl.Page{Status: 200}},
		{name: "moved", page: crawl.Page{Status: 301, Reason: crawl.ReasonRedirect, Target: 2}},
		{name: "redirect for now", page: crawl.Page{Status: 302, Reason: crawl.ReasonRedirect, Target: 2},
			isOpen: true, kind: "left-sitemap"},
		{name: "redirect to the start page", page: crawl.Page{Status: 301, Reason: crawl.ReasonRedirect, Target: 1},
			isOpen: true, kind: "left-sitemap"},
		{name: "removed", link: crawl.Link{SeededBy: crawl.SeedEarlier},
			page: crawl.Page{Status: 404, Reason: crawl.ReasonClientError}},
		{name: "not found and linked", page: crawl.Page{Status: 404, Reason: crawl.ReasonClientError},
			isOpen: true, kind: "newly-broken"},
		{name: "server error", page: crawl.Page{Status: 500, Reason: crawl.ReasonServerError}, isOpen: true,
			kind: "newly-broken"},
		{name: "excluded", link: crawl.Link{Reason: crawl.ReasonExcluded}},
		{name: "excluded and not compared", link: crawl.Link{Reason: crawl.ReasonExcluded}, notCompare: true,
			isOpen: true, kind: "left-sitemap"},
		{name: "still noindex", page: crawl.Page{Status: 200, Reason: crawl.ReasonNoIndex}, isOpen: true,
			kind: "left-sitemap"},
		{name: "unknown", link: crawl.Link{URL: "https://site.example/other"}, page: crawl.Page{Status: 200},
			isOpen: true, kind: "left-sitemap"},
	} {
		t.Run(test.name, func(t *testing.T) {
			name := filepath.Join(t.TempDir(), "crawl.sqlite")
			file, err := store.Create(name, crawl.Meta{Start: "https://site.example/", Options: "{}"})
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			link, page := test.link, test.page
			link.ID, page.ID = 3, 3
			link.URL = cmp.Or(link.URL, lost)
			html := crawl.Page{Status: 200, MediaType: "text/html", Time: time.UnixMilli(1)}
			home, other := html, html
			home.ID, other.ID = 1, 2
			commit := crawl.Commit{Found: []crawl.Link{
				{ID: 1, URL: "https://site.example/", SeededBy: crawl.SeedStart},
				{ID: 2, URL: "https://site.example/new", From: 1}, link,
			}, Done: []crawl.Page{home, other}}
			if link.SeededBy != 0 {
				commit.Seeds = []crawl.Link{{ID: link.ID, SeededBy: link.SeededBy}}
			}
			if link.Reason == "" {
				page.MediaType, page.Time = html.MediaType, html.Time
				commit.Done = append(commit.Done, page)
			}
			if err := cmp.Or(file.Append(t.Context(), commit), file.Finish(t.Context())); err != nil {
				t.Fatal(err)
			}
			loss := &store.Loss{URL: lost, Kind: "left-sitemap", Decision: "noindex", Status: 200}
			isOpen, err := stillOpen(file, loss, !test.notCompare)
			if err != nil || isOpen != test.isOpen || isOpen && loss.Kind != test.kind {
				t.Errorf("open %v, %+v, %v", isOpen, loss, err)
			}
		})
	}
}
