package sitemaphttp_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mapatools/mapa/sitemap"
	"github.com/mapatools/mapa/sitemap/sitemaphttp"
)

// twoStylesheets are one of the user's own, and that of package sitemap.
var twoStylesheets = &sitemaphttp.Options{
	Stylesheets: []sitemap.Stylesheet{{Name: "sitemap.xsl", Content: "<xsl/>"}, sitemap.CSS()},
}

// TestHubs names hubs in the headers of sitemaps, and only there.
func TestHubs(t *testing.T) {
	h := start(t, &sitemaphttp.Options{Hubs: []string{"https://hub.example/?a=1"}},
		sitemaphttp.Section{Name: "s", Source: integers(1, 15_000)})
	for path, want := range map[string]string{
		"/sitemap.xml":         `[<https://hub.example/?a=1>; rel="hub" <https://example.com/sitemap.xml>; rel="self"]`,
		"/sitemap-s-10000.xml": `[<https://hub.example/?a=1>; rel="hub" <https://example.com/sitemap-s-10000.xml>; rel="self"]`,
		"/sitemap.css":         "[]",
	} {
		_, w := get(t, h, path)
		if got := fmt.Sprint(w.Header().Values("Link")); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
	_, err := sitemaphttp.New("https://example.com/", []sitemaphttp.Section{{Name: "s", Source: integers(1, 2)}},
		&sitemaphttp.Options{Hubs: []string{"javascript:x"}})
	if err == nil || !strings.Contains(err.Error(), "hub") {
		t.Errorf("a hub that is no URL: %v", err)
	}
}

func TestHeaders(t *testing.T) {
	h := start(t, twoStylesheets, sitemaphttp.Section{Name: "s", Source: integers(1, 15_000)})
	for path, contentType := range map[string]string{
		"/sitemap.xml":         "application/xml; charset=utf-8",
		"/sitemap-s-10000.xml": "application/xml; charset=utf-8",
		"/sitemap.xsl":         "application/xslt+xml; charset=utf-8",
		"/sitemap.css":         "text/css; charset=utf-8",
	} {
		for _, encoding := range []string{"identity", "gzip"} {
			text, w := get(t, h, path, "Accept-Encoding", encoding, "Range", "bytes=0-10")
			header := w.Header()
			for name, want := range map[string]string{
				"Content-Type":     contentType,
				"Content-Length":   fmt.Sprint(w.Body.Len()),
				"Content-Encoding": strings.TrimPrefix(encoding, "identity"),
				"Cache-Control":    "public, max-age=600",
				"Vary":             "Accept-Encoding",
				"X-Robots-Tag":     "noindex",
				"Accept-Ranges":    "",
			} {
				if got := header.Get(name); got != want {
					t.Errorf("%s, %s: %s: %q, want %q", path, encoding, name, got, want)
				}
			}
			if !strings.HasPrefix(header.Get("ETag"), `W/"`) || header.Get("Last-Modified") == "" {
				t.Errorf("%s: ETag %q, Last-Modified %q", path, header.Get("ETag"), header.Get("Last-Modified"))
			}
			head := ask(h, "HEAD", path, "Accept-Encoding", encoding)
			if head.Body.Len() > 0 || head.Header().Get("Content-Length") != header.Get("Content-Length") {
				t.Errorf("HEAD %s: %d bytes, Content-Length %q", path, head.Body.Len(), head.Header().Get("Content-Length"))
			}
			if plain, _ := get(t, h, path); plain != text {
				t.Errorf("%s: gzip and identity differ", path)
			}
		}
	}
}

func TestRequestsForOthers(t *testing.T) {
	h := start(t, nil, sitemaphttp.Section{Name: "s", Source: integers(1, 20_000)})
	for _, test := range []struct {
		method, path string
		want         int
	}{
		{"GET", "/sitemap.xml", 200},
		{"GET", "/sitemap%2Exml", 200}, // the same path (RFC 3986, section 6.2.2.2)
		{"GET", "/sitemap.xml?a=b", 200},
		{"GET", "/", 404},
		{"GET", "/sitemap", 404},
		{"GET", "/sitemap.xml/", 404},
		{"GET", "/x/sitemap.xml", 404},
		{"GET", "//sitemap.xml", 404},
		{"GET", "/./sitemap.xml", 404},
		{"GET", "/%2e%2e/sitemap.xml", 404},
		{"GET", "/sitemap-s-00.xml", 404},
		{"GET", "/sitemap-s-1.xml", 404},
		{"GET", "/sitemap-s-0.xml%00", 404},
		{"GET", "/sitemap-s-0.xml.gz", 404},
		{"GET", "/sitemap-t-0.xml", 404},
		{"GET", "/SITEMAP.XML", 404},
		{"POST", "/sitemap.xml", 405},
		{"OPTIONS", "/sitemap-s-0.xml", 405},
		{"DELETE", "/sitemap.css", 405},
		{"POST", "/", 404},
	} {
		r := httptest.NewRequest(test.method, "https://example.com/", nil)
		var err error
		if r.URL, err = r.URL.Parse("https://example.com" + test.path); err != nil {
			t.Fatal(err)
		}
		if test.path == "//sitemap.xml" || test.path == "/./sitemap.xml" { // Parse would resolve them
			r.URL.Path = test.path
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != test.want {
			t.Errorf("%s %s: %d, want %d", test.method, test.path, w.Code, test.want)
		}
		if allow := w.Header().Get("Allow"); (test.want == 405) != (allow == "GET, HEAD") {
			t.Errorf("%s %s: Allow: %q", test.method, test.path, allow)
		}
	}
}

func TestNotModified(t *testing.T) {
	h := start(t, twoStylesheets, sitemaphttp.Section{Name: "s", Source: integers(1, 20_000)})
	for _, path := range []string{"/sitemap.xml", "/sitemap-s-0.xml", "/sitemap.xsl"} {
		_, w := get(t, h, path)
		etag, modified := w.Header().Get("ETag"), w.Header().Get("Last-Modified")
		const old = "Mon, 01 Jan 2001 00:00:00 GMT"
		for _, test := range []struct {
			want   int
			header []string
		}{
			{304, []string{"If-None-Match", etag}},
			{304, []string{"If-None-Match", strings.TrimPrefix(etag, "W/")}},
			{304, []string{"If-None-Match", `"a,b", W/"c" , ` + etag}},
			{304, []string{"If-None-Match", `"other"`, "If-None-Match", etag}},
			{304, []string{"If-None-Match", "*"}},
			{304, []string{"If-None-Match", etag, "If-Modified-Since", old}},
			{304, []string{"If-Modified-Since", modified}},
			{200, []string{"If-None-Match", `"other"`, "If-Modified-Since", modified}},
			{200, []string{"If-None-Match", "", "If-Modified-Since", modified}},
			{200, []string{"If-None-Match", `"x` + strings.Trim(etag, `W/"`) + `"`}},
			{200, []string{"If-None-Match", strings.Trim(etag, `W/"`)}},
			{200, []string{"If-None-Match", `W/"unclosed`}},
			{200, []string{"If-Modified-Since", old}},
			{200, []string{"If-Modified-Since", "yesterday"}},
		} {
			for _, method := range []string{"GET", "HEAD"} {
				w := ask(h, method, path, test.header...)
				if w.Code != test.want {
					t.Errorf("%s %s with %q: %d, want %d", method, path, test.header, w.Code, test.want)
				}
				if w.Code == 304 && (w.Body.Len() > 0 || w.Header().Get("ETag") != etag || w.Header().Get("Vary") == "" ||
					w.Header().Get("Cache-Control") == "" || w.Header().Get("Content-Type") != "") {
					t.Errorf("%s %s with %q: headers %v", method, path, test.header, w.Header())
				}
			}
		}
	}
}

func TestLastModified(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source := integers(1, 20_000)
		h := start(t, nil, sitemaphttp.Section{Name: "s", Source: source})
		started := time.Now().UTC().Format(http.TimeFormat)
		modified := func(path string) string { return ask(h, "HEAD", path).Header().Get("Last-Modified") }
		time.Sleep(time.Hour)
		if got := modified("/sitemap-s-0.xml"); got != started {
			t.Errorf("an unchanged part is dated %s, want %s", got, started)
		}
		source.insert(intRow(30_000))
		if err := h.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		changed := time.Now().UTC().Format(http.TimeFormat)
		for path, want := range map[string]string{
			"/sitemap-s-0.xml": started, "/sitemap-s-30000.xml": changed, "/sitemap.xml": changed} {
			if got := modified(path); got != want {
				t.Errorf("%s is dated %s, want %s", path, got, want)
			}
		}
	})
}

func TestMiddlewareAndRobots(t *testing.T) {
	h := start(t, nil, sitemaphttp.Section{Name: "s", Source: integers(1, 1)})
	mux := http.NewServeMux()
	mux.Handle("GET /robots.txt", h.Robots("User-agent: *\nDisallow: /cart"))
	mux.Handle("/", h.Middleware(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "page ", r.URL.Path)
	})))
	for path, want := range map[string]string{
		"/":                "page /",
		"/sitemap-t.xml":   "page /sitemap-t.xml",
		"/sitemap-s-7.xml": "page /sitemap-s-7.xml",
		"/robots.txt":      "User-agent: *\nDisallow: /cart\nSitemap: https://example.com/sitemap.xml\n",
	} {
		if got, _ := get(t, mux, path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
	if text, _ := get(t, mux, "/sitemap-s-0.xml"); len(locs(t, text)) != 1 {
		t.Errorf("the part: %s", text)
	}
}

func TestArguments(t *testing.T) {
	section := sitemaphttp.Section{Name: "s", Source: &memory{}}
	for _, test := range []struct {
		base     string
		sections []sitemaphttp.Section
		want     string // in the error; empty for none

		stylesheets []sitemap.Stylesheet
	}{
		{"https://example.com", []sitemaphttp.Section{section}, "", nil},
		{"http://example.com:8080/shop", []sitemaphttp.Section{section}, "", nil},
		{"", []sitemaphttp.Section{section}, "not an absolute http or https URL", nil},
		{"example.com", []sitemaphttp.Section{section}, "not an absolute http or https URL", nil},
		{"ftp://example.com/", []sitemaphttp.Section{section}, "not an absolute http or https URL", nil},
		{"https://me:secret@example.com/", []sitemaphttp.Section{section}, "only scheme, host and path", nil},
		{"https://example.com/?a=b", []sitemaphttp.Section{section}, "only scheme, host and path", nil},
		{"https://example.com/\n", []sitemaphttp.Section{section}, "base URL", nil},
		{base, nil, "no section", nil},
		{base, []sitemaphttp.Section{section, section}, "twice", nil},
		{base, []sitemaphttp.Section{{Name: "s"}}, "no source", nil},
		{base, []sitemaphttp.Section{{Name: "", Source: &memory{}}}, "name consists of", nil},
		{base, []sitemaphttp.Section{{Name: "../a", Source: &memory{}}}, "name consists of", nil},
		{base, []sitemaphttp.Section{{Name: "Post\n", Source: &memory{}}}, "name consists of", nil},
		{base, []sitemaphttp.Section{{Name: "s", Source: &memory{}, PartSize: -1}}, "PartSize", nil},
		{base, []sitemaphttp.Section{section}, "stylesheet", []sitemap.Stylesheet{{Name: "sitemap.xml"}}},
		{base, []sitemaphttp.Section{section}, "stylesheet", []sitemap.Stylesheet{{Name: "a/b.css"}}},
	} {
		h, err := sitemaphttp.New(test.base, test.sections, &sitemaphttp.Options{Stylesheets: test.stylesheets})
		if err == nil {
			h.Close()
		}
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: %v, want %q", test.base, err, test.want)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("the error shows a password: %v", err)
		}
	}
}

func TestNegativeRefresh(t *testing.T) {
	section := sitemaphttp.Section{Name: "s", Source: &memory{}}
	if _, err := sitemaphttp.New(base, []sitemaphttp.Section{section}, &sitemaphttp.Options{Refresh: -1}); err == nil {
		t.Error("a negative Refresh is accepted")
	}
}

// TestBasePath serves in a folder.
func TestBasePath(t *testing.T) {
	section := sitemaphttp.Section{Name: "s", Source: integers(1, 20_000)}
	h, err := sitemaphttp.New("https://example.com/caf%C3%A9", []sitemaphttp.Section{section}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	text, _ := get(t, h, "/caf%C3%A9/sitemap.xml")
	if want := "<loc>https://example.com/caf%C3%A9/sitemap-s-0.xml</loc>"; !strings.Contains(text, want) {
		t.Errorf("no %s in %s", want, text)
	}
	get(t, h, "/caf%C3%A9/sitemap-s-0.xml")
	if w := ask(h, "GET", "/sitemap.xml"); w.Code != 404 {
		t.Errorf("outside the folder: %d", w.Code)
	}
}

// TestOverTheNetwork sends what a recorder cannot see: the end of a body, and two
// requests on one connection.
func TestOverTheNetwork(t *testing.T) {
	h := start(t, nil, sitemaphttp.Section{Name: "s", Source: integers(1, 9_000)})
	server := httptest.NewServer(h)
	defer server.Close()
	connection, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	reader := bufio.NewReader(connection)
	for _, method := range []string{"HEAD", "GET", "GET"} {
		fmt.Fprintf(connection, "%s /sitemap.xml HTTP/1.1\r\nHost: example.com\r\nAccept-Encoding: gzip\r\n\r\n", method)
		response, err := http.ReadResponse(reader, &http.Request{Method: method})
		if err != nil {
			t.Fatal(err)
		}
		n, err := io.Copy(io.Discard, response.Body)
		if err != nil || method == "GET" && n != response.ContentLength || response.ContentLength <= 0 {
			t.Errorf("%s: %d bytes of %d: %v", method, n, response.ContentLength, err)
		}
	}
}
