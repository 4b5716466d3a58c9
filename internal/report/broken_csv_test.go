package report_test

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/report"
)

// TestBrokenAnchorsOnce writes one row for all links of a page to one missing anchor,
// and a bounded number of rows for a page that links to thousands.
func TestBrokenAnchorsOnce(t *testing.T) {
	t.Parallel()
	few := []crawl.Edge{to(2, "gone", "first"), to(2, "gone", "again"), to(2, "lost", "other")}
	var many []crawl.Edge
	for i := range 5000 {
		many = append(many, to(2, fmt.Sprintf("gone-%d", i), "m"))
	}
	store := &crawl.MemoryStore{}
	commit := crawl.Commit{}
	for i, links := range [][]crawl.Edge{few, nil, many, few} {
		id := crawl.ID(i + 1)
		commit.Found = append(commit.Found, crawl.Link{ID: id, URL: fmt.Sprintf("https://site.example/%d", id)})
		page := *classListed("Page", links...)
		page.ID = id
		commit.Done = append(commit.Done, page)
	}
	if err := store.Append(t.Context(), commit); err != nil {
		t.Fatal(err)
	}
	broken, err := report.FindBrokenLinks(t.Context(), store)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	summary, err := report.WriteBrokenLinks(t.Context(), broken, &out, math.MaxInt64)
	if err != nil || summary.Anchors != 5006 {
		t.Errorf("%d links to missing anchors, want 5006; %v", summary.Anchors, err)
	}
	rows := strings.Split(strings.TrimSuffix(out.String(), "\r\n"), "\r\n")
	if want := 1 + 2 + 101 + 2; len(rows) != want {
		t.Fatalf("%d rows, want %d", len(rows), want)
	}
	for i, want := range map[int]string{
		1:   "https://site.example/2#gone,missing anchor,https://site.example/1,first",
		2:   "https://site.example/2#lost,missing anchor,https://site.example/1,other",
		3:   "https://site.example/2#gone-0,missing anchor,https://site.example/3,m",
		103: "https://site.example/2,4900 more links to missing anchors,https://site.example/3,",
		104: "https://site.example/2#gone,missing anchor,https://site.example/4,first",
	} {
		if rows[i] != want {
			t.Errorf("row %d is %q, want %q", i, rows[i], want)
		}
	}
}

// TestBrokenLinksLimit writes at most so many bytes of rows, and counts the other links.
func TestBrokenLinksLimit(t *testing.T) {
	t.Parallel()
	links := make([]crawl.Edge, 1000)
	for i := range links {
		links[i] = to(2, "", "text")
	}
	page, dead := *classListed("Page", links...), crawl.Page{ID: 2, Status: 404, Reason: crawl.ReasonClientError}
	page.ID = 1
	address := "https://site.example/" + strings.Repeat("z", 2000)
	store := &crawl.MemoryStore{}
	err := store.Append(t.Context(), crawl.Commit{
		Found: []crawl.Link{{ID: 1, URL: "https://site.example/"}, {ID: 2, URL: address}},
		Done:  []crawl.Page{page, dead},
	})
	if err != nil {
		t.Fatal(err)
	}
	broken, err := report.FindBrokenLinks(t.Context(), store)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	summary, err := report.WriteBrokenLinks(t.Context(), broken, &out, 20_000)
	if err != nil || summary.Links != 1000 || out.Len() < 20_000 || out.Len() > 23_000 {
		t.Errorf("%d links in %d bytes, %v", summary.Links, out.Len(), err)
	}
	if !strings.HasSuffix(out.String(), "\r\n,\"990 more broken links, not listed\",,\r\n") {
		t.Errorf("it ends with %q", out.String()[max(0, out.Len()-100):])
	}
}
