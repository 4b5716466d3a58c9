package testsite

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func ExampleParse() {
	site, err := Parse([]byte(`
-- / --
<a href="/old">old</a>
-- /old --
HTTP 301
Location: http://$HOST/new?a=b

-- new?a=b --
new
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	server := httptest.NewServer(site)
	defer server.Close()
	answer, err := http.Get(server.URL + "/old")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(answer.Body)
	fmt.Print(string(text))
	fmt.Println(site.Requests())
	// Output:
	// new
	// map[/new?a=b:1 /old:1]
}

func get(t *testing.T, handler http.Handler, target string) *httptest.ResponseRecorder {
	t.Helper()
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, httptest.NewRequest("GET", target, nil))
	return recorder
}

func TestSite(t *testing.T) {
	site, err := Parse([]byte(`
-- /a.html --
one
-- /robots.txt --
Sitemap: http://$HOST/s.xml
-- /s.xml --
<urlset/>
-- data --
HTTP 503
content-type: application/x-data
Set-Cookie: a=1
Set-Cookie: b=2
-- /picture.png --
`))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		target      string
		status      int
		contentType string
		body        string
	}{
		{"/a.html", 200, "text/html; charset=utf-8", "one\n"},
		{"/a.html?x", 404, "text/plain; charset=utf-8", "404 page not found\n"},
		{"/robots.txt", 200, "text/plain; charset=utf-8", "Sitemap: http://example.com/s.xml\n"},
		{"/s.xml", 200, "application/xml", "<urlset/>\n"},
		{"/data", 503, "application/x-data", ""},
		{"/picture.png", 200, "image/png", ""},
	} {
		got := get(t, site, test.target)
		if got.Code != test.status || got.Header().Get("Content-Type") != test.contentType || got.Body.String() != test.body {
			t.Errorf("%s: %d %q %q", test.target, got.Code, got.Header().Get("Content-Type"), got.Body)
		}
	}
	if cookies := get(t, site, "/data").Header()["Set-Cookie"]; len(cookies) != 2 {
		t.Errorf("cookies: %q", cookies)
	}
	if n := site.Requests()["/data"]; n != 2 {
		t.Errorf("/data was asked for %d times", n)
	}
}

func TestParseErrors(t *testing.T) {
	for archive, want := range map[string]string{
		"-- a --\n-- /a --\n":               "/a is twice",
		"-- a --\nHTTP 99\n":                "no final status",
		"-- a --\nHTTP 200\nLocation /\n":   "has no colon",
		"-- a --\nHTTP OK\nLocation: /\n\n": "no final status",
	} {
		if _, err := Parse([]byte(archive)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", archive, err)
		}
	}
}
