package cli_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mapatools/mapa/internal/testsite"
)

// A numberedSite is one of the sites whose numbers are compared. Its page /last, to which the start links,
// is missing in the second crawl.
type numberedSite struct {
	name    string
	options map[string]string
	files   string
	notice  string // kind of the notification after the second crawl, or empty
	rules   string // some of the rules that have to find something
}

// sitePage returns a page that links to others, with the elements of its head.
func sitePage(path, head string, links ...string) string {
	file := "-- " + path + " --\n<!doctype html><html lang=en>" + head + "<h1>" + path + "</h1><p>This is " + path + "."
	for _, link := range links {
		file += ` <a href="` + link + `">to ` + strings.Trim(link, "/#") + "</a>"
	}
	return file + "\n"
}

func titled(title string) string {
	return "<title>" + title + "</title><meta name=viewport content=width=device-width>"
}

func answers(path, status string) string {
	return "-- " + path + " --\nHTTP " + status + "\n\nnothing\n"
}

// manyPages returns pages that each link to a missing one, and the links to them.
func manyPages(n int, link string) (files string, links []string) {
	for i := range n {
		links = append(links, fmt.Sprintf("/p%d", i))
		files += sitePage(links[i], titled(fmt.Sprintf("Page number %d", i)), fmt.Sprintf(link, i))
	}
	return files, append(links, "/last")
}

func numberedSites() []numberedSite {
	last := sitePage("/last", titled("The last page of the site"))
	missing, missingLinks := manyPages(120, "/missing-%d?a=1")
	waiting, waitingLinks := manyPages(60, "/p%d")
	return []numberedSite{
		{name: "one page", files: sitePage("/", titled("Home"))},
		{
			name: "broken links", notice: "changed", rules: "link-broken anchor-missing redirect-loop",
			files: last + sitePage("/", titled("Home"), "/last", "/a", "/gone-1", "/moved", "/round-1", "/a#nowhere") +
				sitePage("/a", titled("A"), "/gone-1", "/gone-2", "/a#no", "/") +
				redirect("/moved", "/gone-2") + redirect("/round-1", "/round-2") + redirect("/round-2", "/round-1") +
				answers("/gone-1", "410") + answers("/gone-2", "500") +
				"-- /sitemap.xml --\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>http://$HOST/unlinked" +
				"</loc></url></urlset>\n-- /robots.txt --\nSitemap: http://$HOST/sitemap.xml\n",
		},
		{
			name: "redirects", notice: "changed", rules: "redirect-internal redirect-chain",
			files: last + sitePage("/", titled("Home"), "/last", "/1", "/3") + redirect("/1", "/2") + redirect("/2", "/3") +
				redirect("/3", "/end") + sitePage("/end", titled("End"), "/"),
		},
		{
			name: "noindex", notice: "failed", rules: "site-noindex",
			files: sitePage("/", titled("Home")+"<meta name=robots content=noindex>", "/a") +
				sitePage("/a", titled("A")+"<meta name=robots content=noindex>", "/"),
		},
		{
			name: "a part", options: map[string]string{"max-pages": "30"}, rules: "crawl-partial", notice: "changed",
			files: last + waiting + sitePage("/", titled("Home"), append([]string{"/last"}, waitingLinks...)...),
		},
		{
			name: "many", notice: "changed", rules: "link-broken",
			files: last + missing + sitePage("/", titled("Home"), missingLinks...),
		},
		{
			name: "languages", notice: "changed", rules: "hreflang-not-reciprocal canonical-relative",
			files: last + sitePage("/", titled("Home")+`<link rel=alternate hreflang=de href=/de><link rel=canonical href=/>`,
				"/last", "/de") + sitePage("/de", titled("Deutsch"), "/"),
		},
		{
			name: "letters", notice: "changed", rules: "link-broken title-duplicate",
			files: last + sitePage("/", titled("Una <b>tienda</b>"), "/last", "/productos/maceta-de-cer%C3%A1mica",
				"/b%3Cc%3E", "/ñandú") +
				sitePage("/productos/maceta-de-cer%C3%A1mica", titled("Maceta"), "/%C3%B1o/rota", "/") +
				sitePage("/b%3Cc%3E", titled("Maceta"), "/%C3%B1o/rota"),
		},
		{
			name: "other sites", options: map[string]string{"external": "true"}, rules: "link-broken", notice: "changed",
			files: last + sitePage("/", titled("Home"), "/last", "http://$OTHER/", "http://$OTHER/missing", "/a") +
				sitePage("/a", titled("A"), "http://$OTHER/missing", "http://$OTHER/refused"),
		},
		{
			name: "faults", notice: "changed",
			rules: "title-missing h1-missing image-alt server-error link-vague link-broken anchor-missing redirect-internal",
			files: last +
				sitePage("/", titled("Home")+"<title>twice</title>", "/last", "/a", "/b", "/c", "/busy", "/private/x", "/moved") +
				"-- /a --\n<p>a <img src=/i.png><a href=/>click here</a><a href=/c#no></a><a href=/%C3%B1o/b%3Cc%3E>ñ</a>\n" +
				"-- /b --\n<p>b <img src=/i.png><a href=/></a><a href=/b#no>here</a>\n" +
				"-- /c --\n<title>C</title><p>c <img src=/i.png><a href=/>click here</a>\n" + answers("/busy", "500") +
				answers("/down", "500") + "-- /urls.txt --\nhttp://$HOST/down\n" +
				redirect("/moved", "/c") + "-- /robots.txt --\nUser-agent: *\nDisallow: /private/\nSitemap: http://$HOST/urls.txt\n",
		},
	}
}

func redirect(from, to string) string {
	return "-- " + from + " --\nHTTP 301\nLocation: " + to + "\n\nmoved\n"
}

// serve serves the site. Its second state begins when second is set.
func (s *numberedSite) serve(t *testing.T, second *atomic.Bool) *httptest.Server {
	t.Helper()
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/missing":
			http.NotFound(w, r)
		case "/refused":
			w.WriteHeader(http.StatusForbidden)
		}
	}))
	t.Cleanup(other.Close)
	pages, err := testsite.Parse([]byte(strings.ReplaceAll(s.files, "$OTHER", strings.TrimPrefix(other.URL, "http://"))))
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if second.Load() && r.URL.Path == "/last" {
			http.NotFound(w, r)
			return
		}
		pages.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server
}
