package storetest

import (
	"cmp"
	"testing"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/crawl/render"
	"github.com/mapatools/mapa/sitemap"
)

func testPages(t *testing.T, s Store) {
	want := sampleRecords()
	for i := range want {
		want[i].Page.Links, want[i].Page.Anchors, want[i].Page.Shingles = nil, nil, nil
	}
	equal(t, "pages", collect(t, s.Pages(t.Context())), want)
}

func testPagesByReason(t *testing.T, s Store) {
	for _, test := range []struct {
		reasons []crawl.Reason
		want    []crawl.ID
	}{
		{[]crawl.Reason{crawl.ReasonListed}, []crawl.ID{1, 2}}, // none that waits
		{[]crawl.Reason{crawl.ReasonExcluded, crawl.ReasonClientError}, []crawl.ID{3, 5}},
		{[]crawl.Reason{crawl.ReasonRobots}, nil},
	} {
		var got []crawl.ID
		for _, record := range collect(t, s.Pages(t.Context(), test.reasons...)) {
			got = append(got, record.Link.ID)
		}
		equal(t, "pages by reason", got, test.want)
	}
}

func testPage(t *testing.T, s Store) {
	for _, want := range sampleRecords() {
		got, ok, err := s.Page(want.Link.ID)
		if err != nil || !ok {
			t.Fatalf("page %d is there: %t, error %v", want.Link.ID, ok, err)
		}
		equal(t, "page by ID", got, want)
		got, ok, err = s.PageByURL(want.Link.URL)
		if err != nil || !ok {
			t.Fatalf("%s is there: %t, error %v", want.Link.URL, ok, err)
		}
		equal(t, "page by URL", got, want)
	}
	for _, id := range []crawl.ID{-1, 0, 8} {
		if _, ok, err := s.Page(id); ok || err != nil {
			t.Errorf("page %d is there: %t, error %v", id, ok, err)
		}
	}
	for _, url := range []string{"", "https://example.com/nowhere"} {
		if _, ok, err := s.PageByURL(url); ok || err != nil {
			t.Errorf("page %q is there: %t, error %v", url, ok, err)
		}
	}
}

func testLink(t *testing.T, s Store) {
	for _, want := range sampleRecords() {
		got, err := s.Link(want.Link.ID)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "link", got, want.Link)
	}
	for _, id := range []crawl.ID{-1, 0, 8} {
		if link, err := s.Link(id); err == nil {
			t.Errorf("link %d is %+v", id, link)
		}
	}
}

func testSummary(t *testing.T, s Store) {
	tooMany, deep := crawl.TrapLinks.Detail(), crawl.TrapSegments.Detail()
	err := s.Append(t.Context(), crawl.Commit{
		Found: []crawl.Link{
			{ID: 8, URL: "https://example.com/deep", Reason: crawl.ReasonTrap, Detail: deep},
			{ID: 9, URL: "https://example.com/deeper"},
			{ID: 10, URL: "https://example.com/last", Reason: crawl.ReasonTrap, Detail: tooMany},
			{ID: 11, URL: "https://example.com/closed"},
			{ID: 12, URL: "https://elsewhere.example/gone", Role: crawl.RoleExternal},
			{ID: 13, URL: "https://example.com/blog/"},
		},
		Done: []crawl.Page{
			{ID: 9, Status: 200, Reason: crawl.ReasonTrap, Detail: deep, MediaType: "text/html"},
			{ID: 11, Reason: crawl.ReasonRobots, Detail: crawl.NewDetail(crawl.DetailDisallowed, "2", "Disallow: /closed")},
			{ID: 12, Status: 404, Reason: crawl.ReasonClientError},
			{ID: 13, Status: 200, MediaType: "text/html",
				Conflict: crawl.DetailLinkElement.BackFrom("https://example.com/blog")},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	summary, err := s.Summary(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "summary", summary, crawl.Summary{
		Rendered: 2, NotRendered: 1, RenderTime: 1234 * time.Millisecond,
		RenderReasons: map[render.Reason]int64{render.ReasonRoot: 1, render.ReasonNoText: 1},
		Reasons: map[crawl.Reason]int64{
			crawl.ReasonListed: 3, crawl.ReasonClientError: 2, crawl.ReasonRedirect: 1, crawl.ReasonExcluded: 1,
			crawl.ReasonTrap: 3, crawl.ReasonRobots: 1,
		},
		Waiting: 2, Pages: 6, Documents: map[crawl.DocumentKind]int64{crawl.DocumentPDF: 1},
		Traps: map[crawl.Detail]int64{deep: 2, tooMany: 1}, SessionLinks: 2, Returning: 1,
	})
	if summary.Listed() != 3 || summary.Broken() != 2 {
		t.Errorf("%d listed, %d broken", summary.Listed(), summary.Broken())
	}
}

func testListed(t *testing.T, s Store) {
	start := sampleRecords()[0]
	var got []*sitemap.URL
	for _, page := range collect(t, s.Listed(t.Context())) {
		if got = append(got, page.URL()); page.Link.ID != crawl.ID(len(got)) || len(got) == 1 && page.Page.Title != "Start" {
			t.Errorf("page %d of the sitemap has ID %d and title %q", len(got), page.Link.ID, page.Page.Title)
		}
	}
	equal(t, "listed", got, []*sitemap.URL{
		{Loc: "https://example.com/", LastMod: date("2026-03"), Extensions: *start.Page.Extensions},
		{Loc: "https://example.com/add", LastMod: date("2026-01-02T03:04:05+02:00")},
	})
	appendUnsorted(t, s)
	var urls []string
	for _, page := range collect(t, s.Listed(t.Context())) {
		urls = append(urls, page.Link.URL)
	}
	equal(t, "listed URLs", urls, []string{
		"https://example.com/", "https://example.com/B", "https://example.com/add", "https://example.com/b",
		"https://example.com/\u00e4",
	})
}

// appendUnsorted appends listed pages whose URLs are not in the order of the IDs.
func appendUnsorted(t *testing.T, s Store) {
	t.Helper()
	var commit crawl.Commit
	for i, path := range []string{"b", "\u00e4", "B"} {
		id := crawl.ID(8 + i)
		commit.Found = append(commit.Found, crawl.Link{ID: id, URL: "https://example.com/" + path})
		commit.Done = append(commit.Done, crawl.Page{ID: id, Status: 200})
	}
	if err := s.Append(t.Context(), commit); err != nil {
		t.Fatal(err)
	}
}

func testLookup(t *testing.T, s Store) {
	records := sampleRecords()
	want := records[0].Page
	got := make(chan crawl.Page)
	for range 4 { // at once
		go func() {
			previous, _, _ := s.Lookup("https://example.com/")
			got <- previous
		}()
	}
	for range 4 {
		equal(t, "previous page", <-got, want)
	}
	for _, record := range records {
		id, want := record.Link.ID, cmp.Or(record.Link.RequestedURL, record.Link.URL)
		if url, err := s.URL(id); err != nil || url != want {
			t.Errorf("URL %d is %q, want %q; %v", id, url, want, err)
		}
		if record.Page.Target == 0 {
			continue
		}
		target := records[record.Page.Target-1].Link.URL
		if _, to, ok := s.Lookup(record.Link.URL); !ok || to != target {
			t.Errorf("%s leads to %q, want %q", record.Link.URL, to, target)
		}
	}
	for _, url := range []string{"https://example.com/waiting", "https://example.com/private", "", "x"} {
		if _, _, ok := s.Lookup(url); ok {
			t.Errorf("%q was not fetched and is found", url)
		}
	}
	if url, err := s.URL(crawl.ID(len(records) + 1)); err == nil {
		t.Errorf("a URL that no link led to is %q", url)
	}
}

func testEmpty(t *testing.T, b *Backend) {
	s := b.start(t)
	ctx := t.Context()
	equal(t, "pages", collect(t, s.Pages(ctx)), nil)
	equal(t, "listed", collect(t, s.Listed(ctx)), nil)
	summary, err := s.Summary(ctx)
	if err != nil || summary.Waiting != 0 || len(summary.Reasons) != 0 || !summary.Complete() {
		t.Errorf("summary %+v, error %v", summary, err)
	}
	if _, _, ok := s.Lookup("https://example.com/"); ok {
		t.Error("an empty crawl has a page")
	}
	if links, pages := replay(t, s); len(links)+len(pages) > 0 {
		t.Errorf("%d links and %d pages are replayed", len(links), len(pages))
	}
}
