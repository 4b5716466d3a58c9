package crawl

import "strconv"

// Edge is one link of a page.
type Edge struct {
	To       ID
	Kind     EdgeKind
	Nofollow bool
	// Fragment is without #. If it has more than 64 bytes, it is the beginning of the
	// fragment, an ellipsis, and a hash of the whole.
	Fragment string
	// Text is the visible text of the link, else the alt text of images in it, its
	// aria-label, its title, or the title of an SVG in it. It is cut.
	Text string
	// Position is where the tag of the link begins. Links of feeds and headers have none.
	Position
}

// A Position is a place in the text of a page. The zero value is an unknown one.
type Position struct {
	Line   int `json:"line,omitempty"`   // from 1
	Column int `json:"column,omitempty"` // in characters, from 1
}

// EdgeKind is what a link is for. The numbers are part of the crawl file: a new kind
// goes to the end.
type EdgeKind uint8

// The kinds of edge.
const (
	EdgeAnchor     EdgeKind = iota // a
	EdgeArea                       // area
	EdgeFrame                      // iframe, frame
	EdgeForm                       // form with method GET
	EdgeRedirect                   // meta refresh
	EdgeCanonical                  // link rel=canonical
	EdgeAlternate                  // link rel=alternate with hreflang or media
	EdgeFeed                       // link rel=alternate with the type of a feed, and an entry of a feed
	EdgePagination                 // rel=next or prev; of an a element, in addition to EdgeAnchor
	EdgeRelated                    // any other link element that names a page, such as rel=help
	EdgeStylesheet                 // link rel=stylesheet
	EdgeAsset                      // link to an icon, manifest or preloaded part
	EdgeScript                     // script
	EdgeImage                      // img, source in a picture, input, svg image, poster, og:image
	EdgeMedia                      // video, audio, source, track, embed, object, og:video
	EdgeData                       // any other link element whose rel or type says that it names no page
)

// edgeKindNames are the names in outputs, by kind.
var edgeKindNames = [...]string{
	"anchor", "area", "frame", "form", "redirect", "canonical", "alternate", "feed", "pagination", "related",
	"stylesheet", "asset", "script", "image", "media", "data",
}

// EdgeKinds returns all kinds in the order of their numbers, from 0.
func EdgeKinds() []EdgeKind {
	kinds := make([]EdgeKind, len(edgeKindNames))
	for i := range kinds {
		kinds[i] = EdgeKind(i)
	}
	return kinds
}

// Valid reports whether k is one of EdgeKinds.
func (k EdgeKind) Valid() bool { return int(k) < len(edgeKindNames) }

// String returns the name of the kind, such as "anchor".
func (k EdgeKind) String() string {
	if !k.Valid() {
		return "kind-" + strconv.Itoa(int(k))
	}
	return edgeKindNames[k]
}

// MarshalText returns the name of the kind.
func (k EdgeKind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// isFollowed reports whether such a link alone makes the crawl request its target. Of link
// elements, only canonical, alternate, next and prev are requested, and feeds when feeds is set.
func (k EdgeKind) isFollowed(feeds bool) bool {
	return k != EdgeData && k != EdgeRelated && (k != EdgeFeed || feeds)
}

// role returns the role of the target of such a link: a page, or an asset of the page that
// links to it.
func (k EdgeKind) role() Role {
	switch k {
	case EdgeStylesheet, EdgeAsset, EdgeScript, EdgeImage, EdgeMedia:
		return RoleAsset
	}
	return RolePage
}
