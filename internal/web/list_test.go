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
)

// newLargeSite serves a start page that links to 120 folders with one or two pages each. Twelve pages are missing.
func newLargeSite(t *testing.T) string {
	t.Helper()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			if strings.Contains(r.URL.Path, "1/") {
				http.NotFound(w, r)
				return
			}
			fmt.Fprintf(w, "<title>%s</title><p>page <a href=/>start</a>", r.URL.Path)
			return
		}
		fmt.Fprint(w, "<title>start</title><a href=/f119/second>second</a>")
		for i := range 120 {
			fmt.Fprintf(w, "<a href=/f%03d/page>%[1]d</a>", i)
		}
	}))
	t.Cleanup(site.Close)
	return site.URL
}

var (
	rowLink   = regexp.MustCompile(`<tr><td[^>]*>(?:<div>)?<a[^>]* href="([^"]*)"`)
	headLink  = regexp.MustCompile(`<th scope="col"[^>]*?( aria-sort="[a-z]+")?><a href="([^"]*)">`)
	pagerLink = regexp.MustCompile(`<a class="button" href="([^"]*)"(?: rel="(prev|next)")?>`)
	position  = regexp.MustCompile(`<nav class="pager".*<span>([^<]*)</span>`)
)

// A listPage is a part of a list.
type listPage struct {
	rows, heads []string
	sorted      int // heading by which it is sorted, from 1, or 0
	position    string
	pager       map[string]string // addresses of the other parts: first, prev and next
}

func readList(t *testing.T, address string) (p listPage) {
	t.Helper()
	text := readPage(t, address)
	for _, found := range rowLink.FindAllStringSubmatch(text, -1) {
		p.rows = append(p.rows, found[1])
	}
	for i, found := range headLink.FindAllStringSubmatch(text, -1) {
		p.heads = append(p.heads, html.UnescapeString(found[2]))
		if found[1] != "" {
			p.sorted = i + 1
		}
	}
	p.pager = map[string]string{}
	for _, found := range pagerLink.FindAllStringSubmatch(text, -1) {
		name := found[2]
		if name == "" {
			name = "first"
		}
		p.pager[name] = html.UnescapeString(found[1])
	}
	if found := position.FindStringSubmatch(text); found != nil {
		p.position = found[1]
	}
	return p
}

// TestLists goes to the next part of lists and back, and sorts them by each heading in both directions, without
// JavaScript.
func TestLists(t *testing.T) {
	t.Parallel()
	server, _ := newApplication(t, nil)
	result := crawlSite(t, server, newLargeSite(t))
	for path, want := range map[string]struct {
		heads, sorted int
		second        string
	}{
		"/pages":                       {4, 1, "101 to 122 of 122"},
		"/pages?seed_sources=sitemap":  {},
		"/tree":                        {4, 1, "101 to 120 of 120"},
		"/pages/1/links?direction=in":  {0, 0, "101 to 109 of 109"},
		"/pages/1/links?direction=out": {0, 0, "101 to 121 of 121"},
		"/findings?rule=link-broken&severity=error":         {},
		"/findings?rule=link-broken&severity=error&by=page": {},
		"/findings?rule=title-length&severity=info":         {2, 0, ""},
	} {
		first := readList(t, server+result+path)
		if len(first.heads) != want.heads || first.sorted != want.sorted {
			t.Errorf("%s: headings %q, sorted by %d", path, first.heads, first.sorted)
		}
		if want.second == "" {
			if len(first.pager) > 0 {
				t.Errorf("%s: %v", path, first.pager)
			}
		} else {
			second := readList(t, server+first.pager["next"])
			back := readList(t, server+second.pager["prev"])
			if second.position != want.second || second.pager["next"] != "" || first.pager["prev"] != "" {
				t.Errorf("%s: %q, %v, %v", path, second.position, first.pager, second.pager)
			}
			if !slices.Equal(back.rows, first.rows) || len(first.rows) != 100 || back.position != first.position {
				t.Errorf("%s: back at %q", path, back.position)
			}
		}
		for i, head := range first.heads {
			one := readList(t, server+head)
			other := readList(t, server+one.heads[i])
			if one.sorted != i+1 || other.sorted != i+1 || other.heads[i] != head && one.heads[i] != head {
				t.Errorf("%s: heading %d sorts by %d, then by %d", path, i+1, one.sorted, other.sorted)
			}
			if other.position != "" && slices.Equal(one.rows, other.rows) {
				t.Errorf("%s: heading %d sorts in one direction", path, i+1)
			}
		}
	}
	for _, wrong := range []string{"/pages?sort=role", "/tree?sort=x", "/findings?rule=link-broken&sort=-"} {
		response, err := http.Get(server + result + wrong)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != http.StatusBadRequest {
			t.Errorf("%s: %s", wrong, response.Status)
		}
	}
}
