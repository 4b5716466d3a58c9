package crawl

import (
	"time"

	"github.com/mapatools/mapa/sitemap"
)

// An ID numbers the addresses of one crawl in the order in which they were
// found, from 1. 0 is none.
type ID int64

// A Link is an address when it is met for the first time. Its ID says when.
type Link struct {
	ID    ID
	URL   string // to fetch, without fragment
	From  ID     // the page that links there first; 0 for what the crawl began with
	Depth int    // links from the start
	Hops  int    // redirects in a row that led here
	Role  Role
	// Reason says why it will not be fetched; empty when it will. Detail is what
	// the reason points at: a pattern, a trap's name.
	Reason Reason
	Detail string
	// Asked is the address as it was asked for, where that carried a session or
	// another parameter that makes no difference; mostly empty.
	Asked string
	// SeededBy says who named the address apart from links; it is set where a Store
	// hands the link out, never in a Commit.
	SeededBy SeedSource
}

// SeedSource says who named an address apart from links.
type SeedSource uint8

const (
	SeedStart   SeedSource = 1 << iota // the start of the crawl
	SeedSitemap                        // a sitemap
	SeedList                           // a list of addresses
	SeedLog                            // an access log
)

// A Seed is an address that a crawl begins with, and who named it.
type Seed struct {
	URL    string
	Source SeedSource
}

// A Role is what an address is wanted for.
type Role uint8

const (
	RolePage     Role = iota // of the site; its links are followed
	RoleAsset                // an image, a script, a style sheet: only checked
	RoleExternal             // of another site: only checked
)

// A Page is what became of an address: fetched, or looked at and left.
type Page struct {
	ID   ID
	Time time.Time // of the request
	// Status is the HTTP status; 0 when there was no answer or no request.
	Status int
	// Reason says why the page is not in the sitemap; Listed when it is. Detail
	// is what the reason points at: rule and line, error, address.
	Reason Reason
	Detail string
	// Target is where a redirect, a canonical link or a duplicate leads.
	Target ID

	MediaType string
	Size      int64 // bytes after inflating
	Wire      int64 // bytes of the body as it was sent
	Took      time.Duration
	Title     string
	// LastMod is the date of the last change and how it is known.
	LastMod       sitemap.Date
	LastModSource LastModSource
	ETag          string   // for the next crawl
	LastModified  string   // the header, as sent
	Digest        uint64   // of the main content; 0 without one
	Words         int      // of the main content
	Body          uint64   // hash of the body's bytes; 0 without one
	Language      string   // as the html element names it
	Conflict      string   // what the page says of its address in two ways; mostly empty
	Reused        bool     // has not changed since an earlier crawl, from which its facts are
	Anchors       []uint32 // hashes of the ids a fragment can point at, sorted
	Links         []Edge
	// Extensions are what the page tells for the sitemap, ready to be written but
	// for the name of the publication in News; nil for nothing.
	Extensions *sitemap.Extensions
}

// A Reason says why an address is not in the sitemap. The names are stable.
type Reason string

const (
	ReasonListed           Reason = ""
	ReasonRobots           Reason = "robots"            // robots.txt; rule and line
	ReasonNoIndex          Reason = "noindex"           // meta or header
	ReasonCanonical        Reason = "canonical"         // another page is the canonical one
	ReasonRedirect         Reason = "redirect"          // answers with another address
	ReasonRedirectLoop     Reason = "redirect-loop"     // ... that leads back here
	ReasonClientError      Reason = "client-error"      // 4xx
	ReasonServerError      Reason = "server-error"      // 5xx
	ReasonUnreachable      Reason = "unreachable"       // no answer
	ReasonInconclusive     Reason = "inconclusive"      // 403, 429, 999: refused to us, perhaps not to people
	ReasonNotAPage         Reason = "not-a-page"        // an image, a feed, a script
	ReasonOutOfScope       Reason = "out-of-scope"      // another host or path
	ReasonExcluded         Reason = "excluded"          // a pattern
	ReasonAdded            Reason = "added"             // a pattern: listed without being fetched
	ReasonNoList           Reason = "no-list"           // a pattern: fetched and followed, not listed
	ReasonNofollow         Reason = "nofollow"          // every link to it says nofollow
	ReasonDuplicate        Reason = "duplicate"         // the same content as another page
	ReasonParameterVariant Reason = "parameter-variant" // the same but for parameters
	ReasonSoft404          Reason = "soft-404"          // says 200, shows what a missing page shows
	ReasonTrap             Reason = "trap"              // an endless part of the site; which kind
	ReasonLimit            Reason = "limit"             // a limit was reached first; which
	ReasonTooLarge         Reason = "too-large"         // only its beginning was read
)

// Broken reports whether links to the address are dead.
func (p *Page) Broken() bool {
	switch p.Reason {
	case ReasonClientError, ReasonServerError, ReasonUnreachable, ReasonRedirectLoop:
		return true
	}
	return false
}

// unasked reports whether a page that was due was not asked for after all.
func (p *Page) unasked() bool {
	return p.Reason == ReasonRobots || p.Reason == ReasonTrap && p.Status == 0
}
