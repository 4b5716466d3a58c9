package extract

import "bytes"

// A Link is one reference of the page to a URL.
type Link struct {
	// URL is as written: not resolved, and possibly invalid. It is empty for a
	// link of the page to itself.
	URL []byte
	// Text is what names the link: the text in an a element, or else the alt texts of
	// images in it, its aria-label, its title or the title of an SVG in it. Of an area it
	// is the first of alt, aria-label and title, of an img the alt. White space,
	// non-breaking too, is one space. It is cut at Options.MaxText.
	Text []byte
	// Lang is the hreflang attribute of a link element.
	Lang []byte
	Kind Kind
	Rel  Rel
	// Head reports that the link is in the head of the page.
	Head bool
	// Shown reports that the image is one of the page's own: the default image
	// of an img, or the og:image.
	Shown bool
	// Part says in which part of the page the link is.
	Part Part
	// Load says whether browsers load the URL for the page.
	Load Load
	// Line and Column say where the tag of the link begins, from 1. Columns are characters.
	Line, Column int
}

// A Part is a part of a page.
type Part uint8

// The parts of a page.
const (
	PartAside   Part = iota // the head, navigation, headers, footers and the like
	PartContent             // the rest
	PartMain                // a main element, without such parts of it
)

// Load says what a browser does with a part of a page. On a page of https it loads
// passive parts by http, and no active ones (https://www.w3.org/TR/mixed-content/).
type Load uint8

// The ways to load a part.
const (
	LoadNever Load = iota // the URL is linked, or for other programs
	LoadPassive
	LoadActive
)

// A Kind is the purpose of a link.
type Kind uint8

// The kinds of links, with the elements that make them.
const (
	KindAnchor     Kind = iota // a
	KindArea                   // area
	KindFrame                  // iframe, frame
	KindForm                   // form of method GET
	KindRedirect               // meta refresh
	KindCanonical              // link rel=canonical
	KindAlternate              // link rel=alternate with hreflang or media
	KindFeed                   // link rel=alternate with the type of a feed
	KindPagination             // link rel=next or prev
	KindRelated                // any other link element with the URL of a page
	KindStylesheet             // link rel=stylesheet
	KindAsset                  // link to an icon, manifest or preloaded part
	KindScript                 // script
	KindImage                  // img, source in a picture, input, svg image, poster, og:image
	KindMedia                  // video, audio, source, track, embed, object, og:video
	KindData                   // any other link element whose rel or type says that it names no page
)

var kindNames = [...]string{
	KindAnchor: "anchor", KindArea: "area", KindFrame: "frame", KindForm: "form", KindRedirect: "redirect",
	KindCanonical: "canonical", KindAlternate: "alternate", KindFeed: "feed", KindPagination: "pagination",
	KindRelated: "related", KindStylesheet: "stylesheet", KindAsset: "asset", KindScript: "script",
	KindImage: "image", KindMedia: "media", KindData: "data",
}

// String returns the name of the kind in lower case.
func (k Kind) String() string { return kindNames[k] }

// A Rel is the set of link types of a rel attribute, as far as a crawler needs them.
type Rel uint32

// The link types. Names with the same meaning share a bit.
const (
	RelNoFollow Rel = 1 << iota
	RelUGC
	RelSponsored
	RelCanonical
	RelAlternate
	RelNext
	RelPrev
	RelStylesheet
	RelAsset // icon, apple-touch-icon, mask-icon, manifest, preload, modulepreload, prefetch
	RelHint  // preconnect, dns-prefetch: an origin, not a URL to fetch
	RelData  // shortlink, EditURI, pingback and others for programs, not people
	RelHub   // of WebSub; also RelData, as RelSelf
	RelSelf
)

var relTokens = newNames([]string{"",
	"nofollow", "ugc", "sponsored", "canonical", "alternate", "next", "prev", "previous",
	"stylesheet", "icon", "apple-touch-icon", "apple-touch-icon-precomposed", "mask-icon",
	"manifest", "preload", "modulepreload", "prefetch", "preconnect", "dns-prefetch",
	"shortlink", "edituri", "wlwmanifest", "pingback", "webmention", "micropub", "hub", "self", "search", "profile",
	"https://api.w.org/", "service", "service.post", "service-desc", "service-meta", "api", "oembed",
	"authorization_endpoint", "token_endpoint", "indieauth-metadata", "pgpkey", "openid.server", "openid.delegate",
	"openid2.provider", "openid2.local_id", "image_src", "vcs-git", "unapi-server", "x-xrds-location",
})

// relOfToken has the bit of every name in relTokens.
var relOfToken = [...]Rel{0,
	RelNoFollow, RelUGC, RelSponsored, RelCanonical, RelAlternate, RelNext, RelPrev, RelPrev,
	RelStylesheet, RelAsset, RelAsset, RelAsset, RelAsset, RelAsset, RelAsset, RelAsset, RelAsset,
	RelHint, RelHint, RelData, RelData, RelData, RelData, RelData, RelData, RelData | RelHub,
	RelData | RelSelf, RelData, RelData, RelData, RelData, RelData, RelData, RelData, RelData,
	RelData, RelData, RelData, RelData, RelData, RelData, RelData, RelData, RelData, RelData, RelData,
	RelData, RelData,
}

// ParseRel returns the link types of a rel attribute.
func ParseRel(value string) Rel { return parseRel([]byte(value)) }

// parseRel parses a rel attribute: tokens separated by ASCII white space, compared
// in any ASCII case (HTML standard, section 2.3.7 and 4.6.7).
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

// linkElementKind returns the kind of a link element with these types, and whether
// its link is reported.
func linkElementKind(rel Rel, hasLang, hasMedia bool, mediaType []byte) (kind Kind, report bool) {
	switch {
	case rel&RelStylesheet != 0:
		return KindStylesheet, true
	case rel&RelCanonical != 0:
		return KindCanonical, true
	case rel&RelAlternate != 0 && isFeed(mediaType):
		return KindFeed, true
	case rel&(RelAsset|RelHint) == 0 && (rel&RelData != 0 || isData(mediaType)):
		return KindData, true
	case rel&RelAlternate != 0 && (hasLang || hasMedia):
		return KindAlternate, true
	case rel&(RelNext|RelPrev) != 0:
		return KindPagination, true
	case rel&RelAsset != 0:
		return KindAsset, true
	case rel&RelHint != 0:
		return KindRelated, false
	}
	return KindRelated, true
}

// isData reports whether a type attribute names something else than HTML.
func isData(mediaType []byte) bool {
	mediaType = essence(mediaType)
	return bytes.IndexByte(mediaType, '/') > 0 && !equalFold(mediaType, "text/html") &&
		!equalFold(mediaType, "application/xhtml+xml")
}

// essence returns a media type without its parameters.
func essence(mediaType []byte) []byte {
	mediaType, _, _ = bytes.Cut(mediaType, []byte(";"))
	return trim(mediaType)
}

func isFeed(mediaType []byte) bool {
	mediaType = essence(mediaType)
	for _, feed := range [...]string{"application/rss+xml", "application/atom+xml", "application/feed+json"} {
		if equalFold(mediaType, feed) {
			return true
		}
	}
	return false
}
