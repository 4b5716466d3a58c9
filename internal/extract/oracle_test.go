package extract

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/net/html"
)

// documentation names a folder of HTML pages, such as /usr/share/doc, on which
// the Scanner is compared with the Tokenizer of golang.org/x/net/html.
const documentation = "MAPA_HTML_CORPUS"

// oracle reads a page with the Tokenizer of golang.org/x/net/html.
type oracle struct {
	Links, Anchors   []string
	Base, Title      string
	ImagesWithoutAlt int

	attributes map[string]string
	template   int // open templates
	svg        int
	foreign    int // in the page, or in the outermost template
	html       int // open foreignObject elements in SVG
	picture    int
	based      bool
	titled     bool
}

func readWithTokenizer(page []byte) *oracle {
	o := &oracle{}
	z := html.NewTokenizer(bytes.NewReader(page))
	inTitle := false
	for {
		z.AllowCDATA(o.foreign > 0)
		switch kind := z.Next(); kind {
		case html.ErrorToken:
			return o
		case html.TextToken:
			if inTitle {
				o.Title = folded(string(z.Text()))
			}
			inTitle = false
		case html.EndTagToken:
			inTitle = false
			name, _ := z.TagName()
			o.end(string(name))
		case html.StartTagToken, html.SelfClosingTagToken:
			token := z.Token()
			if o.startTemplate(token) {
				continue
			}
			if slices.Contains(breakingOut, token.Data) && o.html == 0 {
				o.foreign, o.svg = 0, 0
			}
			inTitle = token.Data == "title" && !o.titled && o.foreign == 0
			o.titled = o.titled || inTitle
			o.start(token)
			o.open(token)
		}
	}
}

// breakingOut are elements that end foreign content (HTML standard, section 13.2.6.5).
var breakingOut = []string{"blockquote", "body", "br", "center", "dd", "div", "dl", "dt", "embed", "h1", "h2", "h3",
	"h4", "h5", "h6", "head", "hr", "img", "li", "menu", "meta", "ol", "p", "pre", "table", "ul"}

// startTemplate handles a start tag in a template, or that of one.
func (o *oracle) startTemplate(token html.Token) bool {
	o.read(token)
	mode := strings.ToLower(trimASCII(o.attributes["shadowrootmode"]))
	switch {
	case o.foreign == 0 && token.Data == "template" && (o.template > 0 || mode != "open" && mode != "closed"):
		if o.template == 0 {
			o.addAnchors(token)
		}
		o.template++
		return true
	case o.template > 0:
		o.open(token)
		return true
	}
	return false
}

// open counts elements that are not empty.
func (o *oracle) open(token html.Token) {
	switch {
	case token.Type == html.SelfClosingTagToken:
	case token.Data == "svg" || token.Data == "math":
		o.foreign++
		o.svg += number(token.Data == "svg")
	case token.Data == "foreignobject" && o.svg > 0 && o.template == 0:
		o.html++
	}
}

func (o *oracle) end(name string) {
	switch name {
	case "template":
		if o.template > 0 {
			o.template--
			o.foreign, o.svg = 0, 0
		}
	case "svg", "math":
		o.foreign = max(o.foreign-1, 0)
		if o.svg = max(o.svg-number(name == "svg"), 0); o.svg == 0 && o.template == 0 {
			o.html = 0
		}
	case "foreignobject":
		o.html = max(o.html-number(o.template == 0), 0)
	case "picture":
		o.picture = max(o.picture-number(o.template == 0), 0)
	}
}

// read keeps the attributes of a start tag.
func (o *oracle) read(token html.Token) {
	o.attributes = map[string]string{}
	for _, a := range token.Attr {
		if _, seen := o.attributes[a.Key]; !seen {
			o.attributes[a.Key] = a.Val
		}
	}
}

func (o *oracle) addAnchors(token html.Token) {
	if id := o.attributes["id"]; id != "" {
		o.Anchors = append(o.Anchors, id)
	}
	if name := o.attributes["name"]; name != "" && token.Data == "a" {
		o.Anchors = append(o.Anchors, name)
	}
}

func (o *oracle) start(token html.Token) {
	o.addAnchors(token)
	switch token.Data {
	case "a":
		if !o.add(KindAnchor, "href", true) {
			o.add(KindAnchor, "xlink:href", true)
		}
	case "area":
		o.add(KindArea, "href", true)
	case "base":
		if href, has := o.attributes["href"]; has && !o.based {
			o.based = true
			o.Base = trimASCII(href)
		}
	case "link":
		if href := trimASCII(o.attributes["href"]); href != "" {
			o.Links = append(o.Links, "link "+href)
		}
	case "iframe", "frame":
		o.add(KindFrame, "src", false)
	case "script":
		o.add(KindScript, "src", false)
	case "img":
		role := strings.ToLower(trimASCII(o.attributes["role"]))
		if _, has := o.attributes["alt"]; !has && role != "presentation" && role != "none" {
			o.ImagesWithoutAlt++
		}
		o.add(KindImage, "src", false)
		o.srcset()
		if src := trimASCII(o.attributes["src"]); src == "" || strings.HasPrefix(strings.ToLower(src), "data:") {
			for _, name := range []string{"data-src", "data-lazy-src", "data-original"} {
				if trimASCII(o.attributes[name]) != "" {
					o.add(KindImage, name, false)
					break
				}
			}
		}
	case "picture":
		o.picture++
	case "source":
		o.srcset()
		if o.picture == 0 {
			o.add(KindMedia, "src", false)
		}
	case "video":
		o.add(KindMedia, "src", false)
		o.add(KindImage, "poster", false)
	case "audio", "track", "embed":
		o.add(KindMedia, "src", false)
	case "object":
		o.add(KindMedia, "data", false)
	case "form":
		method := strings.ToLower(trimASCII(o.attributes["method"]))
		if method != "post" && method != "dialog" {
			o.Links = append(o.Links, "form "+trimASCII(o.attributes["action"]))
		}
	}
}

func (o *oracle) add(kind Kind, attribute string, empty bool) bool {
	value, has := o.attributes[attribute]
	value = trimASCII(value)
	if has && (empty || value != "") {
		o.Links = append(o.Links, kind.String()+" "+value)
	}
	return has
}

func (o *oracle) srcset() {
	for url := range srcset([]byte(o.attributes["srcset"])) {
		o.Links = append(o.Links, "image "+string(url))
	}
}

func trimASCII(s string) string { return strings.Trim(s, " \t\n\f\r") }

// scanned puts what the Scanner finds into the oracle's words.
func scanned(page *Page) *oracle {
	o := &oracle{Base: string(page.Base), Title: string(page.Title), ImagesWithoutAlt: page.ImagesWithoutAlt}
	for _, link := range page.Links {
		kind := link.Kind.String()
		switch link.Kind {
		case KindCanonical, KindAlternate, KindFeed, KindPagination, KindRelated, KindStylesheet, KindAsset, KindData:
			kind = "link"
		case KindRedirect:
			continue
		}
		o.Links = append(o.Links, kind+" "+string(link.URL))
	}
	for _, anchor := range page.Anchors {
		o.Anchors = append(o.Anchors, string(anchor))
	}
	return o
}

// compare fails the test where Scanner and Tokenizer disagree about a page.
func compare(t *testing.T, s *Scanner, page []byte) {
	t.Helper()
	got := scanned(s.Scan(page, "text/html; charset=utf-8", Options{Forms: true}))
	want := readWithTokenizer(page)
	if !slices.Equal(got.Links, want.Links) {
		t.Errorf("links\n got %q\nwant %q", got.Links, want.Links)
	}
	if !slices.Equal(got.Anchors, want.Anchors) {
		t.Errorf("anchors\n got %q\nwant %q", got.Anchors, want.Anchors)
	}
	if got.Title != want.Title && len(want.Title) < maxTitle {
		t.Errorf("title: got %q, want %q", got.Title, want.Title)
	}
	if got.ImagesWithoutAlt != want.ImagesWithoutAlt {
		t.Errorf("%d images without alt, want %d", got.ImagesWithoutAlt, want.ImagesWithoutAlt)
	}
	base := strings.ToLower(want.Base)
	if got.Base != want.Base && !strings.HasPrefix(base, "data:") && !strings.HasPrefix(base, "javascript:") {
		t.Errorf("base: got %q, want %q", got.Base, want.Base)
	}
}

// meansTheSame reports whether a page means the same to both, apart from bugs of
// either. It does not where the Tokenizer leaves the standard ("<!--" in a
// script: it forgets it at the next "<"), reads what the Scanner knows better
// (hints to an origin, images of SVG, images in meta and input elements), or
// where the Scanner changes the text first (bytes that are not UTF-8).
func meansTheSame(page []byte) bool {
	text := strings.ToLower(string(page))
	if strings.Contains(text, "<script") && strings.Contains(text, "<!--") {
		return false
	}
	for _, word := range []string{"preconnect", "dns-prefetch", "<image", "<input", "<meta", "imagesrcset"} {
		if strings.Contains(text, word) {
			return false
		}
	}
	return utf8.Valid(page) && !bytes.HasPrefix(page, []byte("\ufeff"))
}

func TestAgainstTokenizer(t *testing.T) {
	pages, err := filepath.Glob("testdata/pages/*.html")
	if err != nil || len(pages) == 0 {
		t.Fatalf("no pages in testdata: %v", err)
	}
	var s Scanner
	for _, name := range pages {
		t.Run(filepath.Base(name), func(t *testing.T) {
			page, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			compare(t, &s, page)
		})
	}
}

// TestCorpus compares Scanner and Tokenizer on the pages under the folder that
// the environment variable MAPA_HTML_CORPUS names.
func TestCorpus(t *testing.T) {
	root := os.Getenv(documentation)
	if root == "" {
		t.Skip("set " + documentation + " to a folder of HTML pages")
	}
	var s Scanner
	pages, links := 0, 0
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".html") {
			return err
		}
		page, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if !utf8.Valid(page) {
			return nil
		}
		t.Run(name, func(t *testing.T) {
			compareFacts(t, &s, page)
			compare(t, &s, page)
		})
		pages++
		links += len(s.page.Links)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if pages == 0 {
		t.Fatal(fmt.Errorf("no pages under %s", root))
	}
	t.Logf("%d pages, %d links", pages, links)
}

func FuzzScan(f *testing.F) {
	pages, _ := filepath.Glob("testdata/pages/*.html")
	for _, name := range pages {
		if page, err := os.ReadFile(name); err == nil {
			f.Add(page)
		}
	}
	for _, page := range tokenizerSeeds {
		f.Add([]byte(page))
	}
	var s Scanner
	f.Fuzz(func(t *testing.T, page []byte) {
		if !meansTheSame(page) {
			s.Scan(page, "", Options{}) // must not panic
			return
		}
		compare(t, &s, page)
	})
}

var tokenizerSeeds = []string{
	`<a href=x>`, `<a href = 'x' HREF=y>`, `<a href="a&amp;b&copy=1&copy&#x41;&notit;">`, `<a href=/x/>`,
	`<!--><a href=1><!---><a href=2><!----><a href=3><!-- --!><a href=4><!--a--><a href=5><!--!><a>--><a href=6>`,
	`<title>a<a href=x></title><textarea><a href=y></textarea><style><a href=z></style><a href=ok>`,
	`<plaintext><a href=x>`, `</a href=">"><a href=x>`, `<a/href=x><a =href=y><a href/="x"><a href==x>`,
	`<svg><![CDATA[<a href=x>]]><a xlink:href=y></svg><![CDATA[<a href=z>]]><a href=w>`,
	`<script>"</scrip"<a href=x></SCRIPT ><a href=y>`,
	`<noscript><a href=x></noscript><iframe src=i><a href=x></iframe><a href=y>`,
	"<img src=' DATA:,x' data-src='' data-original=b data-lazy-src=c><img data-src=d><img src=e data-src=f>",
	"<a href='a\r\nb\rc\x00d'>", `<picture><source src=a srcset="a,b 2x, c,d 3x"></picture><source src=b>`,
	`<template id=t><a href=x><svg><template></template><a href=y>`, `<template><svg/><title></template></title></template><a href=x>`,
	`<template shadowrootmode=open><a href=x></template>`, `<svg><![CDATA[x]]><p><![CDATA[<a href=x>]]>`,
	`<svg><foreignObject><p><![CDATA[<a href=x>]]></foreignObject><![CDATA[<a href=y>]]>`, `<template><svg><![CDATA[</template>]]></template><a href=x>`,
	`<base href=data:x><base href=y><a id=a name=b ID=c>`, `<? <a href=x> ?><a href=y></ <a href=z>><a href=w>`,
	`<a href=x`, `<`, `</`, `<!`,
}
