package folder_test

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/folder"
)

// write creates a folder of files.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func open(t *testing.T, root string, options folder.Options) *folder.Site {
	t.Helper()
	site, err := folder.Open(root, &options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { site.Close() })
	return site
}

// get returns status, Location and body of the response to a request.
func get(t *testing.T, site *folder.Site, path string) (int, string, *http.Response) {
	t.Helper()
	request, err := http.NewRequest(http.MethodGet, "https://example.com"+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := site.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if location := response.Header.Get("Location"); location != "" {
		return response.StatusCode, location, response
	}
	return response.StatusCode, string(body), response
}

var files = map[string]string{
	"index.html": "home", "about.html": "about", "blog/index.html": "blog", "both.html": "file", "both/index.html": "dir",
	"404.html": "missing", "a b/ü.html": "names", "robots.txt": "User-agent: *\nSITEMAP: /sitemap.xml\nDisallow: /x\n",
	"_redirects": "# comment\n/old /about.html\n/temp /about 302\n/blog/* /news/:splat 301!\n/u/:id/x /about.html?u=:id 301\n" +
		"/app/* /index.html 200\n/about.html /nowhere 301\n/de/* /x 301 Language=de\n/bad /x abc\n/loop /loop\n" +
		"/proxy https://other.example/ 200\nhttps://example.com/d /x\n/gone /404.html 410\n",
	"_headers": "/*\n  X-All: 1\n/about.html\n\tX-Robots-Tag: noindex\n  ! X-All\n",
}

func TestRoundTrip(t *testing.T) {
	for _, test := range []struct {
		path   string
		status int
		want   string // body or Location
	}{
		{"/", 200, "home"}, {"/index.html", 200, "home"}, {"/about.html", 200, "about"}, {"/about", 404, "missing"},
		{"/About.html", 404, "missing"}, {"/about.html/", 301, "/nowhere"}, {"//about.html", 404, "missing"},
		{"/both/", 200, "dir"}, {"/both", 301, "/both/"}, {"/both?q=1", 301, "/both/?q=1"},
		{"/a%20b/%C3%BC.html", 200, "names"}, {"/a%20b", 404, "missing"}, {"/..%2f..%2fetc/passwd", 404, "missing"},
		{"/_redirects", 404, "missing"}, {"/_headers", 404, "missing"}, {"/a\\b", 404, "missing"},
		{"/old", 301, "/about.html"}, {"/old?x=1", 301, "/about.html?x=1"}, {"/temp", 302, "/about"},
		{"/blog/", 301, "/news/"}, {"/blog/2026/a", 301, "/news/2026/a"}, {"/u/7/x", 301, "/about.html?u=7"},
		{"/app/anything", 200, "home"}, {"/de/x", 404, "missing"}, {"/bad", 404, "missing"}, {"/loop", 404, "missing"},
		{"/proxy", 502, ""}, {"/gone", 410, "missing"}, {"/robots.txt", 200, "User-agent: *\nDisallow: /x\n"},
	} {
		site := open(t, write(t, files), folder.Options{})
		if status, got, _ := get(t, site, test.path); status != test.status || got != test.want {
			t.Errorf("%s: %d %q, want %d %q", test.path, status, got, test.status, test.want)
		}
	}
}

func TestHeaders(t *testing.T) {
	site := open(t, write(t, files), folder.Options{})
	_, _, home := get(t, site, "/")
	_, _, about := get(t, site, "/about.html")
	if home.Header.Get("X-All") != "1" || about.Header.Get("X-All") != "" ||
		about.Header.Get("X-Robots-Tag") != "noindex" {
		t.Errorf("home %v, about %v", home.Header, about.Header)
	}
	if _, _, index := get(t, site, "/index.html"); index.Header.Get("Link") != "" {
		t.Errorf("index.html has a header of nobody: %v", index.Header)
	}
}

func TestCleanURLs(t *testing.T) {
	root := write(t, files)
	os.Remove(filepath.Join(root, "_redirects"))
	site := open(t, root, folder.Options{CleanURLs: new(true), URL: "https://example.com/docs"})
	for _, test := range []struct {
		path   string
		status int
		want   string
	}{
		{"/docs/", 200, "home"}, {"/docs", 301, "/docs/"}, {"/docs/index.html", 301, "/docs/"}, {"/docs/about", 200, "about"},
		{"/docs/about.html", 301, "/docs/about"}, {"/docs/about/", 301, "/docs/about"}, {"/docs/both", 200, "file"},
		{"/docs/blog", 301, "/docs/blog/"}, {"/about", 404, "missing"}, {"/", 404, "missing"},
	} {
		if status, got, _ := get(t, site, test.path); status != test.status || got != test.want {
			t.Errorf("%s: %d %q, want %d %q", test.path, status, got, test.status, test.want)
		}
	}
}

// TestIndexHTM serves index.htm for a folder that has no index.html.
func TestIndexHTM(t *testing.T) {
	site := open(t, write(t, map[string]string{
		"index.htm": "home", "a/index.htm": "a", "b/index.htm": "other", "b/index.html": "b",
	}), folder.Options{URL: "https://example.com/"})
	for path, want := range map[string]string{
		"/": "home", "/index.htm": "home", "/a/": "a", "/a": "/a/", "/b/": "b", "/b/index.htm": "other", "/index.html": "",
	} {
		if _, got, _ := get(t, site, path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
	if got := address(site, "/b/index.htm"); got != "/b/index.htm" {
		t.Errorf("the second index of a folder is %s", got)
	}
}

// TestLinks follows symbolic links inside the folder and no others.
func TestLinks(t *testing.T) {
	root := write(t, files)
	outside := write(t, map[string]string{"secret.html": "secret"})
	for name, target := range map[string]string{
		"in.html": "about.html", "out.html": filepath.Join(outside, "secret.html"), "out": outside,
		"up.html": "../../etc/hostname",
	} {
		if err := os.Symlink(target, filepath.Join(root, name)); err != nil {
			t.Skip("no symbolic links here:", err)
		}
	}
	site := open(t, root, folder.Options{})
	for path, want := range map[string]int{"/in.html": 200, "/out.html": 404, "/out/secret.html": 404, "/up.html": 404} {
		if status, _, _ := get(t, site, path); status != want {
			t.Errorf("%s: %d, want %d", path, status, want)
		}
	}
	for page := range site.Pages() {
		if page.Name == "out.html" || page.Name == "up.html" || strings.HasPrefix(page.Name, "out/") {
			t.Errorf("%s is a page", page.Name)
		}
	}
}

func TestPages(t *testing.T) {
	root := write(t, map[string]string{
		"index.html": "", "404.html": "", "404/index.html": "", "a/404.html": "",
		"a/b.htm": "", "a/index.html": "", ".git/x.html": "", "a/_vti_cnf/index.htm": "", "a/.hidden.html": "",
		"c d.html": "", "style.css": "", "_not-found.html": "", "200.html": "", "a/200.html": "",
	})
	for clean, want := range map[bool][]string{
		false: {"/x/", "/x/a/", "/x/a/200.html", "/x/a/b.htm", "/x/c%20d.html"},
		true:  {"/x/", "/x/a/", "/x/a/200", "/x/a/b.htm", "/x/c%20d"},
	} {
		site := open(t, root, folder.Options{CleanURLs: &clean, URL: "https://example.com/x/"})
		var got []string
		for page, err := range site.Pages() {
			if err != nil {
				t.Fatal(err)
			}
			if !site.IsNotFoundPage(page.Path) {
				got = append(got, page.Path)
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("clean %v: %q, want %q", clean, got, want)
		}
	}
}

func TestOpenFails(t *testing.T) {
	for _, root := range []string{filepath.Join(t.TempDir(), "none"), write(t, map[string]string{"a.html": ""})} {
		if site, err := folder.Open(root, &folder.Options{}); err == nil {
			site.Close()
			t.Errorf("%s could be opened", root)
		}
	}
}
