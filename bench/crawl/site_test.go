package main

import (
	"errors"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// TestTruth walks a small site by the standard library's rules for addresses and
// a general HTML tokenizer, and finds what the truth file lists.
func TestTruth(t *testing.T) {
	s := newSite(1000, 8080)
	folder := t.TempDir()
	if err := s.write(folder); err != nil {
		t.Fatal(err)
	}
	w := walk{t: t, folder: folder, site: s, byPath: map[string]address{}, linked: map[string][]string{}}
	for _, a := range s.addresses {
		w.byPath[a.path] = a
	}
	w.from("/")
	want := s.truth()
	for _, test := range []struct {
		what       string
		found, was []string
	}{
		{"pages", w.pages, want.Pages},
		{"listed", w.listed, want.Listed},
		{"dead", w.dead, slices.Collect(maps.Keys(want.Dead))},
		{"redirects and loops", w.redirects,
			slices.AppendSeq(slices.Collect(maps.Keys(want.Redirects)), maps.Keys(want.Loops))},
		{"blocked", w.blocked, want.Blocked},
	} {
		slices.Sort(test.found)
		slices.Sort(test.was)
		if len(test.was) == 0 || !slices.Equal(test.found, test.was) {
			t.Errorf("%s: %s", test.what, difference(test.found, test.was))
		}
	}
	for path, pages := range want.Dead {
		if found := slices.Sorted(slices.Values(w.linked[path])); !slices.Equal(slices.Compact(found), pages) {
			t.Errorf("%s is linked from %v, by the truth from %v", path, found, pages)
		}
	}
	for _, path := range slices.Concat(want.Unfollowed, want.Forbidden) {
		if w.linked[path] != nil {
			t.Errorf("%s is linked from %v", path, w.linked[path])
		}
	}
	for address, target := range want.Loops {
		for hops := 0; target != address; hops++ {
			if hops == 3 {
				t.Fatalf("%s leads to %s, which does not lead back", address, target)
			}
			target = want.Loops[target]
		}
	}
}

// A walk collects what a reader finds who visits every page.
type walk struct {
	t      *testing.T
	folder string
	site   *site
	byPath map[string]address
	linked map[string][]string

	pages, listed, dead, redirects, blocked []string
}

func (w *walk) from(start string) {
	queue := []string{start}
	for len(queue) > 0 {
		path := queue[0]
		queue = queue[1:]
		for _, next := range w.visit(path) {
			if w.linked[next] == nil {
				queue = append(queue, next)
			}
			w.linked[next] = append(w.linked[next], path)
		}
	}
	w.pages = slices.Compact(slices.Sorted(slices.Values(w.pages)))
	w.listed = slices.Compact(slices.Sorted(slices.Values(w.listed)))
}

// visit returns where a path leads.
func (w *walk) visit(path string) []string {
	if strings.HasPrefix(path, "/private/") {
		w.blocked = append(w.blocked, path)
		return nil
	}
	if a := w.byPath[path]; a.kind == redirect || a.kind == loop {
		w.redirects = append(w.redirects, path)
		return []string{w.site.addresses[a.target].path}
	}
	text, err := os.ReadFile(fileName(w.folder, path))
	if errors.Is(err, fs.ErrNotExist) {
		w.dead = append(w.dead, path)
		return nil
	}
	if err != nil {
		w.t.Fatal(err)
	}
	if filepath.Ext(path) == ".zip" {
		return nil
	}
	if len(text) < pageSize || len(text) > pageSize+200 {
		w.t.Errorf("%s weighs %d bytes", path, len(text))
	}
	return w.read(path, string(text))
}

// read notes a page and returns its links.
func (w *walk) read(path, text string) []string {
	base, err := url.Parse(w.site.base + path)
	if err != nil {
		w.t.Fatal(err)
	}
	canonical := w.site.base + path
	var robots string
	var hrefs []string
	tokens := html.NewTokenizer(strings.NewReader(text))
	for kind := tokens.Next(); kind != html.ErrorToken; kind = tokens.Next() {
		token := tokens.Token()
		if kind == html.EndTagToken {
			continue
		}
		attributes := map[string]string{}
		for _, a := range token.Attr {
			attributes[a.Key] = a.Val
		}
		switch token.Data {
		case "base":
			base, _ = base.Parse(attributes["href"])
		case "meta":
			if strings.EqualFold(attributes["name"], "robots") {
				robots = strings.ToLower(attributes["content"])
			}
		case "link":
			if attributes["rel"] == "canonical" {
				canonical = attributes["href"]
			}
		case "a":
			if !strings.Contains(strings.ToLower(attributes["rel"]), "nofollow") {
				hrefs = append(hrefs, strings.TrimSpace(attributes["href"]))
			}
		}
	}
	w.pages = append(w.pages, path)
	if robots != "noindex" && canonical == w.site.base+path {
		w.listed = append(w.listed, path)
	}
	if robots == "nofollow" {
		return nil
	}
	return w.resolve(base, hrefs)
}

func (w *walk) resolve(base *url.URL, hrefs []string) []string {
	paths := map[string]bool{}
	for _, href := range hrefs {
		u, err := base.Parse(href)
		if err != nil {
			w.t.Errorf("%s: %v", base, err)
			continue
		}
		if got := strings.ToLower(u.Scheme + "://" + u.Host); got != w.site.base {
			w.t.Errorf("%s on %s leads to another site", href, base)
		}
		paths[oneSpelling(u.RequestURI())] = true
	}
	return slices.Collect(maps.Keys(paths))
}

// TestDecoys makes sure that there is something to fall for in every place.
func TestDecoys(t *testing.T) {
	s := newSite(1000, 8080)
	shown := map[string]bool{}
	for i := range s.pages {
		if place, path := decoy(i); place != "" && strings.Contains(string(s.render(nil, i)), path) {
			shown[place] = true
		}
	}
	if len(shown) != len(decoyPlaces) {
		t.Errorf("decoys only in %v", slices.Sorted(maps.Keys(shown)))
	}
}

func TestOneSpelling(t *testing.T) {
	for target, want := range map[string]string{
		"/":                         "/",
		"/a/%C3%BCber.html":         "/a/%C3%BCber.html",
		"/a/%c3%bc%62er.html":       "/a/%C3%BCber.html",
		"/a/über.html":              "/a/%C3%BCber.html",
		"/a/b/../c/./":              "/a/c/",
		"/a/%7Eb?x=%7E&y=/../":      "/a/~b?x=%7E&y=/../",
		"/a/one%20two,three'4.html": "/a/one%20two,three'4.html",
	} {
		if got := oneSpelling(target); got != want {
			t.Errorf("%s: %s, not %s", target, got, want)
		}
	}
}

func TestJudge(t *testing.T) {
	known := truth{
		Pages:      []string{"/", "/a", "/b"},
		Dead:       map[string][]string{"/gone": {"/"}},
		Redirects:  map[string]string{"/moved": "/a"},
		Loops:      map[string]string{"/round": "/round"},
		Blocked:    []string{"/private/"},
		Unfollowed: []string{"/no"},
		Forbidden:  []string{"/comment"},
		Assets:     []string{"/picture.png"},
	}
	var requests []request
	for _, line := range []string{"200 /robots.txt", "200 /", "200 /a", "200 /a", "500 /b", "404 /gone", "301 /moved",
		"301 /round", "404 /private/", "404 /no", "404 /comment", "200 /picture.png", "404 /strange"} {
		requests = append(requests, request{status: line[:3], address: line[4:]})
	}
	got := known.judge(requests)
	want := findings{pages: 2, dead: 1, redirects: 1, loops: 1, requests: 13, repeats: 1,
		blocked: 1, unfollowed: 1, forbidden: 1, unknown: 1}
	if !slices.Equal(got.strangers, []string{"/strange"}) {
		t.Errorf("strangers: %v", got.strangers)
	}
	got.strangers = nil
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
