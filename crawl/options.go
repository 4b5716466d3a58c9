package crawl

import (
	"iter"
	"net/http"
	"regexp"
	"time"
)

// Options say what to crawl and how. Only Start is required.
type Options struct {
	// Start is the first address, http or https.
	Start string
	// Seeds are further addresses to begin with; nil is none. An error ends the
	// crawl before its first page.
	Seeds iter.Seq2[Seed, error]

	Scope  Scope
	Limits Limits
	Traps  Traps
	Access Access

	// IgnoreRobots fetches what robots.txt forbids.
	IgnoreRobots bool
	// Assets checks images, scripts and style sheets of the site.
	Assets bool
	// External checks links to other sites.
	External bool
	// Images keeps the images of every page for the sitemap.
	Images bool
	// LastMod are the sources of dates to believe; nil is all of
	// [LastModSources], an empty slice none.
	LastMod []LastModSource
	// StripParameters are names of query parameters, * at the end for any
	// ending, that make no difference between pages. Session identifiers and
	// tracking parameters never do.
	StripParameters []string

	// Previous is an earlier crawl of the site: pages that have not changed since
	// are not sent again, and what was seen then tells whether the content of the
	// others has changed. Nil is none.
	Previous Previous
	// Scratch is the folder for what waits to be fetched when that becomes too
	// much for the memory; empty is the system's for temporary files.
	Scratch string
	// OnProgress, when set, is called about once a second by one goroutine.
	OnProgress func(Progress)
	// OnRateChange, when set, hears that a host's rate changed and why. It is called
	// from several goroutines.
	OnRateChange func(host string, perSecond float64, why string)
}

// A Scope says which addresses belong to the site. A pattern is matched against
// the path with its query and against the whole address.
type Scope struct {
	// Subdomains takes in the hosts below the start's.
	Subdomains bool
	// Prefix is the path that all pages begin with; empty is all.
	Prefix string
	// Include, when not empty, leaves out pages that match none of it.
	Include []*regexp.Regexp
	// Exclude leaves out pages that match: they are neither fetched nor listed.
	Exclude []*regexp.Regexp
	// NoList fetches and follows pages that match, and does not list them.
	NoList []*regexp.Regexp
	// Add lists pages that match without fetching them.
	Add []*regexp.Regexp
}

// Limits end a crawl early. 0 is none. What ends by its time is not finished: the
// next run goes on with it, and has the same time again. The others say how much
// of a site is wanted, and what ends by them is finished.
type Limits struct {
	Pages int
	Depth int // links from the start
	Time  time.Duration
	Bytes int64 // of bodies, as sent
}

// The limits, as [Progress] names them.
const (
	LimitPages = "max-pages"
	LimitTime  = "max-time"
	LimitBytes = "max-bytes"
)

// Traps bound the endless parts of a site. 0 is the default, -1 switches the
// trap off. Of the pages that are bounded where they say nothing new, forty times
// as many are too many whatever they say.
type Traps struct {
	Repeats     int // times that one segment may stand in a path: 3
	Segments    int // segments of a path: 24
	YearsAhead  int // of a date in an address: 2
	YearsBack   int // ...: 30
	Facets      int // pages of one path that differ in three parameters or more: 200
	Variants    int // pages of one path that differ in parameters, and say nothing new: 500
	Tokens      int // pages of one path that differ in what looks random, and say nothing new: 50
	Escapes     int // times that a percent sign may be escaped: 3
	Redirects   int // in a row: 10
	SameContent int // pages of the same main text whose links are followed: 25
	Links       int // of one page that are followed: 10,000
	Length      int // bytes of an address: 2,083, the most that all browsers took
	Chain       int // pages of one form, each found on the one before: 300
}

// Access says how to ask.
type Access struct {
	Concurrency int     // requests under way at once: 8
	Rate        float64 // requests a second to a host: 20; negative is no limit
	UserAgent   string
	Header      http.Header // sent to the start's origin only
	User        string      // name:password, sent to the start's origin only
	Cookies     bool        // keep cookies and send them back
	Proxy       string
	// PublicOnly refuses hosts that are not on the public internet: for servers
	// that crawl what strangers ask for.
	PublicOnly bool
}

func (t Traps) withDefaults() Traps {
	set := func(field *int, standard int) {
		switch {
		case *field == 0:
			*field = standard
		case *field < 0:
			*field = 1 << 30
		}
	}
	set(&t.Repeats, 3)
	set(&t.Segments, 24)
	set(&t.YearsAhead, 2)
	set(&t.YearsBack, 30)
	set(&t.Facets, 200)
	set(&t.Variants, 500)
	set(&t.Tokens, 50)
	set(&t.Escapes, 3)
	set(&t.Redirects, 10)
	set(&t.SameContent, 25)
	set(&t.Chain, 300)
	set(&t.Links, 10_000)
	set(&t.Length, 2083)
	return t
}
