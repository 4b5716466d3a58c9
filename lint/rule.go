package lint

// A Rule is one thing that can be wrong. Rules are made once and never changed.
type Rule struct {
	// ID names the rule for good. Where the reader itself meets the matter, it
	// is the name of its [sitemap.FaultKind].
	ID string
	// Title says what is wrong in one line, lower case, without a full stop.
	Title string
	// Why says what comes of it, Cure what to do; whole sentences.
	Why, Cure string
	// Severity holds under every rule set of Engines. Overlay holds instead
	// under an engine that judges otherwise; Off lets it pass there.
	Severity Severity
	Engines  Engines // the zero value is every rule set
	Overlay  map[Engines]Severity
	// Source is the address of the text the rule stands on.
	Source string
	// SearchConsole and Yandex are what their reports call it; empty where they
	// have no name for it.
	SearchConsole, Yandex string
	// Since is the version of Mapa that brought the rule.
	Since string
	// Live rules ask the site, and are applied only when that is wanted.
	Live bool
	// Bad breaks the rule and Good keeps it, as like as they can be. An example
	// is a sitemap at https://example.com/sitemap.xml or, when it begins with
	// "-- ", a txtar archive of what the site serves, in the form of
	// internal/testsite, of which the first file is checked; a file //host/path
	// is one of another host. Text like
	// {{repeat 3 "<url/>"}} is written out three times before it is used, and
	// {{n}} in it is the number of the time; {{today}} and {{today -3}} are dates,
	// {{now}} is the time, {{bytes "fffe"}} bytes in hexadecimal, {{gzip "text"}}
	// the text compressed and {{gzip twice "text"}} compressed again. An answer
	// with a header "Failure" stands for none at all: its value is dns, tls,
	// timeout or refused. Answers have an ETag and X-Robots-Tag: noindex unless
	// they give these headers themselves. The site began on 1 January 2010, its
	// sitemap listed ten pages the last time, and a crawl has met all that the archive
	// has of it.
	Bad, Good string

	// check looks at an entry; nil for what the reader reports and for what is
	// found at the end of a file or of the set.
	check func(*visit)
	// finish looks at a file whose entries have all been looked at.
	finish func(*fileEnd)
	// needs says what an entry must have for check to be called.
	needs traits
	// live looks at what the site says of a page, host at what its robots.txt says.
	live func(*encounter)
	host func(*hostVisit)
}

// traits are what can be told of an entry at one glance, so that most rules need
// not look at most entries.
type traits uint32

const (
	anyEntry      traits = 0         // every page and every sitemap of every format
	needsLastMod  traits = 1 << iota // a lastmod that is no plain date between 1995, or the beginning of the site, and now
	needsFreq                        // a changefreq that is none of the seven
	needsPriority                    // a priority that is none of 0.0, 0.1 to 1.0, 0 and 1
	needsOddLoc                      // a loc with a byte or a shape that is not of the plainest kind
	needsStray                       // a loc that does not lie below the sitemap's own folder
	needsSitemap                     // a sitemap rather than a page
	needsDisorder                    // children in an order that the schema does not want
	needsImages
	needsVideos
	needsNews
	needsAlternates
	needsPageMaps
	needsOther // elements of unknown vocabularies, or mobile
	needsText  // a line of a text file
	needsTurn  // news where the entry before had none, or the other way round

	// What is odd in an odd loc:
	oddOrigin   // the scheme or the host is not spelled in the usual way, or there is none
	oddLength   // less than 12 bytes or more than 1,024
	oddQuery    // ? & ; and what else queries have
	oddPercent  // a percent sign
	oddFragment // a #
	oddDots     // a segment that begins with a dot
	oddBytes    // white space, bytes outside of ASCII, what no address may have
)
