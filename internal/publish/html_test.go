package publish

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mapatools/mapa/sitemap"
	"golang.org/x/net/html"
)

// shown is a page of links as a browser parses it.
type shown struct {
	headings []string
	links    []string // in main: address and text
	places   []string // in the footer
	elements map[string]int
	handlers int // attributes that run something
}

func parse(t *testing.T, text string) *shown {
	t.Helper()
	root, err := html.Parse(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	s := &shown{elements: map[string]int{}}
	s.walk(root, "")
	return s
}

func (s *shown) walk(n *html.Node, inside string) {
	if n.Type == html.ElementNode {
		s.elements[n.Data]++
		switch n.Data {
		case "main", "footer":
			inside = n.Data
		case "h2":
			s.headings = append(s.headings, textOf(n))
		}
		for _, a := range n.Attr {
			if strings.HasPrefix(a.Key, "on") || a.Key == "src" {
				s.handlers++
			}
			if n.Data == "a" && a.Key == "href" && inside == "main" {
				s.links = append(s.links, a.Val+" "+textOf(n))
			}
			if n.Data == "a" && a.Key == "href" && inside == "footer" {
				s.places = append(s.places, a.Val)
			}
		}
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		s.walk(c, inside)
	}
}

func textOf(n *html.Node) string {
	if n.Type == html.TextNode {
		return n.Data
	}
	var b strings.Builder
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		b.WriteString(textOf(c))
	}
	return b.String()
}

func TestHTML(t *testing.T) {
	dir := t.TempDir()
	pages := []*Page{
		page("/", "Home"), page("/a", "A & B"), page("/a/b/", ""), page("/a/b/c", "C"), page("/b", "B"),
		page("/b/%C3%A4/?x=/y/", ""), page("/z/%FF", ""),
		{URL: sitemap.URL{Loc: "https://shop.example.com/1"}, Title: "Shop"},
	}
	mustRun(t, Options{Folder: dir, Outputs: []Output{OutputHTML}}, pages)
	s := parse(t, read(t, dir, "sitemap.html"))
	if want := []string{"/ 3", "/a/ 1", "/a/b/ 1", "/b/ 1", "/z/ 1", "shop.example.com/ 1"}; !slices.Equal(s.headings,
		want) {
		t.Errorf("headings %q, want %q", s.headings, want)
	}
	want := []string{
		"https://example.com/ Home", "https://example.com/a A & B", "https://example.com/b B",
		"https://example.com/a/b/ /a/b/",
		"https://example.com/a/b/c C", "https://example.com/b/%C3%A4/?x=/y/ /b/ä/?x=/y/", "https://example.com/z/%FF /z/%FF",
		"https://shop.example.com/1 Shop",
	}
	if !slices.Equal(s.links, want) {
		t.Errorf("links %q, want %q", s.links, want)
	}
	if len(s.places) > 0 {
		t.Errorf("one page leads to %v", s.places)
	}
}

// TestHTMLHostile writes titles and URLs with markup.
func TestHTMLHostile(t *testing.T) {
	dir := t.TempDir()
	var pages []*Page
	for _, text := range []string{hostile, `"><img src=x onerror=alert(1)>`, "</style><script>x</script>", "<!--", "{{.}}",
		"javascript:alert(1)", "&lt;b&gt;"} {
		pages = append(pages, page("/"+text, text), page("/dir"+text+"/x", text))
	}
	mustRun(t, Options{Folder: dir, Outputs: []Output{OutputHTML}}, pages)
	s := parse(t, read(t, dir, "sitemap.html"))
	if s.elements["script"]+s.elements["img"]+s.elements["b"]+s.handlers != 0 || s.elements["style"] != 1 ||
		s.elements["title"] != 1 {
		t.Errorf("elements %v, %d handlers", s.elements, s.handlers)
	}
	if len(s.links) == 0 || s.elements["li"] < len(s.links) {
		t.Fatalf("%d links in %d items", len(s.links), s.elements["li"])
	}
	for _, link := range s.links {
		if !strings.HasPrefix(link, "https://example.com/") {
			t.Errorf("a link leads to %s", link)
		}
	}
}

// TestHTMLPages follows the links between all pages: every target exists, and a few steps
// reach any page from the first.
func TestHTMLPages(t *testing.T) {
	const count = 120
	dir := t.TempDir()
	published := mustRun(t, Options{Folder: dir, Outputs: []Output{OutputHTML}}, site(count*linksPerPage-1))
	names := strings.Fields(fileNames(t, dir))
	if len(names) != count || published.Pages != count*linksPerPage {
		t.Fatalf("%d pages, %+v", len(names), published)
	}
	leads := map[string][]string{}
	links := 0
	for _, name := range names {
		s := parse(t, read(t, dir, name))
		links += len(s.links)
		leads[name] = s.places
		if len(s.places) > 20 {
			t.Errorf("%s leads to %d pages", name, len(s.places))
		}
	}
	if links != published.Pages {
		t.Errorf("%d links, want %d", links, published.Pages)
	}
	reached := map[string]bool{"sitemap.html": true}
	for steps := 1; len(reached) < count; steps++ {
		if steps > 6 {
			t.Fatalf("%d pages are reached in six steps", len(reached))
		}
		for from := range copyOf(reached) {
			for _, to := range leads[from] {
				if !slices.Contains(names, to) {
					t.Fatalf("%s leads to %s", from, to)
				}
				reached[to] = true
			}
		}
	}
}

func copyOf(set map[string]bool) map[string]bool {
	c := map[string]bool{}
	for name := range set {
		c[name] = true
	}
	return c
}

func TestFolderOf(t *testing.T) {
	for path, want := range map[string]string{
		"/": "/", "/a": "/", "/a/": "/", "/a/b": "/a/", "/a/b/": "/a/", "/a?b/c": "/", "//": "/", "/a//b": "/a//", "/?x": "/",
	} {
		if got := folderOf(path); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

func TestPlaces(t *testing.T) {
	h := &htmlOutput{files: &series{stem: "sitemap", extension: ".html", count: 300}}
	var got []string
	for _, p := range h.pageLinks(100) {
		text := fmt.Sprint(p.Number)
		if p.Name == "" {
			text = "…"
		} else if p.Here {
			text = "[" + text + "]"
		}
		got = append(got, text)
	}
	if want := "1 … 50 … 90 … 98 99 [100] 101 102 … 110 … 150 … 300"; strings.Join(got, " ") != want {
		t.Errorf("%s, want %s", strings.Join(got, " "), want)
	}
}

// TestTemplateIsStatic checks that the template has no scripts and loads no resources.
func TestTemplateIsStatic(t *testing.T) {
	if found := regexp.MustCompile(`(?i)<script|\son[a-z]+=|\sstyle=|url\(|@import|https?://`).FindString(htmlText); found != "" {
		t.Errorf("the template holds %q", found)
	}
}
