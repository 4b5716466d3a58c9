package crawl

import (
	"strings"
	"unsafe"

	"github.com/mapatools/mapa/internal/extract"
)

// Facts are what an HTML page says about itself in addition to its title and language,
// for the report. No decision of the crawl depends on them.
type Facts struct {
	// Description is that of the page's meta element, and H1 the text of its first h1.
	Description, H1 string
	// Images is the number of img elements. ImagesWithoutAlt are those, and input elements
	// that show an image, without an alt attribute, unless their role is presentation or
	// none.
	Images, ImagesWithoutAlt int
	// Parts says what is on the page apart from text.
	Parts Parts
	// OpenGraph says which properties of Open Graph the page has. OpenGraphType is the
	// value of og:type.
	OpenGraph     OpenGraph
	OpenGraphType string
	// JSONLD are the types of the page's JSON-LD items, joined with ", ".
	JSONLD string
	// NeedsScript reports that the page has no text, or no link to another page, until
	// scripts have run.
	NeedsScript bool
	// Faults are what is wrong with the page, by the rules that it breaks; mostly nil.
	Faults []Fault
}

// Parts is a set of parts of a page.
type Parts uint8

// The parts. The numbers are part of the crawl file.
const (
	PartForm      Parts = 1 << iota
	PartVideo           // a video element, or the player of a video service
	PartPassword        // a field for a password
	PartViewport        // a meta viewport
	PartCanonical       // a canonical link
)

// OpenGraph is a set of properties (https://ogp.me).
type OpenGraph uint8

// The properties. The numbers are part of the crawl file.
const (
	OpenGraphTitle OpenGraph = 1 << iota
	OpenGraphType
	OpenGraphImage
	OpenGraphURL
	OpenGraphDescription
)

// openGraphNames are the names in outputs, without the prefix "og:".
var openGraphNames = [...]string{"title", "type", "image", "url", "description"}

// Names returns the names of the properties, such as "title", in the order of the
// constants.
func (g OpenGraph) Names() []string {
	var names []string
	for i, name := range openGraphNames {
		if g&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}

// factsOf returns the facts of a page.
func factsOf(html *extract.Page) *Facts {
	og := &html.OpenGraph
	facts := &Facts{
		Description: string(html.Description), H1: string(html.H1),
		Images: html.Images, ImagesWithoutAlt: html.ImagesWithoutAlt, Parts: partsOf(html),
		OpenGraphType: string(og.Type[:min(len(og.Type), maxOpenGraphType)]),
		JSONLD:        strings.Join(html.ItemTypes, ", "),
	}
	for i, value := range [...][]byte{og.Title, og.Type, og.Image, og.URL, og.Description} {
		if len(value) > 0 {
			facts.OpenGraph |= 1 << i
		}
	}
	return facts
}

// partsOf returns the parts of a page.
func partsOf(html *extract.Page) (parts Parts) {
	for i, has := range [...]bool{html.HasForm, html.HasVideo || hasPlayer(html), html.HasPassword,
		html.HasViewport, len(html.Canonical) > 0} {
		if has {
			parts |= 1 << i
		}
	}
	return parts
}

// maxScriptWords is how many words a page may have, about, that asks for scripts and has no
// link.
const maxScriptWords = 50

// needsScript reports whether a page is empty, or leads to no page of the site, until scripts
// have run. One link to a script, such as one that prints the page, says nothing.
func (w *worker) needsScript(x *extracted) bool {
	html := x.html
	if !html.HasText {
		return html.HasScript || html.AsksForScript
	}
	routes, scripts := 0, html.ScriptAnchors
	for i := range html.Links {
		switch link := &html.Links[i]; {
		case link.Kind > extract.KindArea:
		case isOwnHashRoute(link.URL):
			routes++
		case isScript(link.URL):
			scripts++
		}
	}
	return (routes > 0 || scripts > 1 || html.AsksForScript && html.Words < maxScriptWords) && !w.leadsOn(x)
}

// leadsOn reports whether a page has a link to another page of the site.
func (w *worker) leadsOn(x *extracted) bool {
	for i := range x.html.Links {
		link := &x.html.Links[i]
		if link.Kind > extract.KindArea {
			continue
		}
		to := w.resolver.absolute(x.base, link.URL)
		if to != nil && string(to) != string(w.pageURL) && w.scope.onSite(to) {
			return true
		}
	}
	return false
}

// maxOpenGraphType is how many bytes of og:type are kept.
const maxOpenGraphType = 64

// weight is about how many bytes of memory the facts take.
func (f *Facts) weight() int {
	if f == nil {
		return 0
	}
	weight := int(unsafe.Sizeof(*f)) + len(f.Description) + len(f.H1) + len(f.OpenGraphType) + len(f.JSONLD)
	for i := range f.Faults {
		weight += f.Faults[i].weight()
	}
	return weight
}
