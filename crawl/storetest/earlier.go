package storetest

import (
	"testing"

	"github.com/mapatools/mapa/crawl"
)

// testEarlier adds URLs that only an earlier crawl names: one that is gone, one that answers, and one that waits.
func testEarlier(t *testing.T, b *Backend) {
	s := b.start(t, Sample()...)
	before, err := s.Summary(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s.append(crawl.Commit{
		Found: []crawl.Link{
			{ID: 8, URL: "https://example.com/gone"}, {ID: 9, URL: "https://example.com/alone"},
			{ID: 10, URL: "https://example.com/unknown"}, {ID: 11, URL: "https://example.com/links"},
		},
		Seeds: []crawl.Link{{ID: 8, SeededBy: crawl.SeedEarlier}, {ID: 9, SeededBy: crawl.SeedEarlier},
			{ID: 10, SeededBy: crawl.SeedEarlier}},
		Done: []crawl.Page{
			{ID: 8, Status: 404, Reason: crawl.ReasonClientError},
			{ID: 9, Status: 200, Reason: crawl.ReasonUnlinked, MediaType: "text/html"},
			{ID: 11, Status: 200, MediaType: "text/html", Links: []crawl.Edge{{To: 1, Kind: crawl.EdgeAnchor}}},
		},
	})
	before.Reasons[crawl.ReasonUnlinked] = 1
	before.Reasons[crawl.ReasonListed]++
	before.Pages++
	for range 2 {
		summary, err := s.Summary(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "summary", summary, before)
		for _, record := range collect(t, s.Pages(t.Context())) {
			if link := &record.Link; link.OnlyEarlier() != (8 <= link.ID && link.ID <= 10) {
				t.Errorf("%s: only earlier is %t", link.URL, link.OnlyEarlier())
			}
		}
		equal(t, "URLs to ask", collect(t, s.URLsToAsk(t.Context())),
			[]string{"https://example.com/", "https://example.com/add", "https://example.com/links"})
		replayed := map[crawl.ID]bool{}
		err = s.Replay(t.Context(), func(commit crawl.Commit) error {
			for i := range commit.Found {
				replayed[commit.Found[i].ID] = commit.Found[i].OnlyEarlier()
			}
			return nil
		})
		if err != nil || replayed[7] || !replayed[8] || !replayed[9] || !replayed[10] || replayed[11] {
			t.Errorf("only an earlier crawl names %v, %v", replayed, err)
		}
		s.reopen()
	}
}
