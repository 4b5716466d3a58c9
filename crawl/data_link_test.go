package crawl_test

import (
	"testing"

	"github.com/mapatools/mapa/crawl"
)

const siteWithDataLinks = `
-- / --
<title>Home</title><link rel="alternate" type="application/rss+xml" href="/feed.xml">
<link rel="alternate" type="application/json+oembed" href="/oembed?url=home">
<link rel="alternate" type="text/xml+oembed" href="/oembed?url=home&format=xml">
<link rel="alternate" type="text/html" href="/print">
<link rel="alternate" hreflang="de" href="/de">
<link rel="shortlink" href="/?p=1"><link rel="EditURI" type="application/rsd+xml" href="/xmlrpc.php?rsd">
<link rel="https://api.w.org/" href="/wp-json/"><link rel="pingback" href="/xmlrpc.php">
<link rel="search" type="application/opensearchdescription+xml" href="/search.xml">
<link rel="manifest" href="/manifest.json"><link rel="preload" href="/font.woff2">
<link rel="dns-prefetch" href="//cdn.example"><link rel="preconnect" href="https://cdn.example">
<link rel="shortlink" href="/both"><link rel="help" href="/help"><a href="/a">a</a>
-- /a --
<title>A</title><p>text of a</p><a href="/both">a page after all</a>
-- /both --
<title>Both</title><p>text of both</p>
-- /print --
<title>Print</title><p>text to print</p>
-- /de --
<title>DE</title><p>text in German</p>
-- /help --
<title>Help</title><p>text of help</p>
-- /feed.xml --
HTTP 200
Content-Type: application/rss+xml

<?xml version="1.0"?><rss version="2.0"><channel><title>News</title><link>http://$HOST/</link>
<item><link>http://$HOST/news</link></item></channel></rss>
-- /news --
<title>News</title><p>text of news</p>
`

// TestDataLinks crawls a site whose link elements name much that is no page.
func TestDataLinks(t *testing.T) {
	const noPage = "not-a-page: only link elements name it"
	want := map[string]decision{
		"/": "", "/a": "", "/both": "", "/de": "",
		"/print": noPage, "/help": noPage,
		"/feed.xml": noPage, "/oembed?url=home": noPage, "/oembed?url=home&format=xml": noPage, "/?p=1": noPage,
		"/xmlrpc.php?rsd": noPage, "/wp-json/": noPage, "/xmlrpc.php": noPage, "/search.xml": noPage,
	}
	for _, feeds := range []bool{false, true} {
		if feeds {
			want["/feed.xml"], want["/news"] = "not-a-page: application/rss+xml", ""
		}
		site := parse(t, siteWithDataLinks)
		origin, store := serve(t, site), &crawl.MemoryStore{}
		options := crawl.Options{Start: origin, Feeds: feeds}
		if _, err := run(t, store, &options); err != nil {
			t.Fatal(err)
		}
		compare(t, decisions(store, origin), want)
		// The next crawl, of pages that have not changed, decides the same.
		options.Previous = store
		again := &crawl.MemoryStore{}
		if _, err := run(t, again, &options); err != nil {
			t.Fatal(err)
		}
		compare(t, decisions(again, origin), want)
		edges := map[crawl.EdgeKind]int{}
		store.Each(func(_ crawl.Link, page *crawl.Page) {
			if page != nil {
				for _, edge := range page.Links {
					edges[edge.Kind]++
				}
			}
		})
		wantFeed := 1
		if feeds {
			wantFeed++ // the page that the feed lists
		}
		if edges[crawl.EdgeData] != 8 || edges[crawl.EdgeFeed] != wantFeed {
			t.Errorf("edges %v, want 8 of data and %d of a feed", edges, wantFeed)
		}
		for _, path := range []string{
			"/oembed?url=home", "/?p=1", "/wp-json/", "/xmlrpc.php", "/search.xml", "/manifest.json",
		} {
			if n := site.Requests()[path]; n > 0 {
				t.Errorf("%d requests of %s", n, path)
			}
		}
		if n := site.Requests()["/feed.xml"]; feeds != (n > 0) {
			t.Errorf("feeds %v: %d requests of the feed", feeds, n)
		}
	}
}
