package crawl

import (
	"time"

	"github.com/mapatools/mapa/crawl/render"
	"github.com/mapatools/mapa/internal/content"
	"github.com/mapatools/mapa/sitemap"
)

// ID numbers the URLs of one crawl in the order in which they were found, from 1.
// 0 means no URL.
type ID int64

// startID is the ID of the start.
const startID ID = 1

// Link is a URL as it was first found.
type Link struct {
	ID    ID
	URL   string // to fetch, without fragment
	From  ID     // the first page that links to it; 0 for a seed
	Depth int    // links from the start, without redirects
	Hops  int    // redirects in a row that led to it, also by a page
	Role  Role
	// Reason says why the URL is not fetched; it is ReasonListed if it is. Detail
	// explains the reason: a pattern, or a trap.
	Reason Reason
	Detail Detail
	// RequestedURL is the URL as requested if that differs from URL: it carried a session
	// or another parameter that does not change the page. It is mostly empty.
	RequestedURL string
	// SeededBy says who named the URL apart from links. A Store sets it in the links
	// that it returns; in Found of a Commit that is appended, it is not set.
	SeededBy SeedSource
}

// isProvisional reports whether a later link to the URL may still change the decision
// whether it is fetched: it was found by a link that is not followed, by one link too many of a page, or by
// an empty month.
func (l *Link) isProvisional() bool {
	return l.Reason == ReasonNotAPage || l.Detail == DetailNotGiven || l.Reason == ReasonTrap &&
		(l.Detail == TrapLinks.Detail() || l.Detail == TrapMonths.Detail())
}

// SeedSource is a set of sources that named a URL apart from links.
type SeedSource uint8

// The sources of seeds.
const (
	SeedStart   SeedSource = 1 << iota // the start of the crawl
	SeedSitemap                        // a sitemap
	SeedList                           // a list of URLs
	SeedLog                            // an access log
	SeedEarlier                        // an earlier crawl, which listed the URL or a URL that leads to it now
)

// OnlyEarlier reports whether nothing but an earlier crawl names the URL. Its links are not followed, and it is no page
// of the site.
func (l *Link) OnlyEarlier() bool { return l.SeededBy == SeedEarlier }

// Seed is a URL that a crawl begins with, and who named it.
type Seed struct {
	URL    string
	Source SeedSource
}

// Role says what a URL is fetched for.
type Role uint8

// The roles.
const (
	RolePage     Role = iota // a page of the site; its links are followed
	RoleAsset                // an image, a script or a style sheet; only checked
	RoleExternal             // a URL of another site; only checked
)

// Page is the result for one URL that was due: fetched, or skipped for a reason.
type Page struct {
	ID   ID
	Time time.Time // of the request
	// Status is the HTTP status code; 0 without a response.
	Status int
	// Reason says why the page is not in the sitemap; it is ReasonListed if it is.
	// Detail explains the reason: a rule with its line, an error, a URL.
	Reason Reason
	Detail Detail
	// Target is the page that this one redirects to, names as canonical or
	// duplicates.
	Target ID

	MediaType   string
	Size        int64 // bytes of the body, decompressed
	Transferred int64 // bytes of the body, as sent
	Duration    time.Duration
	Title       string
	// LastMod is the date of the last change, and LastModSource how it is known.
	LastMod       sitemap.Date
	LastModSource LastModSource
	// Given is the date that the page gives as its own, which is not always LastMod. It is zero without one.
	Given        sitemap.Date
	ETag         string       // for the next crawl
	LastModified string       // the header, as sent
	Digest       uint64       // of the main text; 0 without text
	Content      content.Sums // of HTML
	Words        int          // of the main text
	Body         uint64       // hash of the body's bytes, or of the rendered document; 0 without a body
	Language     string       // the lang attribute of the html element
	Conflict     Detail       // what contradicts the canonical URL, such as another one; mostly empty
	Reused       bool         // unchanged since an earlier crawl, which the content is from
	Anchors      []uint32     // hashes of the ids that a fragment can point to, sorted
	Shingles     []uint32     // of the main text, sorted, with Options.Shingles
	Links        []Edge
	SessionLinks int  // those of Links with a session identifier, which does not change the page
	TooManyLinks bool // the page has more links than Traps.Links, or their URLs take too much room
	// Security says which headers an HTML page with status 200 has that protect its visitors.
	Security Security
	// CertificateEnd is the day after which the certificate of the host is not valid, in
	// UTC; zero without TLS.
	CertificateEnd time.Time
	// Facts are what the page says about itself. They are nil unless the page was read
	// as HTML.
	Facts *Facts
	// RenderReason says why the page was rendered, or why not. It is empty unless
	// there is an [Options].Renderer. Rendered is nil unless the page was to be rendered; what the page
	// is here is then what its scripts made, unless Rendered.Failure says why not.
	RenderReason render.Reason
	Rendered     *Rendered
	// Difference is what differs from the page in an earlier crawl. It is nil where nothing does, or without such a page.
	Difference *content.Difference
	// Extensions are the page's images, videos, news and alternates for the sitemap.
	// Only the name of the publication in News is missing. It is nil without any.
	Extensions *sitemap.Extensions
}

// Broken reports whether links to the page are broken links.
func (p *Page) Broken() bool { return p.Reason.Broken() }

// location returns the URL that the response redirects to, or "".
func (p *Page) location() string {
	if code, arguments := p.Detail.Split(); Detail(code) == DetailLocation && len(arguments) > 0 {
		return arguments[0]
	}
	return ""
}

// skipped reports whether the page was due but not requested.
func (p *Page) skipped() bool {
	return p.Reason == ReasonRobots || p.Reason == ReasonTrap && p.Status == 0
}
