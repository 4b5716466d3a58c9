package folder_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/folder"
	"github.com/mapatools/mapa/internal/urlnorm"
)

// page returns an HTML page with a canonical link, or without.
func page(canonical string) string {
	if canonical == "" {
		return "<title>Page</title><p>text</p>"
	}
	return fmt.Sprintf("<head><title>Page</title><link rel=canonical href=%q></head><p>text</p>", canonical)
}

// TestAddress maps every path of a file to the one that its page names.
func TestAddress(t *testing.T) {
	aliases := []string{"/x", "/x/", "/x/index.html", "/x.html", "/x/index.htm"}
	unserved := map[string][]string{
		"x/index.html": {"/x.html", "/x/index.htm"}, "x.html": {"/x/index.html", "/x/index.htm"},
		"x/index.htm": {"/x.html", "/x/index.html"},
	}
	for _, test := range []struct {
		name      string // of the file
		canonical string
		clean     bool
		want      string            // for all aliases that lead to the file
		others    map[string]string // for those that do not: their own address, or another status
		rules     string
	}{
		{name: "x/index.html", canonical: "https://example.com/x/index.html", want: "/x/index.html"},
		{name: "x/index.html", canonical: "https://example.com/x", want: "/x"},
		{name: "x/index.html", canonical: "http://EXAMPLE.com:80/x", want: "/x"},
		{name: "x/index.html", canonical: "https://Example.COM:443/x#top", want: "/x"},
		{name: "x/index.html", canonical: "//example.com/x", want: "/x"},
		{name: "x/index.html", canonical: "/x", want: "/x"},
		{name: "x/index.html", canonical: "../x", want: "/x"},
		{name: "x/index.html", canonical: "/%78", want: "/x"},
		{name: "x/index.html", canonical: "/x", clean: true, want: "/x"},
		{name: "x.html", canonical: "/x", want: "/x"},
		{name: "x.html", canonical: "/x/", want: "/x/"},
		{name: "x.html", canonical: "/x.html", clean: true, want: "/x.html"},

		{name: "x/index.htm", canonical: "/x/index.htm", want: "/x/index.htm"},
		{name: "x/index.htm", canonical: "/x", want: "/x"},

		// Without an own address, hosts decide.
		{name: "x/index.htm", canonical: "", want: "/x/", others: map[string]string{"/x": "/x"}},
		{name: "x/index.html", canonical: "", want: "/x/", others: map[string]string{"/x": "/x"}},
		{name: "x/index.html", canonical: "/x/", want: "/x/", others: map[string]string{"/x": "/x"}},
		{name: "x.html", canonical: "/x.html", want: "/x.html", others: map[string]string{"/x": "/x", "/x/": "/x/"}},
		{name: "x.html", canonical: "", clean: true, want: "/x",
			others: map[string]string{"/x/": "/x/", "/x.html": "/x.html"}},

		// What leads to another page, or where no host serves the file, or has a query, is not the page's own.
		{name: "x/index.html", canonical: "https://www.example.com/x", want: "/x/", others: map[string]string{"/x": "/x"}},
		{name: "x/index.html", canonical: "/y", want: "/x/", others: map[string]string{"/x": "/x"}},
		{name: "x/index.html", canonical: "/x.html", want: "/x/", others: map[string]string{"/x": "/x"}},
		{name: "x.html", canonical: "/x/index.html", want: "/x.html", others: map[string]string{"/x": "/x", "/x/": "/x/"}},
		{name: "x/index.html", canonical: "/x?a=1", want: "/x/", others: map[string]string{"/x": "/x"}},
		{name: "x/index.html", canonical: "https://[", want: "/x/", others: map[string]string{"/x": "/x"}},

		// Rules of _redirects are those of the host.
		{name: "x/index.html", canonical: "/x", rules: "/x /x/ 301!", want: "/x/", others: map[string]string{"/x": "/x"}},
		{name: "x.html", canonical: "/x", rules: "/x /y", want: "/x.html",
			others: map[string]string{"/x": "/x", "/x/": "/x/"}},
		{name: "x.html", canonical: "/x", rules: "/x /x.html 200", want: "/x", others: map[string]string{"/x/": "/x/"}},
	} {
		root := write(t, map[string]string{
			"index.html": page(""), test.name: page(test.canonical), "_redirects": test.rules,
		})
		site := open(t, root, folder.Options{URL: "https://example.com/", CleanURLs: &test.clean})
		for _, alias := range aliases {
			want := cmp.Or(test.others[alias], test.want)
			if slices.Contains(unserved[test.name], alias) {
				want = alias
			}
			if got := address(site, alias); got != want {
				t.Errorf("%s with canonical %q, rules %q, clean %v: %s is %s, want %s", test.name, test.canonical, test.rules,
					test.clean, alias, got, want)
			}
		}
		if status, got, _ := get(t, site, test.want); status != 200 || got != page(test.canonical) {
			t.Errorf("%s with canonical %q: %s answers %d %q", test.name, test.canonical, test.want, status, got)
		}
	}
}

func address(site *folder.Site, path string) string {
	if own := site.Address([]byte(path)); own != "" {
		return own
	}
	return path
}

// TestAddressOfTwoFiles keeps two files apart that hosts serve at similar paths.
func TestAddressOfTwoFiles(t *testing.T) {
	for _, test := range []struct {
		page, index string // canonicals of x.html and x/index.html
		want        map[string]string
	}{
		{"", "", map[string]string{"/x": "/x", "/x/": "/x/", "/x/index.html": "/x/", "/x.html": "/x.html"}},
		{"/x", "/x/", map[string]string{"/x": "/x", "/x/": "/x/", "/x/index.html": "/x/", "/x.html": "/x"}},
		{"/x/", "", map[string]string{"/x": "/x", "/x/": "/x/", "/x/index.html": "/x/", "/x.html": "/x.html"}},
		{"", "/x.html", map[string]string{"/x": "/x", "/x/": "/x/", "/x.html": "/x.html"}},
	} {
		site := open(t, write(t, map[string]string{
			"index.html": page(""), "x.html": page(test.page), "x/index.html": page(test.index),
		}), folder.Options{URL: "https://example.com", CleanURLs: new(false)})
		for path, want := range test.want {
			if got := address(site, path); got != want {
				t.Errorf("canonicals %q and %q: %s is %s, want %s", test.page, test.index, path, got, want)
			}
		}
	}
}

// TestAddressByLinks gives all files that are served for a folder the form that most links have, unless
// they name another one.
func TestAddressByLinks(t *testing.T) {
	links := func(paths ...string) (text string) {
		for _, path := range paths {
			text += "<a href=\"" + path + "\">link</a>"
		}
		return text
	}
	for _, test := range []struct {
		home, about string // the text of index.html and about.html
		clean       bool
		named       bool // with index.html
	}{
		{home: links("a/index.html", "b/index.htm", "c/"), named: true},
		{home: links("a/index.html", "c/"), about: links("https://example.com/docs/a/index.html#x"), named: true},
		{home: links("a/index.html"), about: `<base href="/docs/a/">` + links("index.html", "../b/"), named: true},
		{home: links("b/index.htm"), named: true},
		{home: links("a/index.html", "a/")},     // as many
		{home: links("a/index.html", "a", "b")}, // redirects to the slash
		{home: links("index.html", "a/index.html"), about: links("a/", "b/", "index.html", "../docs/index.html")},
		{home: links("none/index.html", "/a/index.html", "https://other.example/docs/a/index.html", "b/index.html?x")},
		{home: links("a/index.html"), clean: true},
	} {
		site := open(t, write(t, map[string]string{
			"index.html": test.home, "about.html": test.about, "a/index.html": links("#x", ""), "b/index.htm": links("#x"),
			"c/index.html": page("/docs/c/"), "d/index.html": page("/docs/d/index.html"),
		}), folder.Options{URL: "https://example.com/docs/", CleanURLs: &test.clean})
		want := map[string]string{"/docs/a/": "/docs/a/", "/docs/b/": "/docs/b/"}
		if test.named {
			want = map[string]string{"/docs/a/": "/docs/a/index.html", "/docs/b/": "/docs/b/index.htm"}
		}
		want["/docs/a/index.html"], want["/docs/b/index.htm"] = want["/docs/a/"], want["/docs/b/"]
		want["/docs/index.html"], want["/docs/c/index.html"], want["/docs/d/"] = "/docs/", "/docs/c/", "/docs/d/index.html"
		for path, want := range want {
			if got := address(site, path); got != want {
				t.Errorf("%s %s: %s is %s, want %s", test.home, test.about, path, got, want)
			}
			if status, _, _ := get(t, site, want); status != 200 {
				t.Errorf("%s answers %d", want, status)
			}
		}
	}
}

// TestAddressBelowPath maps paths in a site that is a part of its host.
func TestAddressBelowPath(t *testing.T) {
	site := open(t, write(t, map[string]string{
		"index.html": page("https://example.com/docs"), "a b/index.html": page("https://example.com/docs/a%20b"),
		"out/index.html": page("https://example.com/out"), "c(1).html": page(""),
	}), folder.Options{URL: "https://example.com/docs/"})
	for path, want := range map[string]string{
		"/docs/": "/docs/", "/docs/index.html": "/docs/", "/docs/a%20b/": "/docs/a%20b", "/docs/out/": "/docs/out/",
		"/docs/out/index.html": "/docs/out/", "/docs/c(1).html": "/docs/c(1).html", "/a%20b/": "/a%20b/",
		"/docs/%zz": "/docs/%zz", "/docs/none/index.html": "/docs/none/index.html",
	} {
		if got := address(site, path); got != want {
			t.Errorf("%s is %s, want %s", path, got, want)
		}
	}
}

// TestHeads finds canonical links however they are written, and reads no file to its end.
func TestHeads(t *testing.T) {
	for text, own := range map[string]bool{
		`<LINK REL="Canonical" HREF="/x">`:                                                true,
		`<!-- canonical > --><link rel=canonical href=/x>`:                                true,
		`<script>"canonical>"</script><link rel=canonical href='/x' title="a > b">`:       true,
		`<link title="a > b" href=/x rel=canonical>`:                                      true,
		`<base href="https://example.com/x/y/"><link rel=canonical href="../../x">`:       true,
		`<link rel=canonical href="">`:                                                    false,
		`<body><link rel=canonical href=/x>`:                                              false,
		`<link rel=canonical href=/x`:                                                     false,
		"<style>" + strings.Repeat(" ", 100<<10) + "</style><link rel=canonical href=/x>": true,
		"<style>" + strings.Repeat(" ", 1<<20) + "</style><link rel=canonical href=/x>":   false,
		"": false,
	} {
		root := write(t, map[string]string{"index.html": "", "x/index.html": text})
		site := open(t, root, folder.Options{URL: "https://example.com/"})
		if got := address(site, "/x/"); (got == "/x") != own {
			t.Errorf("%.80q: the address is %s", text, got)
		}
	}
}

// TestEscapes writes paths as a crawl writes them.
func TestEscapes(t *testing.T) {
	files := map[string]string{"index.html": ""}
	var names []string
	for c := rune(' '); c < 127; c++ {
		if !strings.ContainsRune(`/\.`, c) {
			names = append(names, "a"+string(c)+"ü.html")
			files[names[len(names)-1]] = ""
		}
	}
	got := map[string]bool{}
	for page, err := range open(t, write(t, files), folder.Options{URL: "https://example.com/"}).Pages() {
		if err != nil {
			t.Fatal(err)
		}
		got[page.Path] = true
	}
	base, err := urlnorm.NewBase([]byte("https://example.com/"))
	if err != nil {
		t.Fatal(err)
	}
	asLinked := strings.NewReplacer("%", "%25", "?", "%3F", "#", "%23")
	for _, name := range names {
		url, err := base.AppendResolve(nil, []byte(asLinked.Replace("./"+name)))
		if err != nil {
			t.Fatal(err)
		}
		key := string(urlnorm.AppendKey(nil, url, urlnorm.KeyOptions{}))
		if _, path := urlnorm.CutOrigin(key); !got[path] {
			t.Errorf("no page of %q has the path %s", name, path)
		}
	}
}

// TestKeepsOut recognizes files that are there for another page, or not for search engines.
func TestKeepsOut(t *testing.T) {
	for text, want := range map[string]bool{
		`<link rel=canonical href="/posts/"><meta http-equiv=refresh content="0; url=/posts/">`: true,
		`<meta http-equiv=refresh content="0; url=../y/">`:                                      true,
		`<link rel=canonical href="https://other.example/x/">`:                                  true,
		`<link rel=canonical href="/x/?a">`:                                                     true,
		`<noscript><meta http-equiv=refresh content="0; url=../y/"></noscript>`:                 true,
		`<script>location.replace("/y/")</script>`:                                              true,
		`<meta name=robots content="noindex, follow">`:                                          true,
		`<meta name=googlebot content=none>`:                                                    true,
		`<meta name=bingbot content=noindex>`:                                                   false,
		`<meta http-equiv=refresh content="5; url=../y/">`:                                      false,
		`<link rel=canonical href="/x/">`:                                                       false,
		`<link rel=canonical href="/x">`:                                                        false,
		`<link rel=canonical href="index.html">`:                                                false,
		`<p>text`:                                                                               false,
	} {
		root := write(t, map[string]string{"index.html": "", "x/index.html": text})
		site := open(t, root, folder.Options{URL: "https://example.com/"})
		if got := site.KeepsOut("x/index.html", false); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
	site := open(t, write(t, map[string]string{
		"index.html": "", "x/index.html": "", "_headers": "/x/*\n  X-Robots-Tag: noindex\n",
	}), folder.Options{URL: "https://example.com/"})
	if !site.KeepsOut("x/index.html", false) || site.KeepsOut("x/index.html", true) || site.KeepsOut("index.html", false) {
		t.Error("the header does not count, or where it should not")
	}
}

// TestScriptNames finds the names of pages in the scripts of another one.
func TestScriptNames(t *testing.T) {
	for text, want := range map[string]bool{
		`<script>menu(["one.html"])</script>`:                       true,
		`<script src="js/menu.js"></script>`:                        true,
		`<base href="/docs/js/"><script src="menu.js"></script>`:    true,
		`<script src="https://other.example/menu.js"></script>`:     false,
		`<script src="none.js"></script><script src="js"></script>`: false,
		`<!-- one.html --><p>text<script>menu()</script>`:           false,
		`<script src="other.js"></script>`:                          false,
	} {
		site := open(t, write(t, map[string]string{
			"index.html": text, "js/menu.js": `add("/docs/two.html")`, "other.js": "other",
		}), folder.Options{URL: "https://example.com/docs/"})
		if got := site.ScriptNames("index.html", []string{"one.html", "two.html"}); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

// TestNeedsCleanURLs serves clean URLs where at least three paths need them.
func TestNeedsCleanURLs(t *testing.T) {
	links := func(paths ...string) (text string) {
		for _, path := range paths {
			text += "<a href=\"" + path + "\">link</a>"
		}
		return text
	}
	for text, want := range map[string]bool{
		links("a", "/b", "https://EXAMPLE.com/c#x"): true,
		links("/a", "/b", "/a", "/a#x"):             false,
		links("a", "/b", "/d", "/none", "c/", "/e"): false, // d is a folder, and a rule serves e
		links("a.html", "b.html", "c.html"):         false,
		links("a", "b", "https://other.example/c"):  false,
		`<link rel=next href=a>` + links("b", "c"):  false,
	} {
		files := map[string]string{"index.html": "", "z/index.html": text, "_redirects": "/e /a.html 200\n"}
		for _, name := range []string{"a", "b", "c", "d", "e", "z/a", "z/b", "z/c"} {
			files[name+".html"] = ""
		}
		files["d/index.html"] = ""
		if got := open(t, write(t, files), folder.Options{URL: "https://example.com/"}).CleanURLs(); got != want {
			t.Errorf("%s: %v", text, got)
		}
		if open(t, write(t, files), folder.Options{URL: "https://example.com/", CleanURLs: new(false)}).CleanURLs() {
			t.Errorf("%s: clean URLs that were turned off", text)
		}
	}
}
