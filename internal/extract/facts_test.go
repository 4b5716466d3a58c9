package extract

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// treeFacts are the facts of a page in the tree that golang.org/x/net/html builds.
type treeFacts struct {
	title, description, h1       string
	secondTitle, secondH1        string
	titles, descriptions, h1s    int
	descriptionsIn, robotsIn     int // the body
	canonical                    string
	images, withoutAlt, unsized  int
	form, password, video, asks  bool
	viewport, hasText, hasScript bool
	openGraph                    map[string]string
	itemTypes                    []string
	links                        []string // of a, with their texts
	scriptAnchors                int
	noIndex                      bool
}

func readTree(t *testing.T, page []byte) *treeFacts {
	t.Helper()
	root, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	f := &treeFacts{openGraph: map[string]string{}}
	f.read(root, false)
	return f
}

// read adds the facts of a node and of what is in it.
func (f *treeFacts) read(n *html.Node, inBody bool) {
	switch {
	case n.Type == html.TextNode:
		f.hasText = f.hasText || isShown(n.Parent) && trimASCII(n.Data) != ""
	case n.Type != html.ElementNode || n.Namespace != "" && n.Data != "a":
	default:
		f.element(n, inBody)
	}
	if n.Type == html.ElementNode && n.Data == "template" && n.Namespace == "" {
		return
	}
	for child := range n.ChildNodes() {
		f.read(child, inBody || n.Data == "body")
	}
}

// countText counts a text and keeps the first and the second.
func countText(count *int, first, second *string, text string) {
	*count++
	switch *count {
	case 1:
		*first = text
	case 2:
		*second = text
	}
}

func (f *treeFacts) element(n *html.Node, inBody bool) {
	kind := strings.ToLower(trimASCII(attributeOf(n, "type")))
	switch n.Data {
	case "title":
		countText(&f.titles, &f.title, &f.secondTitle, folded(textOf(n)))
	case "meta":
		f.meta(n, inBody)
	case "img":
		f.images++
		f.image(n)
		shown := trimASCII(attributeOf(n, "src")) != "" || !hasAttribute(n, "src")
		if shown && (!hasAttribute(n, "width") || !hasAttribute(n, "height")) {
			f.unsized++
		}
	case "input":
		f.password = f.password || kind == "password"
		if kind == "image" {
			f.image(n)
		}
	case "form":
		f.form = true
	case "video":
		f.video = true
	case "h1":
		if text := folded(textOf(n)); text != "" {
			countText(&f.h1s, &f.h1, &f.secondH1, text)
		}
	case "link":
		if strings.ToLower(attributeOf(n, "rel")) == "canonical" && !inBody && f.canonical == "" {
			f.canonical = trimASCII(attributeOf(n, "href"))
		}
	case "a":
		f.link(n)
	case "noscript":
		f.asks = f.asks || n.FirstChild != nil && strings.Contains(strings.ToLower(n.FirstChild.Data), "javascript")
	case "script":
		f.script(n)
	}
}

func (f *treeFacts) image(n *html.Node) {
	role := attributeOf(n, "role")
	if !hasAttribute(n, "alt") && role != "presentation" && role != "none" {
		f.withoutAlt++
	}
}

// opener is in the scripts that open a page.
var opener = regexp.MustCompile(`location|open\(|://|['"]/|\./|\.(htm|php|asp|jsp)`)

func (f *treeFacts) link(n *html.Node) {
	if !hasAttribute(n, "href") {
		script := attributeOf(n, "onclick")
		if opener.MatchString(script) && !hasAttribute(n, "name") && !hasAttribute(n, "id") {
			f.scriptAnchors++
		}
		return
	}
	text := folded(visibleText(n, false))
	var alts, titles []string
	for child := range n.Descendants() {
		switch {
		case child.Data == "img":
			alts = append(alts, attributeOf(child, "alt"))
		case child.Data == "title" && child.Namespace == "svg" && child.FirstChild != nil:
			titles = append(titles, child.FirstChild.Data)
		}
	}
	for _, other := range []string{strings.Join(alts, " "), attributeOf(n, "aria-label"), attributeOf(n, "title"),
		strings.Join(titles[:min(len(titles), 1)], "")} {
		text = cmp.Or(text, folded(other))
	}
	f.links = append(f.links, trimASCII(attributeOf(n, "href"))+" "+text)
}

// folded returns a text as rules measure it.
func folded(text string) string { return strings.Join(strings.Fields(text), " ") }

// isShown reports whether the text of an element is text of the page.
func isShown(n *html.Node) bool {
	if n.Namespace == "svg" {
		return false
	}
	switch n.Data {
	case "script", "style", "noscript", "iframe", "textarea", "title", "noembed", "noframes", "xmp", "head", "html":
		return false
	}
	return true
}

// textOf returns the text of an element with the alt texts in it.
func textOf(n *html.Node) string { return visibleText(n, true) }

// visibleText returns the text of an element, with a space at every element of a block.
func visibleText(n *html.Node, alt bool) string {
	text := ""
	for child := range n.ChildNodes() {
		switch {
		case child.Type == html.TextNode && (isShown(n) || n.Data == "title" && n.Namespace == ""):
			text += child.Data
		case child.Data == "template":
		case child.Data == "img" && alt:
			text += attributeOf(child, "alt")
		case child.Type == html.ElementNode && slices.Contains([]string{"br", "div", "p"}, child.Data):
			text += " " + visibleText(child, alt) + " "
		default:
			text += visibleText(child, alt)
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

func (f *treeFacts) meta(n *html.Node, inBody bool) {
	if !hasAttribute(n, "content") {
		return
	}
	content := attributeOf(n, "content")
	names := []string{strings.ToLower(trimASCII(attributeOf(n, "name"))),
		strings.ToLower(trimASCII(attributeOf(n, "property")))}
	for _, name := range slices.Compact(names) {
		switch name {
		case "description":
			f.descriptions++
			f.descriptionsIn += number(inBody)
			f.description = cmp.Or(f.description, folded(content))
		case "robots":
			f.robotsIn += number(inBody)
			f.noIndex = f.noIndex || strings.Contains(content, "noindex")
		case "viewport":
			f.viewport = true
		}
		if property, ok := strings.CutPrefix(name, "og:"); ok && f.openGraph[property] == "" {
			f.openGraph[property] = trimASCII(content)
		}
	}
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
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
	var links []string
	for _, link := range got.Links {
		if link.Kind == KindAnchor {
			links = append(links, string(link.URL)+" "+string(link.Text))
		}
	}
	for _, fact := range []struct {
		name      string
		got, want any
	}{
		{"title", string(got.Title), want.title},
		{"titles", got.Titles.Count, want.titles},
		{"second title", string(got.Titles.Second), want.secondTitle},
		{"description", string(got.Description), want.description},
		{"descriptions", got.Descriptions.Count, want.descriptions},
		{"descriptions in the body", got.DescriptionsInBody, want.descriptionsIn},
		{"robots in the body", got.RobotsInBody, want.robotsIn},
		{"noindex", got.Robots.All.NoIndex, want.noIndex},
		{"canonical", string(got.Canonical), want.canonical},
		{"h1", string(got.H1), want.h1},
		{"h1s", got.H1s.Count, want.h1s},
		{"second h1", string(got.H1s.Second), want.secondH1},
		{"links", fmt.Sprintf("%q", links), fmt.Sprintf("%q", want.links)},
		{"script anchors", got.ScriptAnchors, want.scriptAnchors},
		{"images", got.Images, want.images},
		{"images without alt", got.ImagesWithoutAlt, want.withoutAlt},
		{"images without size", got.ImagesWithoutSize, want.unsized},
		{"form", got.HasForm, want.form},
		{"password", got.HasPassword, want.password},
		{"video", got.HasVideo, want.video},
		{"viewport", got.HasViewport, want.viewport},
		{"asks for scripts", got.AsksForScript, want.asks},
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

	// Templates.
	`<title>T</title><template><title>X</title><meta name=robots content=noindex><meta name=description content=d>
<link rel=canonical href=/t></template><link rel=canonical href=/c><h1>A</h1>`,
	`<p>a<template><h1>x</h1><a href=/t>t</a><img src=a><form></form><template><a href=/u>u</a></template><a href=/v>v</a>
</template><a href=/w>w</a>`,
	`<template><script>"</template><a href=/a>"</script></template><a href=/b>b</a>`,
	`<template><!-- </template> --><a href=/a>a</a></template><a href=/b>b</a>`,
	`<template><textarea></template></textarea><a href=/a>a</a></template><a href=/b>b</a>`,
	`<template><svg></svg><svg/><svg><path></template><a href=/b>b</a>`,
	`<template><a href=/a>never closed`,
	`</template><a href=/a>a</a>`,
	`<template></TEMPLATE x=y><h1>h</h1>`,

	// What is in the head.
	`<head><title>a</title></head> <!-- c --> <meta name=description content=d><link rel=canonical href=/c><p>x`,
	`<head></head><body><meta name=description content=d><meta name=robots content=noindex><link rel=canonical href=/c>`,
	`<head><div></div><meta name=description content=d></head><link rel=canonical href=/c>`,
	`<head></head><noscript>x</noscript><link rel=canonical href=/c>`,
	`<head></head>text<meta name=robots content=index>`,
	`<head></p></head></div><link rel=canonical href=/c>`,
	`<head></br><link rel=canonical href=/c></head>`,
	`<p>x<title>In the body</title>`,
	`<body><title></title><title>Second</title><title>Third</title>`,

	// SVG.
	`<svg><title>Picture</title></svg><title>Page</title>`,
	`<h1><svg><title>Logo</title><text>drawn</text></svg></h1>`,
	`<a href=/a><svg><title> The&nbsp;shop </title><title>x</title><text>drawn</text></svg></a>`,
	`<svg><path><p>text</p><title>Page</title><h1>head</h1>`,
	`<svg><foreignObject><p>text</p></foreignObject><title>Picture</title></svg><title>Page</title>`,

	// Names of links.
	`<a href=/a><img src=i alt=" alt&nbsp;text "> text</a><a href=/b><img src=i alt=one><img src=j alt=two></a>`,
	`<a href=/a aria-label=label title=title></a><a href=/b title=" title ">&nbsp;</a><a href=/c> <img src=i></a>`,
	`<a href=/a title=t><img src=i alt=alt></a><a href=/b></a>`,
	`<a onclick=open()>x</a><a onclick=open() name=n>x</a><a onclick=open() id=i>x</a><a>x</a><a href onclick=open()>x</a>`,
	`<a onclick=menu.toggle()>x</a><a onclick="show('about.html')">x</a><a onclick="go(&quot;/&quot;)">x</a><a onclick=a.location=b>x</a>`,

	// References in the values of attributes.
	`<meta name="&#100;escription" content=d><meta name="robot&#x73;" content=noindex><link rel="&#99;anonical" href=/c>`,
	`<input type="pass&#119;ord"><img src=a role="&#110;one"><script type="text/java&#115;cript">x</script>`,

	// Counts.
	"<title> A  title </title><meta name=description content='a&nbsp; b'><h1>&nbsp;</h1>",
	`<meta name=description property=description content=d><meta name=description property=og:description content=e>`,
	`<h1><img src=a alt=Logo></h1><h1>Head <img src=b alt=more></h1><h1> </h1>`,
	`<img src alt><img src=" "><img srcset=a><img src=a width=1 height=1 alt><img src=b width=1><input type=image src=c><input type=image alt=x><img role=presentation src=d>`,
	`<form method=dialog></form><input type=PASSWORD><video></video><meta name=viewport content=width>`,
	`<div id=app></div><noscript>You need to enable JavaScript to run this app.</noscript>`,
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
