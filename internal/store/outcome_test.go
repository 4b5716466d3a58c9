package store

import (
	"slices"
	"testing"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/sitemap"
)

func TestOutcomes(t *testing.T) {
	f, _ := create(t)
	at := time.UnixMilli(1_700_000_000_000).UTC()
	day, err := sitemap.ParseDate("2026-01-02")
	if err != nil {
		t.Fatal(err)
	}
	commit := crawl.Commit{
		Found: []crawl.Link{
			{ID: 1, URL: "https://example.com/b"},
			{ID: 2, URL: "https://example.com/a", From: 1},
			{ID: 3, URL: "https://example.com/waits", From: 1},
			{ID: 4, URL: "https://example.com/Z", From: 1, Reason: crawl.ReasonExcluded, Detail: "^/Z"},
			{ID: 5, URL: "https://example.com/logo.png", From: 1, Role: crawl.RoleAsset},
		},
		Done: []crawl.Page{
			{ID: 1, Time: at, Status: 200, LastMod: day, Digest: 1<<63 + 5},
			{ID: 2, Time: at, Status: 301, Reason: crawl.ReasonRedirect, Target: 1},
			{ID: 5, Time: at, Status: 200, Reason: crawl.ReasonNotAPage},
		},
	}
	if err := f.Append(t.Context(), commit); err != nil {
		t.Fatal(err)
	}
	want := []crawl.Outcome{
		{ID: 4, URL: "https://example.com/Z", Reason: crawl.ReasonExcluded},
		{ID: 2, URL: "https://example.com/a", Fetched: true, Time: at, Status: 301, Reason: crawl.ReasonRedirect, Target: "https://example.com/b"},
		{ID: 1, URL: "https://example.com/b", Fetched: true, Time: at, Status: 200, LastMod: "2026-01-02", Digest: 1<<63 + 5},
		{ID: 3, URL: "https://example.com/waits"},
	}
	for _, finished := range []bool{false, true} {
		f = reopen(t, f, finished)
		var got []crawl.Outcome
		for o, err := range f.Outcomes(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, o)
		}
		if !slices.Equal(got, want) {
			t.Errorf("finished %t:\ngot  %+v\nwant %+v", finished, got, want)
		}
		if got[3].Waits() != true || got[0].Waits() || got[2].Waits() {
			t.Error("what waits is told wrongly")
		}
	}
	closeFile(t, f)
}
