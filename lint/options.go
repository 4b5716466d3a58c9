package lint

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"maps"
	"net/url"
	"slices"
	"time"

	"github.com/mapatools/mapa/source"
)

// Options select the rules and what they are applied to. The zero value applies
// the protocol's own rules to what the sources list.
type Options struct {
	// Engines are the rule sets to apply; the zero value is EngineSitemapsOrg. The
	// protocol's rules are always among them, but without EngineSitemapsOrg the
	// chosen engine decides how severe a breach is: see Rule.Overlay.
	Engines Engines
	// Only, Enable and Disable are IDs of rules over sitemaps. Only, unless empty, replaces
	// the rules of Engines, besides those that report a file that cannot be fetched or
	// opened; Enable adds to them, and Disable removes from both.
	Only, Enable, Disable []string
	// Severity replaces the severity of rules, by ID.
	Severity map[string]Severity
	// MaxPerRule is the maximum number of findings of one rule in one file; further
	// ones are only counted. 0 means 10, and negative no limit.
	MaxPerRule int

	// Source says how the sources are opened. Its fields Strict, Indexes and OnFault
	// are overwritten. Its Access holds for all requests of a Linter, which share the rate of
	// a host.
	Source source.Options
	// BaseURL is where files and standard input will be published: the address of a
	// file is its name, resolved against it. Without it their place is unknown, and
	// their pages are only compared with each other.
	BaseURL string
	// VerifiedHosts are hosts whose pages may be listed anywhere, as after proof of
	// ownership, with their subdomains.
	VerifiedHosts []string
	// Now is the time that dates are compared with. Zero is the time of the check.
	Now time.Time
	// SiteSince is the day on which the site began: no page can have changed before.
	// Zero is unknown.
	SiteSince time.Time
	// Memory is the maximum number of bytes that checks across files hold in memory;
	// the rest goes to temporary files. 0 is 144 MiB.
	Memory int64

	// Previous is the number of pages that each source listed before, as OnCount
	// reported it. A source that lists far fewer now is a finding.
	Previous map[string]int
	// Crawled are the pages that a crawl of the site requested, which are compared with
	// those that the sources list. Check ends with its error.
	Crawled iter.Seq2[CrawledPage, error]

	// Live applies the rules about the site itself, which request it as Source.Access says.
	Live bool
	// Sample is how many pages they request, chosen from all files and all shapes of
	// addresses. 0 is 200, negative is all pages. Of a page in a sample they request
	// the first ten images and thumbnails too.
	Sample int
	// Concurrency is how many requests run at the same time. 0 is 8.
	Concurrency int

	// OnFile is called after the findings of every file, with nil or the reason why
	// the file could not be opened, by the goroutine that iterates.
	OnFile func(file string, err error)
	// OnNotice is called with a text for people when a host is left out of the rules about
	// the site, since it does not answer or asks for a long delay. Several goroutines call it.
	OnNotice func(text string)
	// OnCount is called after the last file with the number of pages that each source
	// lists, unless a file of it could not be read to its end, by the goroutine that
	// iterates.
	OnCount func(source string, pages int)
}

// CrawledPage is a page that a crawl of the site requested.
type CrawledPage struct {
	URL string
	// Linked reports whether visitors get there by links or begin there. It is true,
	// too, when the crawl cannot know because it ended early.
	Linked bool
	// State says whether the page is fit for a sitemap, and Status is the HTTP status
	// of the answer, 0 without one.
	State  CrawlState
	Status int
}

// CrawlState is what a crawl found out about a page. The zero value is CrawlFit.
type CrawlState uint8

// The states.
const (
	CrawlFit      CrawlState = iota // it may be indexed, and does not duplicate another page
	CrawlDead                       // an error, no answer, or a redirect loop
	CrawlRedirect                   // it redirects to another page
	CrawlNoIndex                    // it asks not to be indexed
)

func (o *Options) validate() error {
	if unknown := o.Engines &^ (EngineAll | EngineSchema); unknown != 0 {
		return fmt.Errorf("unknown engines %#x", uint8(unknown))
	}
	for _, id := range slices.Sorted(maps.Keys(o.Severity)) {
		if s := o.Severity[id]; s > SeverityError {
			return fmt.Errorf("unknown severity %d of rule %s", s, id)
		}
	}
	if u, err := url.Parse(o.BaseURL); o.BaseURL != "" && (err != nil || u.Host == "") {
		return fmt.Errorf("the base URL is an address such as https://example.com/, not %q", o.BaseURL)
	}
	if o.Memory < 0 {
		return errors.New("the memory is negative")
	}
	return nil
}

// The defaults of options.
const (
	defaultMaxPerRule  = 10
	defaultMemory      = 144 << 20
	defaultSample      = 200
	defaultConcurrency = 8
)

// withDefaults returns a copy of the options in which zero values are the defaults,
// except for Now.
func (o Options) withDefaults() Options {
	o.Only, o.Enable, o.Disable = slices.Clone(o.Only), slices.Clone(o.Enable), slices.Clone(o.Disable)
	o.Severity, o.Previous = maps.Clone(o.Severity), maps.Clone(o.Previous)
	o.VerifiedHosts = slices.Clone(o.VerifiedHosts)
	o.Engines = cmp.Or(o.Engines, EngineSitemapsOrg)
	o.MaxPerRule = cmp.Or(o.MaxPerRule, defaultMaxPerRule)
	o.Memory = cmp.Or(o.Memory, defaultMemory)
	o.Sample = cmp.Or(o.Sample, defaultSample)
	if o.Concurrency <= 0 {
		o.Concurrency = defaultConcurrency
	}
	return o
}
