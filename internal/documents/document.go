package documents

import (
	"bytes"
	"cmp"
	"html"
	"slices"
	"strings"

	"github.com/mapatools/mapa/internal/extract"
)

// A document is what a file links to, and what links to it can name.
type document struct {
	links   []Link
	anchors []string
	raw     []byte // HTML that is a page as it is; its links and anchors are not read
	// generated says that a program makes a page of the file, which has settings at its
	// beginning or places for values.
	generated bool
	exact     bool // anchors differ in upper and lower case
	// opaque says that the page can have anchors that the file does not show.
	opaque bool
	terms  []string // texts that are anchors in the pages of some programs, besides headings
}

// A Link is a link in a file.
type Link struct {
	URL, Text string
	Image     bool // or another file that is a part of the page

	Line, Column int // where it begins, from 1, in characters

	markup bool // of HTML
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

// html returns a page with the same anchors, and with the links that the function keeps. Each link
// is on a line of its own, by which [Set.Position] finds it.
func (d *document) html(rewrite func(*Link) (kept string, keep bool)) string {
	var page strings.Builder
	for i := range d.links {
		l := &d.links[i]
		kept, keep := rewrite(l)
		address, text := html.EscapeString(oneLine(kept)), html.EscapeString(oneLine(l.Text))
		switch {
		case !keep:
			page.WriteString("\n")
		case l.Image:
			page.WriteString(`<img src="` + address + `" alt="` + text + "\">\n")
		default:
			page.WriteString(`<a href="` + address + `">` + text + "</a>\n")
		}
	}
	for _, anchor := range d.anchors {
		if !d.exact {
			anchor = strings.ToLower(anchor)
		}
		page.WriteString(`<p id="` + html.EscapeString(anchor) + `">`)
	}
	return page.String()
}

// withoutLinks returns the document with its anchors only.
func (d *document) withoutLinks() *document {
	bare := *d
	if d.raw != nil {
		bare = document{exact: true}
		bare.addHTML(d.raw)
	}
	bare.links = nil
	return &bare
}

var lineEnds = strings.NewReplacer("\n", " ", "\r", "")

// oneLine returns a text without line ends, which no URL has.
func oneLine(text string) string { return lineEnds.Replace(text) }

// readHTML finds the links and anchors of HTML.
func readHTML(source []byte) *document {
	var d document
	whole := source
	source = blankFrontMatter(source)
	d.addHTML(source)
	start := placeholder.FindIndex(source)
	d.generated = !bytes.Equal(whole, source) || start != nil && len(bytes.TrimSpace(source[:start[0]])) == 0 ||
		slices.ContainsFunc(d.links, func(l Link) bool { return isPlaceholder(l.URL) })
	if !d.generated {
		return &document{raw: whole}
	}
	d.opaque = true
	return &d
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
			URL: string(l.URL), Text: string(l.Text), Image: l.Kind != extract.KindAnchor, markup: true,
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
