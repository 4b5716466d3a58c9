package crawl_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/testsite"
)

// trapNames is the decision that each trap of the site must lead to. The first segment
// of a URL names its trap.
var trapNames = map[string]string{
	"calendar":          "trap: endless calendar",
	"deep-links":        "trap: ever deeper path",
	"repeated-segments": "trap: repeated path segment",
	"facets":            "trap: combinations of parameters",
	"same-content":      "trap: same content over and over",
	"escape-growth":     "trap: growing escapes",
	"redirect-chain":    "trap: endless redirects",
	"many-links":        "trap: too many links on one page",
	"redirect-loop":     "redirect-loop: leads back to itself",
	"soft-404":          "soft-404: shows what the site shows for a missing page",
	"huge-href":         "trap: huge address",
	"hang":              "unreachable: no answer in time",
	"drip":              "unreachable: body too slow",
	"huge-header":       "unreachable: header too large",
	"dropped":           "unreachable: connection dropped",
	"endless-body":      "too-large: only the beginning was read",
	"huge-body":         "too-large: only the beginning was read",
	"gzip-bomb":         "too-large: only the beginning was read",
}

// TestTrapSite crawls a site that never ends.
func TestTrapSite(t *testing.T) {
	t.Parallel()
	site, store := testsite.Traps(), &crawl.MemoryStore{}
	inBubble(t, site, func(t *testing.T, a access.Access) {
		options := &crawl.Options{Start: pipeOrigin, Access: a, Concurrency: 16}
		if _, err := crawl.Run(t.Context(), store, options); err != nil {
			t.Fatal(err)
		}
	})
	reasons := map[string]crawl.Reason{}
	named := map[string]map[string]bool{}
	store.Each(func(link crawl.Link, page *crawl.Page) {
		reason, detail := link.Reason, link.Detail
		if page != nil {
			reason, detail = page.Reason, page.Detail
		}
		address, err := url.Parse(link.URL)
		if err != nil {
			t.Fatal(err)
		}
		reasons[address.RequestURI()] = reason
		folder, _, _ := strings.Cut(strings.TrimPrefix(address.Path, "/"), "/")
		if named[folder] == nil {
			named[folder] = map[string]bool{}
		}
		named[folder][string(reason)+": "+detail.String()] = true
	})
	for _, page := range site.Pages() {
		if reason, found := reasons[page]; !found || reason != crawl.ReasonListed {
			t.Errorf("%s: found %t, reason %q", page, found, reason)
		}
	}
	if summary, err := store.Summary(t.Context()); err != nil || summary.SessionLinks == 0 {
		t.Error("no link with a session identifier is counted")
	}
	for trap, name := range trapNames {
		if !named[trap][name] {
			t.Errorf("%s: no URL has %q, only %v", trap, name, named[trap])
		}
	}
}

// TestListsAreNoTrap follows the pages of an archive, which have one title and one text, and differ
// only in the titles of posts.
func TestListsAreNoTrap(t *testing.T) {
	t.Parallel()
	const pages = 30 // more than may have the same content
	of := strings.Fields("bread wine cheese river mountain forest")
	origin := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/page/"))
		if r.URL.Path != "/" && (err != nil || n > pages) {
			http.NotFound(w, r)
			return
		}
		fmt.Fprintf(w, "<!doctype html><title>All posts</title><main><h1>All posts</h1><h2><a href='/'>The %s and the %s</a></h2>"+
			"<a href='/page/%d'>Older</a></main>", of[n%6], of[n/6%6], n+1)
	}))
	store := &crawl.MemoryStore{}
	if _, err := run(t, store, &crawl.Options{Start: origin}); err != nil {
		t.Fatal(err)
	}
	want := map[string]decision{"/": "", fmt.Sprint("/page/", pages+1): "client-error: Not Found"}
	for n := range pages {
		want[fmt.Sprint("/page/", n+1)] = ""
	}
	compare(t, decisions(store, origin), want)
}
