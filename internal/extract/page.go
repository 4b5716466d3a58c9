package extract

import "time"

// A Page holds the links and facts of one HTML document. Every slice points into the
// document or into buffers of its Scanner, and is valid until the next Scan. All text
// is UTF-8 with character references decoded. Facts that the page does not state are
// empty.
type Page struct {
	// Encoding is the name of the page's character encoding in the Encoding
	// Standard, in lower case: the one in which browsers percent-encode
	// the query of its links.
	Encoding string
	// Base is the href of the first base element that has one. It is empty for
	// a data: or javascript: URL, which the HTML standard ignores (section
	// 4.2.3).
	Base []byte
	// Lang is the lang attribute of the html element.
	Lang []byte
	// Title is the first title, Description and H1 are the first that are not empty; the
	// alt texts of images belong to an h1. White space, non-breaking too, is one space, and
	// none is around them. They are cut at 1,024, 4,096 and 1,024 bytes.
	Title, Description, H1 []byte
	// Titles counts the titles outside SVG, Descriptions the meta elements, and H1s the
	// elements with text. Each has the second text.
	Titles, Descriptions, H1s Repeated
	// DescriptionsInBody and RobotsInBody count meta elements that the parser puts in
	// the body.
	DescriptionsInBody, RobotsInBody int
	// Canonical is the first canonical link in the head. A canonical link in
	// the body, which search engines ignore, is only in Links.
	Canonical []byte
	Robots    Robots
	Refresh   Refresh
	OpenGraph OpenGraph
	Article   Article
	// Videos are the VideoObject items of the page's JSON-LD.
	Videos []Video
	// Dates has the dates of each source, indexed by DateSource.
	Dates [4]Dates
	// Links are in document order. Images, scripts and other parts of the page
	// are links too, distinguished by their Kind.
	Links []Link
	// LinksDropped is the number of links after Options.MaxLinks.
	LinksDropped int
	// Anchors are the id attributes, and the name attributes of a elements,
	// that a fragment can point to, in document order, repeats included.
	Anchors [][]byte
	// ScriptAnchors is the number of a elements without href, name and id whose onclick
	// opens another page.
	ScriptAnchors int
	// Images is the number of img elements. ImagesWithoutAlt are those without an alt
	// attribute, and input elements that show an image; role=presentation and none are
	// apart. ImagesWithoutSize are those without both width and height; an empty src shows
	// no image, and is apart.
	Images, ImagesWithoutAlt, ImagesWithoutSize int
	// UnsizedImage is the src of the first of ImagesWithoutSize.
	UnsizedImage []byte
	// HasForm, HasPassword, HasVideo and HasViewport say that the page has a form, a field
	// for a password, a video element, or a meta viewport.
	HasForm, HasPassword, HasVideo, HasViewport bool
	// FormTargets are the values of action and formaction, at most 1,000.
	FormTargets [][]byte
	// UpgradesRequests says that a meta element has the content security policy
	// upgrade-insecure-requests.
	UpgradesRequests bool
	// BrokenJSONLD are the scripts of JSON-LD that search engines cannot use, at most 100.
	BrokenJSONLD []BrokenJSONLD
	// LateTitle, LateCanonical and LateLinks say what is after the first IndexedLength
	// bytes: the title, the canonical link, or an a or area element.
	LateTitle, LateCanonical, LateLinks bool
	// ItemTypes are the types of the page's JSON-LD items, each once, without the
	// prefix of schema.org: of the items at the top, and of those in their @graph,
	// mainEntity and video.
	ItemTypes []string
	// HasText reports that the page has text outside its head, and HasScript that
	// it has a script that runs. A page without text that has a script is empty
	// until the script ran.
	HasText, HasScript bool
	// HasContent reports that the page has text, an image or a video outside of links, navigation, headers,
	// footers and asides.
	HasContent bool
	// AsksForScript reports that a noscript element speaks of JavaScript.
	AsksForScript bool
	// Digest identifies the main text of the page; see Words.
	//
	// It ignores navigation, headers, footers, asides, hidden and interactive
	// parts, dates, times, counters and tokens. It ignores blocks that are mostly
	// links to other URLs too, unless most of the words are in them, as in a list of
	// pages. When the page has a main element with text, only that counts. Equal
	// digests mean equal main text.
	Digest uint64
	// Content are sums of what the page says, by which a change of it is found. They ignore what Digest does, apart from
	// numbers and dates, and ignore counters such as "1,204 views", times such as "3 days ago", the dates of the page
	// and the one of Options.Time.
	Content Content
	// InMain reports that the main text is that of a main element.
	InMain bool
	// Words is the number of words of the main text, in blocks of links too, a Chinese or
	// Japanese character being half a word. Outside a main element, shorter blocks of
	// links than a title are menus. With 0, Digest is meaningless.
	Words int
	// Shingles are hashes of every five words in a row of that text, sorted, each once.
	// They are the same in every process and release. They do not point into the
	// document, and are only there with Options.Shingles.
	Shingles []uint32
}

// IndexedLength is how many bytes of a page Google reads
// (https://developers.google.com/search/docs/crawling-indexing/googlebot).
const IndexedLength = 2 << 20

// Repeated counts elements that a page should have only once.
type Repeated struct {
	Count  int
	Second []byte // text of the second
}

func (r *Repeated) add(text []byte) {
	if r.Count++; r.Count == 2 {
		r.Second = text
	}
}

// BrokenJSONLD is a script of JSON-LD that does not parse, or has an item without a type.
type BrokenJSONLD struct {
	Beginning   []byte
	WithoutType bool
}

// A Refresh is a meta refresh to another URL. On a page that has nothing else to show, it may be in a
// noscript element, or a script that calls location.replace with a text.
type Refresh struct {
	// URL is empty when the page has no refresh or only reloads itself.
	URL []byte
	// Delay is the time before the refresh; with 0 it acts as a redirect.
	Delay time.Duration
	// Script reports that a script redirects.
	Script bool
}

// OpenGraph holds the Open Graph properties (https://ogp.me) for sitemaps, the first
// value of each. Images and Videos in Links have every og:image
// and og:video.
type OpenGraph struct {
	Type, Title, Description, URL, Locale, SiteName []byte
	Image, Video                                    []byte
}

// An Article is the first article in the JSON-LD of a page.
type Article struct {
	// Type is the schema.org type, such as NewsArticle or BlogPosting.
	Type     []byte
	Headline []byte
	// Dates are as written; ParseDate reads them.
	Dates
}

// A Video is a schema.org VideoObject. Values are as written.
type Video struct {
	Name, Description, Thumbnail []byte
	// Content is the URL of the media file, Embed that of a player.
	Content, Embed []byte
	// Uploaded is a date, Duration an ISO 8601 duration.
	Uploaded, Duration []byte
}

// IsHTML reports whether a response is read as HTML, by its media type in lower case. One
// without a media type is.
func IsHTML(mediaType string) bool {
	return mediaType == "text/html" || mediaType == "application/xhtml+xml" || mediaType == ""
}
