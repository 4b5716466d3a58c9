package extract

import "time"

// Page is what one HTML document says. Every slice points into the page or
// into buffers of the Scanner that made it and is valid until that Scanner's
// next Scan. All text is UTF-8 with character references decoded. A fact the
// page does not state is empty.
type Page struct {
	// Encoding is the name of the page's character encoding in the Encoding
	// Standard, in lower case: the one in which browsers percent-encode
	// the query of its links.
	Encoding string
	// Base is the href of the first base element that has one. It is left
	// empty where it is a data: or javascript: URL, which the HTML standard
	// ignores (section 4.2.3).
	Base []byte
	// Lang is the lang attribute of the html element.
	Lang []byte
	// Title, Description and H1 (the first h1) have their white space
	// collapsed and are cut at 1,024, 4,096 and 1,024 bytes.
	Title, Description, H1 []byte
	// Canonical is the first canonical link in the head. A canonical link in
	// the body, which search engines ignore, is found in Links only.
	Canonical []byte
	Robots    Robots
	Refresh   Refresh
	OpenGraph OpenGraph
	Article   Article
	// Videos are the VideoObject items of the page's JSON-LD.
	Videos []Video
	// Dates holds what each source of dates says, by its DateSource.
	Dates [4]Dates
	// Links are in document order. Images, scripts and other parts of the page
	// are links too; Kind tells them apart.
	Links []Link
	// LinksDropped counts the links beyond Options.MaxLinks.
	LinksDropped int
	// Anchors are the id attributes, and the name attributes of a elements,
	// that a fragment can point to, in document order, repeats included.
	Anchors [][]byte
	// Digest identifies the main text of the page; see Words.
	//
	// It leaves out navigation, headers, footers, asides, hidden and
	// interactive parts, blocks that are mostly links to other addresses,
	// dates, clock times, counters and tokens. Where the page has a main
	// element, only that counts. Equal digests mean equal main text.
	Digest uint64
	// Words counts the words behind Digest. With none the digest says nothing.
	Words int
}

// Refresh is a meta refresh that leads to another address.
type Refresh struct {
	// URL is empty where the page has no refresh or only reloads itself.
	URL []byte
	// Delay is the time before it happens; with zero it acts as a redirect.
	Delay time.Duration
}

// OpenGraph holds the Open Graph properties (ogp.me) used for sitemaps; the
// first value of each counts. Images and Videos in Links have every og:image
// and og:video.
type OpenGraph struct {
	Type, Title, Description, URL, Locale, SiteName []byte
	Image, Video                                    []byte
}

// Article is the first article of the page's JSON-LD.
type Article struct {
	// Type is the schema.org type, such as NewsArticle or BlogPosting.
	Type     []byte
	Headline []byte
	// Dates are as written; ParseDate reads them.
	Dates
}

// Video is a schema.org VideoObject. Values are as written.
type Video struct {
	Name, Description, Thumbnail []byte
	// Content is the address of the media file, Embed of a player.
	Content, Embed []byte
	// Uploaded is a date, Duration an ISO 8601 duration.
	Uploaded, Duration []byte
}
