package extract

import "bytes"

// Link is one reference from the page to an address.
type Link struct {
	// URL is the address as written: not resolved, perhaps not valid. It is
	// empty for a link of the page to itself.
	URL []byte
	// Text is the text of an a element (with the alt text of images in it), or
	// the alt text of an area or img, white space collapsed and cut at
	// Options.MaxText.
	Text []byte
	// Lang is the hreflang attribute of a link element.
	Lang []byte
	Kind Kind
	Rel  Rel
	// Head tells that the link stands in the head of the page.
	Head bool
	// Shown tells that the image is one of the page's own: what an img shows
	// where nothing better is chosen, or the og:image.
	Shown bool
}

// Kind says what a link is for.
type Kind uint8

// The kinds of link.
const (
	Anchor     Kind = iota // a
	Area                   // area
	Frame                  // iframe, frame
	Form                   // form of method GET
	Redirect               // meta refresh
	Canonical              // link rel=canonical
	Alternate              // link rel=alternate with hreflang or media
	Feed                   // link rel=alternate with the type of a feed
	Pagination             // link rel=next or prev
	Related                // any other link element that names a page
	Stylesheet             // link rel=stylesheet
	Asset                  // link to an icon, manifest or preloaded part
	Script                 // script
	Image                  // img, source in a picture, input, svg image, poster, og:image
	Media                  // video, audio, source, track, embed, object, og:video
)

var kindNames = [...]string{
	Anchor: "anchor", Area: "area", Frame: "frame", Form: "form", Redirect: "redirect",
	Canonical: "canonical", Alternate: "alternate", Feed: "feed", Pagination: "pagination",
	Related: "related", Stylesheet: "stylesheet", Asset: "asset", Script: "script",
	Image: "image", Media: "media",
}

// String returns the kind's name in lower case.
func (k Kind) String() string { return kindNames[k] }

// Rel is the set of link types in a rel attribute, as far as a crawler cares.
type Rel uint32

// The link types; several names of one meaning share a bit.
const (
	NoFollow Rel = 1 << iota
	UGC
	Sponsored
	RelCanonical
	RelAlternate
	RelNext
	RelPrev
	RelStylesheet
	RelAsset // icon, apple-touch-icon, mask-icon, manifest, preload, modulepreload, prefetch
	RelHint  // preconnect, dns-prefetch: an origin, not an address to fetch
)

var relTokens = newNames([]string{"",
	"nofollow", "ugc", "sponsored", "canonical", "alternate", "next", "prev", "previous",
	"stylesheet", "icon", "apple-touch-icon", "apple-touch-icon-precomposed", "mask-icon",
	"manifest", "preload", "modulepreload", "prefetch", "preconnect", "dns-prefetch",
})

// relOfToken has the bit of every name in relTokens.
var relOfToken = [...]Rel{0,
	NoFollow, UGC, Sponsored, RelCanonical, RelAlternate, RelNext, RelPrev, RelPrev,
	RelStylesheet, RelAsset, RelAsset, RelAsset, RelAsset,
	RelAsset, RelAsset, RelAsset, RelAsset, RelHint, RelHint,
}

// parseRel reads a rel attribute: tokens split at ASCII white space, compared
// without regard to ASCII case (HTML standard, section 2.3.7 and 4.6.7).
func parseRel(value []byte) Rel {
	var rel Rel
	for len(value) > 0 {
		var token []byte
		token, value = cutToken(value)
		rel |= relOfToken[relTokens.find(token)]
	}
	return rel
}

// cutToken returns the first run of value without white space, and the rest.
func cutToken(value []byte) (token, rest []byte) {
	value = trimLeft(value)
	for i, c := range value {
		if isSpace[c] {
			return value[:i], value[i+1:]
		}
	}
	return value, nil
}

// linkElementKind tells what a link element with these types is for, and
// whether it names an address worth reporting.
func linkElementKind(rel Rel, hasLang, hasMedia bool, mediaType []byte) (kind Kind, report bool) {
	switch {
	case rel&RelStylesheet != 0:
		return Stylesheet, true
	case rel&RelCanonical != 0:
		return Canonical, true
	case rel&RelAlternate != 0 && (hasLang || hasMedia):
		return Alternate, true
	case rel&RelAlternate != 0 && isFeed(mediaType):
		return Feed, true
	case rel&(RelNext|RelPrev) != 0:
		return Pagination, true
	case rel&RelAsset != 0:
		return Asset, true
	case rel&RelHint != 0:
		return Related, false
	}
	return Related, true
}

func isFeed(mediaType []byte) bool {
	mediaType, _, _ = bytes.Cut(mediaType, []byte(";"))
	mediaType = trim(mediaType)
	for _, feed := range [...]string{"application/rss+xml", "application/atom+xml", "application/feed+json"} {
		if equalFold(mediaType, feed) {
			return true
		}
	}
	return false
}
