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
	// Title, Description (the first that is not empty) and H1 (the first h1) have
	// their white space collapsed and are cut at 1,024, 4,096 and 1,024 bytes.
	Title, Description, H1 []byte
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
	// ImagesWithoutAlt is the number of img elements without an alt attribute.
	ImagesWithoutAlt int
	// ItemTypes are the types of the page's JSON-LD items, each once, without the
	// prefix of schema.org: of the items at the top, and of those in their @graph,
	// mainEntity and video.
	ItemTypes []string
	// HasText reports that the page has text outside its head, and HasScript that
	// it has a script that runs. A page without text that has a script is empty
	// until the script ran.
	HasText, HasScript bool
	// Digest identifies the main text of the page; see Words.
	//
	// It ignores navigation, headers, footers, asides, hidden and interactive
	// parts, blocks that are mostly links to other URLs, dates, times,
	// counters and tokens. When the page has a main element with text, only
	// that counts. Equal digests mean equal main text.
	Digest uint64
	// Words is the number of words in Digest. With 0, Digest is meaningless.
	Words int
}

// A Refresh is a meta refresh to another URL.
type Refresh struct {
	// URL is empty when the page has no refresh or only reloads itself.
	URL []byte
	// Delay is the time before the refresh; with 0 it acts as a redirect.
	Delay time.Duration
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
