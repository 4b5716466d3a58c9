package documents

import (
	"bytes"
	"cmp"
	"html"
	"slices"
	"strings"
	"sync"

	"github.com/mapatools/mapa/internal/extract"
)

// A document is what a file links to, and what links to it can name.
type document struct {
	links          []Link
	anchors        []string
	raw            []byte   // HTML that is a page as it is
	generated      bool     // a program makes a page of the file
	template       bool     // it is HTML with places for values, or a part of pages
	part           bool     // it is Markdown that is shown in the pages of other documents
	exact          bool     // anchors differ in upper and lower case
	open           bool     // the page can have anchors that the file does not show
	imports        []string // Markdown whose headings the page has too
	componentFiles []string // the names, without extension, of files that components may show
	tabs           []string // the letters of titles that are anchors in some programs, also after a heading
	// components are the names and attributes of components without text of their own, which may have headings.
	components    []string
	once          sync.Once
	names         map[string]bool // of namesOf
	anchorLetters []string        // the letters of the anchors
	foreign       bool            // of isForeign
	terms         []string        // texts that are anchors in the pages of some programs, besides headings
	scripted      []string        // the letters of headings to which a script of the page may give anchors
	filled        [][2]string     // the letters before and after what a program fills into headings
}

// A Link is a link in a file.
type Link struct {
	URL, Text string
	Image     bool // or another file that is a part of the page

	Line, Column int // where it begins, from 1, in characters

	markup bool // of HTML
}

// isAt reports whether a link is to be edited at the same place as another one.
func (l *Link) isAt(other *Link) bool {
	return l.Line == other.Line && l.Column == other.Column && l.URL == other.URL
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
func (d *document) html(rewrite func(line int, l *Link) (kept string, keep bool)) string {
	var page strings.Builder
	for i := range d.links {
		l := &d.links[i]
		if i > 0 && l.isAt(&d.links[i-1]) {
			page.WriteString("\n") // of several references to a definition one is enough
			continue
		}
		kept, keep := rewrite(i+1, l)
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

// mayBeScripted reports whether a script of the page may give a heading an anchor, or the beginning of its text.
func (d *document) mayBeScripted(fragment string) bool {
	wanted := letters(fragment)
	return slices.ContainsFunc(d.scripted, func(heading string) bool {
		return heading == wanted || len(wanted) >= minNear && strings.HasPrefix(heading, wanted)
	})
}

// withoutLinks returns the document with its anchors only.
func (d *document) withoutLinks() *document {
	return &document{anchors: d.anchors, exact: d.exact, generated: d.generated}
}

var lineEnds = strings.NewReplacer("\n", " ", "\r", "")

// oneLine returns a text without line ends, which no URL has.
func oneLine(text string) string { return lineEnds.Replace(text) }

// readHTML finds the links and anchors of HTML.
func readHTML(source []byte) *document {
	d := document{exact: true}
	whole := source
	source = blankFrontMatter(source)
	d.addHTML(source)
	d.generated = !bytes.Equal(whole, source)
	if !bytes.Contains(source, []byte("<script")) {
		return &d
	}
	for _, found := range htmlHeadings(source) {
		if !bytes.Contains(found[1], []byte("id=")) {
			d.scripted = append(d.scripted, letters(markup.ReplaceAllString(string(found[2]), "")))
		}
	}
	return &d
}

// choose decides whether HTML is a template, or else what a program makes a page of. If it is neither, it is a
// page as it is.
func (d *document) choose(source []byte, named bool) {
	d.template = named || isTemplate(source, d.links, d.generated)
	if !d.template && !d.generated {
		d.raw = source
	}
	if found := base.FindSubmatch(source[:min(len(source), maxHead)]); found != nil {
		d.moveTo(string(found[1]))
	}
}

// moveTo makes relative links relative to the document in place of its base.
func (d *document) moveTo(base string) {
	for i := range d.links {
		if l := &d.links[i]; l.URL != "" && !strings.ContainsAny(l.URL[:1], "/#") && !hasScheme.MatchString(l.URL) {
			l.URL = strings.TrimSuffix(base, "/") + "/" + l.URL
		}
	}
}

// userPrefix begins the IDs of documents as code hosts show them.
const userPrefix = "user-content-"

// maxText is how many bytes of the text of a link in HTML are read.
const maxText = 16 << 10

// addHTML adds the links and anchors of HTML.
func (d *document) addHTML(text []byte) {
	var scanner extract.Scanner
	page := scanner.Scan(text, "text/html; charset=utf-8", extract.Options{MaxText: maxText})
	for i := range page.Links {
		l := &page.Links[i]
		d.links = append(d.links, Link{
			URL: string(l.URL), Text: string(l.Text), Image: l.Kind != extract.KindAnchor && l.Kind != extract.KindArea,
			Line: l.Line, Column: l.Column, markup: true,
		})
	}
	for _, anchor := range page.Anchors {
		if d.exact {
			d.anchors = append(d.anchors, string(anchor))
		} else { // code hosts add the prefix to each ID, and find it without
			d.anchors = append(d.anchors, strings.TrimPrefix(string(anchor), userPrefix))
		}
	}
}

// sort orders the links as the file has them.
func (d *document) sort() {
	slices.SortStableFunc(d.links, func(a, b Link) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}
