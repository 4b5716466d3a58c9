package figures

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/page"
	"github.com/mapatools/mapa/internal/store"
	"github.com/mapatools/mapa/internal/urlnorm"
)

// crawlOf returns the crawl of some URLs.
func crawlOf(t *testing.T, urls ...string) *store.File {
	t.Helper()
	file, err := store.Create(filepath.Join(t.TempDir(), "crawl.sqlite"), crawl.Meta{Start: "https://example.com/"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := file.Close(); err != nil {
			t.Error(err)
		}
	})
	var c crawl.Commit
	for i, url := range urls {
		id := crawl.ID(i + 1)
		c.Found = append(c.Found, crawl.Link{ID: id, URL: url})
		c.Done = append(c.Done, crawl.Page{ID: id, Status: 200, MediaType: "text/html"})
	}
	if err := file.Append(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	return file
}

// joined returns the figures of the pages of a crawl, by their URLs.
func joined(t *testing.T, f *File, crawled *store.File, site *Site) (map[string]page.Figures, *About) {
	t.Helper()
	about, err := f.Join(t.Context(), crawled, site, []string{"2026-10-02"})
	if err != nil {
		t.Fatal(err)
	}
	var stored *About
	if err := crawled.ReadFigures(&stored); err != nil {
		t.Fatal(err)
	}
	equal(t, "exports in the crawl file", len(stored.Exports), len(about.Exports))
	found := map[string]page.Figures{}
	for p, err := range crawled.ReadPages(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		found[p.Link.URL] = p.Figures
	}
	return found, about
}

// TestJoin adds up the spellings of a page, and says which rows are of no page.
func TestJoin(t *testing.T) {
	f := open(t)
	search := "Top pages,Clicks,Impressions,CTR,Position\nhttps://example.com/a?x=1&y=2,1,100,1%,2\n" +
		"https://example.com/a?y=2&x=1&utm_source=mail,2,300,1%,6\nhttps://example.com/gone,9,9,100%,1\n"
	chart := "Date,Clicks,Impressions,CTR,Position\n2026-08-01,1,1,1%,1\n2026-10-31,1,1,1%,1"
	table := "URL,Last crawled\nhttps://example.com/b,2026-09-03\n"
	metadata := "Property,Value\nSitemap,All known pages\nIssue,Crawled - currently not indexed"
	owners := folderOf(t, map[string]string{"owners.csv": "url,owner\n/b,Ana\n/c,Bob\n/d,Eve\n/e,Eve\n/f,Eve"})
	_, err := f.Read(t.Context(), []string{
		folderOf(t, map[string]string{"P.csv": search, "C.csv": chart}),
		folderOf(t, map[string]string{"T.csv": table, "M.csv": metadata}),
		filepath.Join(owners, "owners.csv"),
	}, site, today)
	if err != nil {
		t.Fatal(err)
	}
	crawled := crawlOf(t, "https://example.com/", "https://example.com/a?x=1&y=2", "https://example.com/b")
	found, about := joined(t, f, crawled, site)
	equal(t, "the start", found["https://example.com/"], page.Figures{})
	equal(t, "a", found["https://example.com/a?x=1&y=2"], page.Figures{Google: page.Search{
		Known: true, Clicks: 3, Impressions: 400, Position: 5000, Period: "2026-08-01/2026-10-31",
	}})
	equal(t, "b", found["https://example.com/b"], page.Figures{
		Index: page.IndexNo, IndexReason: "crawled", IndexDate: "2026-11-18", EngineCrawl: "2026-09-03",
		Joined: map[string]string{"owner": "Ana"},
	})
	matches := map[Kind]string{}
	for _, e := range about.Exports {
		matches[e.Kind] = strings.Join(e.Unmatched, " ")
		equal(t, string(e.Kind)+" matched", e.Matched, map[Kind]int{KindSearch: 2, KindReason: 1, KindTable: 1}[e.Kind])
	}
	equal(t, "unmatched", matches, map[Kind]string{KindSearch: "https://example.com/gone", KindReason: "",
		KindTable: "https://example.com/c https://example.com/d https://example.com/e"})
	equal(t, "columns", about.Columns(), []string{"owner"})
	equal(t, "submitted", about.Submitted, []string{"2026-10-02"})

	again, _ := joined(t, f, crawled, site) // the same figures, also from a page that was read before
	equal(t, "again", again, found)
	strip := []string{"x"}
	other := &Site{Start: site.Start, Key: site.Key, Strip: strip}
	other.Key.Strip = urlnorm.PageParameters(strip...)
	crawled = crawlOf(t, "https://example.com/a?y=2")
	found, _ = joined(t, f, crawled, other)
	equal(t, "with another ignored parameter", found["https://example.com/a?y=2"].Google.Clicks, 3)
}

// TestReasons takes the newest of several reasons, and none where none is named.
func TestReasons(t *testing.T) {
	f := open(t)
	export := func(issue, last string) string {
		files := map[string]string{"T.csv": "URL,Last crawled\nhttps://example.com/,2026-09-03"}
		if issue != "-" {
			files["M.csv"], files["C.csv"] = "Property,Value\nSitemap,All known pages"+issue, "Date,Affected pages\n"+last+",1"
		}
		return folderOf(t, files)
	}
	for _, test := range []struct{ issue, last, state, reason string }{
		{"-", "", "", ""},
		{"\nIssue,Soft 404", "2026-10-01", page.IndexNo, "soft-404"},
		{"\nIssue,Not found (404)", "2026-09-01", page.IndexNo, "soft-404"},
		{"", "2026-10-02", page.IndexYes, ""},
		{"\nIssue,\"Indexed, though blocked by robots.txt\"", "2026-10-03", page.IndexYes, "indexed-though-blocked"},
	} {
		if _, err := f.Read(t.Context(), []string{export(test.issue, test.last)}, site, today); err != nil {
			t.Fatal(err)
		}
		found, _ := joined(t, f, crawlOf(t, "https://example.com/"), site)
		got := found["https://example.com/"]
		equal(t, test.issue, []string{got.Index, got.IndexReason, got.EngineCrawl},
			[]string{test.state, test.reason, "2026-09-03"})
	}
}

// TestCovered says nothing of pages that an export does not cover.
func TestCovered(t *testing.T) {
	crawled := today
	whole := Export{
		Covers: []string{"https://example.com/blog/"}, Since: "2026-08-01", Until: "2026-10-31", Unfiltered: true,
	}
	change := func(by func(*Export)) *Export {
		e := whole
		by(&e)
		return &e
	}
	for _, test := range []struct {
		export *Export
		url    string
		want   bool
	}{
		{&whole, "https://example.com/blog/a", true}, {&whole, "https://example.com/shop", false},
		{&whole, "http://example.com/blog/a", false},
		{change(func(e *Export) { e.Cut = true }), "https://example.com/blog/a", false},
		{change(func(e *Export) { e.Unfiltered = false }), "https://example.com/blog/a", false},
		{change(func(e *Export) { e.Since = "2026-10-30" }), "https://example.com/blog/a", false},
		{change(func(e *Export) { e.Since = "" }), "https://example.com/blog/a", false},
		{change(func(e *Export) { e.Since, e.Until = "2019-01-01", "2019-03-31" }), "https://example.com/blog/a", false},
	} {
		if got := test.export.IsCovered(test.url, crawled); got != test.want {
			t.Errorf("%+v covers %s: %t", test.export, test.url, got)
		}
	}
	var c coverage
	for _, url := range []string{"https://a.example/x/y/z", "https://a.example/x/yy", "https://b.example/x?q=/a/"} {
		c.add(url)
	}
	equal(t, "folders", c.list(), []string{"https://a.example/x/", "https://b.example/"})
	for i := range maxOrigins {
		c.add("https://" + strings.Repeat("a", i+2) + ".example/")
	}
	equal(t, "many origins", len(c.list()), 0)
}

// TestFilters refuses exports with a part of the searches, and takes those with a part of the pages.
func TestFilters(t *testing.T) {
	const web = "Search type,Web\nDate,Last 3 months\n"
	for filter, want := range map[string]string{
		web: "", "Tipo de búsqueda,Web\nFecha,Últimos 3 meses": "", web + "Page,+/blog/": "Page: +/blog/",
		"Search type,Image": "refused", web + "País,España": "refused", web + "Query,+shoes": "refused",
		"Tipo de búsqueda,Imagen": "refused", "Hakutyyppi,Verkko\nPäivämäärä,Viimeiset 3 kuukautta": "unknown",
	} {
		f := open(t)
		exports, err := f.Read(t.Context(), []string{
			folderOf(t, map[string]string{"P.csv": pagesCSV, "F.csv": "Filter,Value\n" + filter}),
		}, site, today)
		var refused *FilterError
		switch {
		case errors.As(err, &refused) != (want == "refused"):
			t.Errorf("%q: %v", filter, err)
		case err != nil:
		case exports[0].Filtered != strings.TrimPrefix(want, "unknown") || exports[0].Unfiltered != (want == ""):
			t.Errorf("%q: %+v", filter, exports[0])
		}
	}
}

// TestProperties keeps the searches of two properties of a site, and drops a reason that has no page any more.
func TestProperties(t *testing.T) {
	f := open(t)
	read := func(files map[string]string) {
		t.Helper()
		if _, err := f.Read(t.Context(), []string{folderOf(t, files)}, site, today); err != nil {
			t.Fatal(err)
		}
	}
	pages := func(host, clicks string) map[string]string {
		const heading = "Top pages,Clicks,Impressions,CTR,Position\nhttps://"
		return map[string]string{"P.csv": heading + host + "/," + clicks + ",100,1%,2"}
	}
	crawled := crawlOf(t, "https://example.com/", "https://www.example.com/")
	read(pages("example.com", "1"))
	read(pages("www.example.com", "2"))
	read(pages("example.com", "3"))
	found, _ := joined(t, f, crawled, site)
	equal(t, "clicks of one", found["https://example.com/"].Google.Clicks, 3)
	equal(t, "clicks of the other", found["https://www.example.com/"].Google.Clicks, 2)
	equal(t, "period", found["https://example.com/"].Google.Period, "../2026-11-18")

	reason := map[string]string{"T.csv": "URL,Last crawled\nhttps://example.com/,2026-09-03",
		"C.csv": "Date,Affected pages\n2026-10-01,1", "M.csv": "Property,Value\nSitemap,All known pages\nIssue,Soft 404"}
	read(reason)
	index := indexExports["English"]
	for _, test := range []struct{ reasons, want string }{
		{index.reasons + "\nSoft 404,Website,N/A,1", page.IndexNo}, {index.reasons + "\nSoft 404,Website,N/A,0", ""},
	} {
		read(map[string]string{"a.csv": index.chart + days, "b.csv": test.reasons, "c.csv": index.metadata})
		found, _ := joined(t, f, crawled, site)
		equal(t, test.reasons, found["https://example.com/"].Index, test.want)
	}
}

// TestVariants gives a page the state of its own URL only.
func TestVariants(t *testing.T) {
	for _, test := range []struct{ row, want string }{
		{"https://example.com/ñ", page.IndexNo}, {"https://EXAMPLE.com/%c3%b1", page.IndexNo},
		{"https://example.com/ñ?utm_source=x", ""}, {"https://example.com/ñ#x", ""},
	} {
		f := open(t)
		_, err := f.Read(t.Context(), []string{folderOf(t, map[string]string{
			"T.csv": "URL,Last crawled\n" + test.row + ",2026-09-03",
			"M.csv": "Property,Value\nIssue,Page with redirect\nSitemap,x",
		})}, site, today)
		if err != nil {
			t.Fatal(err)
		}
		found, _ := joined(t, f, crawlOf(t, "https://example.com/%C3%B1"), site)
		equal(t, test.row, found["https://example.com/%C3%B1"].Index, test.want)
	}
}

// TestFolder takes index.html of a folder of files for the page of its folder.
func TestFolder(t *testing.T) {
	f, folder := open(t), *site
	folder.Folder = true
	table := filepath.Join(folderOf(t, map[string]string{"a.csv": "url,owner\n/b/index.html,Ana"}), "a.csv")
	if _, err := f.Read(t.Context(), []string{table}, &folder, today); err != nil {
		t.Fatal(err)
	}
	crawled := crawlOf(t, "https://example.com/b/")
	found, _ := joined(t, f, crawled, &folder)
	equal(t, "of a folder", found["https://example.com/b/"].Joined, map[string]string{"owner": "Ana"})
	found, _ = joined(t, f, crawled, site)
	equal(t, "of a site", len(found["https://example.com/b/"].Joined), 0)
}

// TestOtherSite refuses an export whose name is that of another site.
func TestOtherSite(t *testing.T) {
	for name, refused := range map[string]bool{
		"example.com-Coverage-2026-10-04.zip": false, "https___www.example.com_-Coverage-Drilldown-2026-10-04 (1).zip": false,
		"other.example-Performance-on-Search-2026-10-04.zip": true, "https___example.com.org_-Coverage-2026-10-04": true,
		"m.example.com-Coverage-2026-10-04": true, "Chart.csv": false, "coverage.zip": false,
	} {
		var site *SiteError
		for _, start := range []string{"https://www.example.com/", "http://example.com:8080/"} {
			if err := checkSite("exports/"+name, &Site{Start: start}); errors.As(err, &site) != refused {
				t.Errorf("%s for %s: %v", name, start, err)
			}
		}
	}
}
