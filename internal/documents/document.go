package documents

import (
	"cmp"
	"html"
	"slices"
	"strings"

	"github.com/mapatools/mapa/internal/extract"
	"github.com/mapatools/mapa/internal/urlnorm"
)

// A document is what a file links to, and what links to it can name.
type document struct {
	links   []Link
	anchors []string
	// generated says that a site generator makes a page of the file: it begins with settings.
	generated bool
}

// A Link is a link in a file.
type Link struct {
	URL, Text string
	Image     bool // or another file that is a part of the page

	Line, Column int // where it begins, from 1, in characters
}

// A placedLink is a link at an offset of the file.
type placedLink struct {
	Link
	offset int
}

// addLinks adds the links of a file, in the order of their offsets.
func (d *document) addLinks(source []byte, found []placedLink) {
	var place extract.Place
	for _, l := range found {
		l.Line, l.Column = place.Move(source, l.offset)
		d.links = append(d.links, l.Link)
	}
}

// html returns a page with the same links and anchors, apart from the links that skip names. Each
// link is on a line of its own, by which [Set.Position] finds it.
func (d *document) html(skip func(address string) bool) string {
	var page strings.Builder
	for i := range d.links {
		l := &d.links[i]
		address, text := html.EscapeString(plainFragment(oneLine(l.URL))), html.EscapeString(oneLine(l.Text))
		switch {
		case skip(l.URL):
			page.WriteString("\n")
		case l.Image:
			page.WriteString(`<img src="` + address + `" alt="` + text + "\">\n")
		default:
			page.WriteString(`<a href="` + address + `">` + text + "</a>\n")
		}
	}
	for _, anchor := range d.anchors {
		page.WriteString(`<p id="` + html.EscapeString(strings.ToLower(anchor)) + `">`)
	}
	return page.String()
}

// plainFragment returns a link to a place in Markdown in lower case: GitHub finds anchors by that.
func plainFragment(address string) string {
	name, fragment, found := strings.Cut(address, "#")
	if !found || strings.Contains(name, ":") || name != "" && kindOf(name) != kindMarkdown {
		return address
	}
	return name + "#" + strings.ToLower(fragment)
}

// isExample reports whether a URL is one of the names that documents use for examples
// (https://www.rfc-editor.org/rfc/rfc2606#section-3).
func isExample(address string) bool {
	host := "." + strings.ToLower(urlnorm.Host(address))
	for _, name := range []string{".example", ".example.com", ".example.net", ".example.org"} {
		if strings.HasSuffix(host, name) {
			return true
		}
	}
	return false
}

// oneLine returns a text without line ends, which no URL has.
func oneLine(text string) string {
	return strings.NewReplacer("\n", " ", "\r", "").Replace(text)
}

// position returns the line and column of the link that html wrote on a line, or 0.
func (d *document) position(at int) (line, column int) {
	if at < 1 || at > len(d.links) {
		return 0, 0
	}
	return d.links[at-1].Line, d.links[at-1].Column
}

// maxText is how many bytes of the text of a link in HTML are read.
const maxText = 16 << 10

// addHTML adds the links and anchors of HTML.
func (d *document) addHTML(text []byte) {
	var scanner extract.Scanner
	page := scanner.Scan(text, "text/html; charset=utf-8", extract.Options{MaxText: maxText})
	for i := range page.Links {
		l := &page.Links[i]
		d.links = append(d.links, Link{
			URL: string(l.URL), Text: string(l.Text), Image: l.Kind != extract.KindAnchor,
			Line: l.Line, Column: l.Column,
		})
	}
	for _, anchor := range page.Anchors {
		d.anchors = append(d.anchors, string(anchor))
	}
}

// sort orders the links as the file has them.
func (d *document) sort() {
	slices.SortStableFunc(d.links, func(a, b Link) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}
