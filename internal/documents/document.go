package documents

import (
	"cmp"
	"html"
	"slices"
	"strings"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/extract"
)

// A document is what a file links to, and what links to it can name.
type document struct {
	links   []link
	anchors []string
}

// A link is a link in a file, in the order of the file.
type link struct {
	url, text string
	image     bool
	at        crawl.Position // where it begins
}

// A placedLink is a link at an offset of the file.
type placedLink struct {
	link
	offset int
}

// addLinks adds the links of a file, in the order of their offsets.
func (d *document) addLinks(source []byte, found []placedLink) {
	var place extract.Place
	for _, l := range found {
		l.at.Line, l.at.Column = place.Move(source, l.offset)
		d.links = append(d.links, l.link)
	}
}

// html returns a page with the same links and anchors. Each link is on a line of its own, by which
// [Set.Position] finds it.
func (d *document) html() string {
	var page strings.Builder
	for i := range d.links {
		l := &d.links[i]
		address, text := html.EscapeString(oneLine(l.url)), html.EscapeString(oneLine(l.text))
		if l.image {
			page.WriteString(`<img src="` + address + `" alt="` + text + "\">\n")
		} else {
			page.WriteString(`<a href="` + address + `">` + text + "</a>\n")
		}
	}
	for _, anchor := range d.anchors {
		page.WriteString(`<p id="` + html.EscapeString(anchor) + `">`)
	}
	return page.String()
}

// oneLine returns a text without line ends, which no URL has.
func oneLine(text string) string {
	return strings.NewReplacer("\n", " ", "\r", "").Replace(text)
}

// position returns where the link is that html wrote on a line.
func (d *document) position(line int) crawl.Position {
	if line < 1 || line > len(d.links) {
		return crawl.Position{}
	}
	return d.links[line-1].at
}

// addHTML adds the links and anchors of HTML.
func (d *document) addHTML(text []byte) {
	var scanner extract.Scanner
	page := scanner.Scan(text, "text/html; charset=utf-8", extract.Options{})
	for i := range page.Links {
		l := &page.Links[i]
		d.links = append(d.links, link{
			url: string(l.URL), text: string(l.Text), image: l.Kind != extract.KindAnchor,
			at: crawl.Position{Line: l.Line, Column: l.Column},
		})
	}
	for _, anchor := range page.Anchors {
		d.anchors = append(d.anchors, string(anchor))
	}
}

// sort orders the links as the file has them.
func (d *document) sort() {
	slices.SortStableFunc(d.links, func(a, b link) int {
		return cmp.Or(cmp.Compare(a.at.Line, b.at.Line), cmp.Compare(a.at.Column, b.at.Column))
	})
}
