package web_test

import (
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/programtest"
)

// A long address and a text of a link as long as a crawl keeps it, without a place to break lines.
var longAddress, longText = "/" + strings.Repeat("long_address", 40), strings.Repeat("Long", 25)

// newBrokenSite serves ten pages with a broken link in their template. Two more URLs are broken: five pages link to one
// of them, and the start page to the other by a redirect. One page has links with a long address, a long text and a
// long anchor, all broken, and one without a text.
func newBrokenSite(t *testing.T) string {
	t.Helper()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page := strings.TrimPrefix(r.URL.Path, "/page-")
		if r.URL.Path == "/moved" {
			http.Redirect(w, r, "/end", http.StatusFound)
			return
		}
		if r.URL.Path != "/" && len(page) > 1 || page == "" {
			http.NotFound(w, r)
			return
		}
		fmt.Fprintf(w, "<!doctype html><title>%s</title><p>text <a href=/social>Social media</a>", page)
		switch page {
		case "/":
			fmt.Fprint(w, "<a href=/moved>the new one</a>")
			for i := range 9 {
				fmt.Fprintf(w, "<a href=/page-%d>page %[1]d</a>", i)
			}
		case "1", "2", "3", "4":
			fmt.Fprintf(w, "<a href=/offer>Offer of page %s</a>", page)
		case "5":
			fmt.Fprintf(w, "<a href=/offer><img src=/x></a><a href=%[1]s>%[2]s</a><a href='/page-1#%[2]s'>%[2]s</a>",
				longAddress, longText)
		}
	}))
	t.Cleanup(site.Close)
	return site.URL
}

var (
	brokenEntry = regexp.MustCompile(`(?s)<li>\n<h4>.*?\n</li>`)
	element     = regexp.MustCompile(`<[^>]*>`)
)

// brokenEntries returns the lines of each entry of a list of broken links.
func brokenEntries(t *testing.T, address string) (entries []string) {
	t.Helper()
	for _, entry := range brokenEntry.FindAllString(readPage(t, address), -1) {
		var lines []string
		for line := range strings.Lines(element.ReplaceAllString(entry, "")) {
			if line = strings.TrimSpace(html.UnescapeString(line)); line != "" {
				lines = append(lines, line)
			}
		}
		entries = append(entries, strings.Join(lines, " | "))
	}
	return entries
}

// TestBrokenLinks reads both ways to list broken links.
func TestBrokenLinks(t *testing.T) {
	t.Parallel()
	server, _ := newApplication(t, nil)
	list := server + crawlSite(t, server, newBrokenSite(t)) + "/findings?rule=link-broken&severity=error"
	for query, want := range map[string][]string{
		"": {
			"404 Not Found /social | in the template of 10 pages “Social media” · Ignore …",
			"404 Not Found /offer | linked from 5 pages · Ignore … | /page-1 “Offer of page 1” | /page-2 “Offer of page 2” | " +
				"/page-3 “Offer of page 3” | and 2 more",
			"404 Not Found /moved | redirects to /end · linked from 1 page · Ignore … | / “the new one”",
			"404 Not Found " + longAddress + " | linked from 1 page · Ignore … | /page-5 “" + longText + "”",
		},
		"&by=page": {
			"In the template of most pages | 1 broken link | 404 Not Found /social “Social media”",
			"/page-5 | 2 broken links | 404 Not Found /offer link without text | 404 Not Found " + longAddress +
				" “" + longText + "”",
			"/ | 1 broken link | 404 Not Found /moved “the new one”",
			"/page-1 | 1 broken link | 404 Not Found /offer “Offer of page 1”",
			"/page-2 | 1 broken link | 404 Not Found /offer “Offer of page 2”",
			"/page-3 | 1 broken link | 404 Not Found /offer “Offer of page 3”",
			"/page-4 | 1 broken link | 404 Not Found /offer “Offer of page 4”",
		},
	} {
		if got := brokenEntries(t, list+query); !slices.Equal(got, want) {
			t.Errorf("%s: got\n%s\nwant\n%s", query, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// TestBrokenLinksLook looks at both lists in narrow and wide windows, light and dark, in both languages, and goes from
// one to the other and to all pages of a broken link without JavaScript.
func TestBrokenLinksLook(t *testing.T) {
	t.Parallel()
	script := programtest.AxeScript(t)
	server, _ := newApplication(t, nil)
	result := crawlSite(t, server, newBrokenSite(t))
	list := result + "/findings?rule=link-broken&severity=error"
	for _, l := range []look{
		{width: 320}, {width: 320, language: "es"}, {width: 1440}, {width: 1440, language: "es"},
	} {
		t.Run(fmt.Sprint(l.width, l.language), func(t *testing.T) {
			t.Parallel()
			b := newTab(t, server, list, l)
			for _, path := range []string{list, list + "&by=page", result + "/findings?rule=anchor-missing&severity=warning"} {
				b.open(path)
				b.check(script, path, l)
				b.isNarrow()
				if b.number(`document.querySelectorAll(".broken > li, .list tbody tr").length`) == 0 {
					t.Errorf("%s: nothing", path)
				}
			}
		})
	}
	t.Run("plain", func(t *testing.T) {
		t.Parallel()
		b := newTab(t, server, list, look{noScript: true})
		b.follow(`.result a[href*="by=page"]`)
		b.sees(".broken h4", "In the template of most pages")
		b.follow(`.result .pills a[href$="severity=error"]:not([aria-current])`)
		b.follow(`.broken .links a[href$="direction=in"]`)
		b.sees(".list", "Offer of page 4")
	})
}
