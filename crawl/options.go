package crawl

import (
	"cmp"
	"context"
	"iter"
	"net/http"
	"regexp"
	"time"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/crawl/render"
	"github.com/mapatools/mapa/robots"
)

const defaultConcurrency = 8

// Options configures a crawl. Only Start is required; in every other field the
// zero value is the default.
type Options struct {
	// Start is the first URL, http or https.
	Start string
	// StrictStart ends the crawl with a [MovedError] also where the start page redirects
	// to the other scheme, http or https, of its host. By default the crawl goes on
	// there.
	StrictStart bool
	// BaseURL is the public URL of the folder of Start, if that is another one: Start
	// may be that of a preview or of a server on this machine. Links, canonicals and
	// sitemaps under BaseURL are those of the site, everything that is kept has public
	// URLs, and the patterns of Scope match these. Nothing is requested from the public
	// address. Scope.Subdomains has no effect with it. Empty means Start's own.
	BaseURL string
	// Seeds are further URLs to begin with. An error ends the crawl before its
	// first page.
	Seeds iter.Seq2[Seed, error]
	// SkipSitemaps leaves out the sitemaps that robots.txt names.
	SkipSitemaps bool
	// Offered, when set, returns URLs of the site that became known elsewhere, none at
	// the end. It is called when nothing else is left to request, also in a continued
	// crawl, and again until it returns none. They count as named by a list.
	Offered func(context.Context) ([]string, error)

	// Local answers for the site in this process, without its server.
	Local Local

	// Which URLs are pages of the site, and when to stop.
	Scope  Scope
	Limits Limits
	Traps  Traps

	// Renderer runs the scripts of pages in a browser: what they make of a page decides. Nothing is rendered
	// without one.
	Renderer render.Renderer
	// RenderPattern selects the pages that are rendered, by their path with its query or by the whole URL: an empty
	// pattern selects all. nil means those that need it.
	RenderPattern *regexp.Regexp

	// Access says how to request them.
	Access access.Access
	// Concurrency is the maximum number of pages in flight, and of requests to one host; 0
	// means 8. URLs that are only checked have 25 times as many requests in flight, at most
	// 200. One host gets at most half of Concurrency, but at least 2.
	Concurrency int

	// What to check and record in addition to the pages.

	Checks Checks
	// Feeds requests the feeds that pages name, for the links in them. By default only
	// the feeds that a visitor can follow a link to are requested, and none is read.
	Feeds bool
	// Documents are the kinds of files that are listed like pages; nil means
	// [DefaultDocuments], an empty slice means none.
	Documents []DocumentKind
	// Shingles records hashes of every five words in a row of each page, by which similar
	// pages are found: four bytes for each word.
	Shingles bool
	// Images records the images of every page for the sitemap.
	Images bool
	// LastMod are the sources of modification dates to use; nil means all of
	// [LastModSources], an empty slice means none.
	LastMod []LastModSource
	// StripParameters are names of query parameters that do not change the page; a
	// * at the end matches any ending. Session and tracking parameters are always
	// treated that way.
	StripParameters []string

	// Previous is an earlier crawl of the site. Pages that have not changed since
	// then are not sent again, and the date of the others says whether their
	// content has changed. It may be nil.
	Previous Previous
	// Answers has what URLs of other sites answered to earlier crawls. They are not requested
	// again for AnswerAge, or for an hour after a failure, if that is shorter. A URL is that of
	// another site if neither it nor a redirect that it leads to belongs to the site, has
	// Access.Headers or is on this machine. Statuses other than 200 to 399, 404 and 410 are
	// never kept. It may be nil.
	Answers Answers
	// AnswerAge is how long an answer in Answers counts; 0 means [DefaultAnswerAge].
	AnswerAge time.Duration
	// TempDir is the folder for the part of a long queue that does not fit in
	// memory; empty means the system's folder for temporary files.
	TempDir string

	// Callbacks. Each may be nil.

	// OnPage is called with every response for a page of the site, redirects and
	// errors included, and 304 responses where Previous is set. Up to
	// Concurrency workers call it at once, each from its own goroutine, and
	// wait for it to return.
	OnPage func(Response)
	// OnProgress is called about once a second, from one goroutine.
	OnProgress func(Progress)
	// OnRateChange is called when the rate of requests to a host is reduced, and when it
	// is what it was; 0 per second means no limit. It is not called for every step of a
	// rate that goes up and down. why is a text for people. Several goroutines call it.
	OnRateChange func(host string, perSecond float64, why string)
	// OnSitemap is called for every sitemap that robots.txt names. When it names none and there
	// are no Seeds, it is called for the sitemap at /sitemap.xml, whose pages are not crawled. A
	// continued crawl does not call it. A crawl of this machine reads no sitemap of another host.
	OnSitemap func(SiteSitemap)
	// OnRobots is called with the robots.txt of the site when it was requested, which a continued crawl does again. One
	// goroutine at a time calls it.
	OnRobots func(*robots.File)
	// OnAgents is called at the end of a crawl with Checks.Agents, unless the start page does not answer the crawler
	// itself, with those that it refuses.
	OnAgents func(refused []Agent)
	// OnNotice is called with a text for people when something makes the crawl longer
	// or less complete than expected. Several goroutines call it.
	OnNotice func(text string)
}

// A SiteSitemap is what a crawl found at the URL of a sitemap.
type SiteSitemap struct {
	URL    string
	Named  bool   // robots.txt names it
	Pages  int    // that it lists, as far as it was read
	Origin string // of these pages, such as https://example.com; empty when they have several
	Err    error  // it cannot be read: a [*source.Error]
}

// Response is what [Options].OnPage receives. Header and Body are valid until the
// callback returns: copy what is needed longer, and do not change them.
type Response struct {
	URL    string // as requested
	Status int    // the HTTP status code
	Header http.Header
	// Body is the decoded body of a 2xx response. It is empty for media types that
	// the crawler does not read, such as images.
	Body []byte
	// Truncated reports that the body was longer than what was read.
	Truncated bool
}

// Scope says which URLs belong to the site. Patterns are matched against the path
// with its query, and against the whole URL.
type Scope struct {
	// Subdomains includes the subdomains of the start's host.
	Subdomains bool
	// OnlySeeds limits the crawl to Options.Start, Options.Seeds, and where these redirect to.
	// Links to other pages are recorded and not followed, the sitemaps that robots.txt names are
	// not read, and of Traps only Redirects, Links and Length have an effect.
	OnlySeeds bool
	// Prefix is what the path of every page begins with; empty means any path.
	Prefix string
	// Include, when not empty, limits the crawl to pages that match one pattern.
	Include []*regexp.Regexp
	// Exclude leaves out pages that match: they are neither fetched nor listed.
	Exclude []*regexp.Regexp
	// NoList fetches and follows pages that match without listing them.
	NoList []*regexp.Regexp
	// Add lists pages that match without fetching them.
	Add []*regexp.Regexp
	// IgnoreRobots requests what robots.txt disallows.
	IgnoreRobots bool
	// IgnoreRobotsHeader ignores the X-Robots-Tag header, by which previews keep search
	// engines out.
	IgnoreRobotsHeader bool
}

// Checks says which URLs are requested only to find broken links, and which links are broken.
type Checks struct {
	Assets   bool // images, scripts and style sheets of the site
	External bool // links to other sites
	// Moved says where URLs of other sites redirect to, in [Page].Detail. Their answers are not kept in Answers.
	Moved bool
	// Policy says which failures are broken links. It lists no page.
	Policy []LinkRule
	// Origins says how some origins are requested, such as https://intranet.example.com.
	Origins map[string]LinkOrigin
	// Agents are crawlers in whose name the start page is requested once more, at the end.
	Agents []Agent
}

// Limits ends a crawl early. 0 means no limit. A crawl that reaches Time is not
// finished: the next run continues it with the same time again. A crawl that
// reaches another limit is finished.
type Limits struct {
	Pages int           // pages to request, with those of earlier runs that the store holds
	Depth int           // links from the start, without redirects
	Time  time.Duration // from the beginning of the run
	Bytes int64         // bytes of response bodies, as sent
	// Render is how many pages are rendered, with those of earlier runs. The crawl goes on
	// without rendering.
	Render int
}

// The limits that end a crawl. The names are stable. [Progress] does not report LimitDepth: with it the crawl goes on
// elsewhere.
const (
	LimitNone  = ""
	LimitPages = "max-pages"
	LimitDepth = "max-depth"
	LimitTime  = "max-time"
	LimitBytes = "max-bytes"
)

// withDefaults returns a copy with the defaults filled in. o may be nil.
func (o *Options) withDefaults() Options {
	var full Options
	if o != nil {
		full = *o
	}
	if full.Concurrency <= 0 {
		full.Concurrency = defaultConcurrency
	}
	if full.Documents == nil {
		full.Documents = DefaultDocuments()
	}
	full.AnswerAge = cmp.Or(full.AnswerAge, DefaultAnswerAge)
	if full.Scope.OnlySeeds {
		full.Traps = full.Traps.ofList()
	}
	full.Traps = full.Traps.withDefaults()
	return full
}
