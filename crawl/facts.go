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
	// ImagesWithoutAlt is the number of img elements without an alt attribute.
	ImagesWithoutAlt int
	// OpenGraph says which properties of Open Graph the page has. OpenGraphType is the
	// value of og:type.
	OpenGraph     OpenGraph
	OpenGraphType string
	// JSONLD are the types of the page's JSON-LD items, joined with ", ".
	JSONLD string
	// NeedsScript reports that the page has no text, only scripts that may write some.
	NeedsScript bool
}

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
		Description: string(html.Description), H1: string(html.H1), ImagesWithoutAlt: html.ImagesWithoutAlt,
		OpenGraphType: string(og.Type[:min(len(og.Type), maxOpenGraphType)]),
		JSONLD:        strings.Join(html.ItemTypes, ", "),
		NeedsScript:   html.HasScript && !html.HasText,
	}
	for i, value := range [...][]byte{og.Title, og.Type, og.Image, og.URL, og.Description} {
		if len(value) > 0 {
			facts.OpenGraph |= 1 << i
		}
	}
	return facts
}

// maxOpenGraphType is how many bytes of og:type are kept.
const maxOpenGraphType = 64

// weight is about how many bytes of memory the facts take.
func (f *Facts) weight() int {
	if f == nil {
		return 0
	}
	return int(unsafe.Sizeof(*f)) + len(f.Description) + len(f.H1) + len(f.OpenGraphType) + len(f.JSONLD)
}
