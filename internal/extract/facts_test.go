package extract

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// treeFacts are the facts of a page in the tree that golang.org/x/net/html builds.
type treeFacts struct {
	description, h1    string
	imagesWithoutAlt   int
	openGraph          map[string]string
	itemTypes          []string
	hasText, hasScript bool
}

func readTree(t *testing.T, page []byte) *treeFacts {
	t.Helper()
	root, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	f := &treeFacts{openGraph: map[string]string{}}
	hasH1 := false
	for n := range root.Descendants() {
		switch {
		case n.Type == html.TextNode:
			f.hasText = f.hasText || isShown(n.Parent) && trimASCII(n.Data) != ""
		case n.Type != html.ElementNode:
		case n.Data == "meta":
			f.meta(n)
		case n.Data == "img" && !hasAttribute(n, "alt"):
			f.imagesWithoutAlt++
		case n.Data == "h1" && !hasH1:
			hasH1, f.h1 = true, collapsed(textOf(n))
		case n.Data == "script":
			f.script(n)
		}
	}
	return f
}

// isShown reports whether the text of an element is text of the page.
func isShown(n *html.Node) bool {
	switch n.Data {
	case "script", "style", "noscript", "iframe", "textarea", "title", "noembed", "noframes", "xmp", "head", "html":
		return false
	}
	return true
}

// textOf returns the text of an element, with a space at every element of a block.
func textOf(n *html.Node) string {
	text := ""
	for child := range n.ChildNodes() {
		switch {
		case child.Type == html.TextNode && isShown(n):
			text += child.Data
		case child.Type == html.ElementNode && slices.Contains([]string{"br", "div", "p"}, child.Data):
			text += " " + textOf(child) + " "
		default:
			text += textOf(child)
		}
	}
	return text
}

func attributeOf(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func hasAttribute(n *html.Node, name string) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == name })
}

func (f *treeFacts) meta(n *html.Node) {
	content := attributeOf(n, "content")
	for _, attribute := range []string{"name", "property"} {
		name := strings.ToLower(trimASCII(attributeOf(n, attribute)))
		if name == "description" && f.description == "" {
			f.description = collapsed(content)
		}
		if property, ok := strings.CutPrefix(name, "og:"); ok && f.openGraph[property] == "" {
			f.openGraph[property] = trimASCII(content)
		}
	}
}

func (f *treeFacts) script(n *html.Node) {
	kind := strings.ToLower(trimASCII(attributeOf(n, "type")))
	if kind != "application/ld+json" {
		f.hasScript = f.hasScript || kind == "" || kind == "module" || strings.HasSuffix(kind, "javascript")
		return
	}
	if n.FirstChild == nil {
		return
	}
	// Line breaks inside strings are not allowed, but common.
	text := strings.NewReplacer("\n", " ", "\r", " ", "\t", " ").Replace(n.FirstChild.Data)
	var value any
	if json.Unmarshal([]byte(text), &value) == nil {
		f.items(value)
	}
}

func (f *treeFacts) items(value any) {
	switch value := value.(type) {
	case []any:
		for _, item := range value {
			f.items(item)
		}
	case map[string]any:
		types, _ := value["@type"].([]any)
		if one, ok := value["@type"].(string); ok {
			types = []any{one}
		}
		for _, kind := range types {
			name, ok := kind.(string)
			name = strings.TrimPrefix(strings.TrimPrefix(name, "https://schema.org/"), "http://schema.org/")
			if ok && !slices.Contains(f.itemTypes, name) {
				f.itemTypes = append(f.itemTypes, name)
			}
		}
		for _, inside := range []string{"@graph", "mainEntity", "video"} {
			f.items(value[inside])
		}
	}
}

// compareFacts fails the test where the Scanner and the tree disagree about a page.
func compareFacts(t *testing.T, s *Scanner, page []byte) {
	t.Helper()
	got, want := s.Scan(page, "text/html; charset=utf-8", Options{}), readTree(t, page)
	og := &got.OpenGraph
	for _, fact := range []struct {
		name      string
		got, want any
	}{
		{"description", string(got.Description), want.description},
		{"h1", string(got.H1), want.h1},
		{"images without alt", got.ImagesWithoutAlt, want.imagesWithoutAlt},
		{"item types", strings.Join(got.ItemTypes, ","), strings.Join(want.itemTypes, ",")},
		{"text", got.HasText, want.hasText},
		{"script", got.HasScript, want.hasScript},
		{"og:title", string(og.Title), want.openGraph["title"]},
		{"og:type", string(og.Type), want.openGraph["type"]},
		{"og:url", string(og.URL), want.openGraph["url"]},
		{"og:description", string(og.Description), want.openGraph["description"]},
	} {
		if fact.got != fact.want {
			t.Errorf("%s: got %v, want %v", fact.name, fact.got, fact.want)
		}
	}
}

// TestFactsAgainstTree compares the facts of pages with those in the tree of
// golang.org/x/net/html.
func TestFactsAgainstTree(t *testing.T) {
	var s Scanner
	files, err := filepath.Glob("testdata/*/*.html")
	if err != nil || len(files) == 0 {
		t.Fatalf("no pages in testdata: %v", err)
	}
	for _, name := range files {
		page, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) { compareFacts(t, &s, page) })
	}
	for _, page := range factPages {
		t.Run(page, func(t *testing.T) { compareFacts(t, &s, []byte(page)) })
	}
	t.Run("article", func(t *testing.T) { compareFacts(t, &s, articlePage()) })
}

var factPages = []string{
	``,
	`<title>Only a title</title>`,
	`<div id=root></div><noscript>Turn scripts on</noscript><script src=app.js></script>`,
	`<div id=root></div><script type=module>start()</script>`,
	`<div></div><script type="application/json">{"a":1}</script>`,
	`<body>text<script type=" TEXT/JavaScript ">x</script>`,
	`<textarea>not shown</textarea><iframe>nor this</iframe><script></script>`,
	`<h1> A  <b>bold</b><br>head&amp;line </h1><h1>another</h1>`,
	`<h1></h1><h1>second</h1>`,
	`<h1>a<style>x{}</style><div>b</div>c</h1>`,
	`<img src=a><img src=b alt><img src=c alt=""><img src=d alt=text><IMG SRC=e><image src=f>`,
	`<svg><image href=a></image></svg><img>`,
	`<noscript><img src=a></noscript><picture><source srcset=a><img src=b></picture>`,
	`<meta name=description content=" A  page "><meta name=description content=second>`,
	`<meta name=Description content=""><meta property=" DESCRIPTION " content="a &quot;b&quot;">`,
	`<meta property=og:title content=T><meta name=og:type content=" website "><meta property=og:url content=/u>`,
	`<meta property=og:title content=first><meta property=og:title content=second><meta property=og:description content=D>`,
	`<script type="application/ld+json">{"@type":"Article","author":{"@type":"Person"}}</script>`,
	`<script type="application/ld+json">[{"@type":["Product","https://schema.org/Car"]},{"@type":"Product"}]</script>`,
	`<script type="application/ld+json">{"@graph":[{"@type":"WebPage","mainEntity":{"@type":"FAQPage"}},{"@type":7}]}</script>`,
	`<script type="application/ld+json">{"@type":"Broken"</script><p>text`,
}

// TestItemTypesAreBounded checks the limits of the types of one page.
func TestItemTypesAreBounded(t *testing.T) {
	var types []string
	for i := range 100 {
		types = append(types, fmt.Sprintf("%q", strings.Repeat("T", 100+i)), fmt.Sprintf(`"Type%d"`, i))
	}
	var s Scanner
	page := s.Scan([]byte(`<script type="application/ld+json">{"@type":[`+strings.Join(types, ",")+`]}</script>`), "", Options{})
	if len(page.ItemTypes) != maxTypes {
		t.Errorf("%d types", len(page.ItemTypes))
	}
	for _, kind := range page.ItemTypes {
		if len(kind) > maxType {
			t.Errorf("a type has %d bytes", len(kind))
		}
	}
}
