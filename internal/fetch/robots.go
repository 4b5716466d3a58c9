package fetch

import (
	"bytes"
	"container/list"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/mapatools/mapa/robots"
)

// ProductToken is the name by which a robots.txt addresses the crawler (RFC 9309
// section 2.2.1).
const ProductToken = "Mapa"

// Robots obeys robots.txt on top of another fetcher. It requests the file of each
// origin once and keeps what it asks of this crawler, in bounded memory: an origin
// that was evicted is requested again, and so is a file older than
// [robots.MaxAge]. Robots is safe for concurrent use; callers that need the same
// origin wait for one request.
type Robots struct {
	next    Fetcher
	options RobotsOptions
	cache   *rulesCache
	parsing sync.Mutex // one file at a time, since parsing needs several times its length
}

// RobotsOptions configure a [Robots]. The zero value obeys every file.
type RobotsOptions struct {
	// Site is the origin, such as https://example.com, of the site that is
	// crawled. It is never evicted, and MaxDelay does not apply to it.
	Site string
	// MaxDelay is the longest Crawl-delay that is waited for (1 min). It keeps
	// one host from holding up everything else.
	MaxDelay time.Duration
	// CapDelay makes Fetch wait for MaxDelay where an origin asks for longer,
	// instead of refusing the request.
	CapDelay bool
	// IgnoreRules allows every URL. Crawl-delay and Sitemap lines still count.
	IgnoreRules bool
	// IgnoreDelay ignores the Crawl-delay of Site.
	IgnoreDelay bool
	// OnSite, when set, is called with each robots.txt of Site that is read, one call at a time.
	OnSite func(*robots.File)
}

// NewRobots returns a Robots that sends its requests, those for robots.txt
// included, to next. A nil options means the defaults.
func NewRobots(next Fetcher, options *RobotsOptions) *Robots {
	r := &Robots{next: next}
	if options != nil {
		r.options = *options
	}
	r.options.MaxDelay = limit(r.options.MaxDelay, time.Minute)
	r.cache = &rulesCache{site: r.options.Site, byOrigin: map[string]*list.Element{}}
	return r
}

// Rules is what the robots.txt of one origin asks of this crawler. It is shared
// and must not be changed.
type Rules struct {
	// Group judges URLs. It is never nil.
	Group *robots.Group
	// Delay is the Crawl-delay, at most MaxDelay except for the Site.
	Delay time.Duration
	// AskedDelay is the Crawl-delay that the file asks for.
	AskedDelay time.Duration
	// Sitemaps are the values of the Sitemap lines, as written.
	Sitemaps []string
	// Failed reports that the rules are unknown because the server failed to
	// answer, or answered 5xx. The Group then disallows everything (RFC 9309
	// section 2.3.1.4).
	Failed bool
	// Err is the error of the request when there was no response.
	Err error
}

// Verdict judges an absolute URL of the origin.
func (r *Rules) Verdict(url string) robots.Verdict {
	return r.Group.Verdict(url)
}

// Rules returns what the robots.txt of an origin, such as https://example.com,
// asks for. It requests the file when it is not known, or waits for the caller
// that does. When ctx ends first, Err is its cause and nothing is kept.
func (r *Robots) Rules(ctx context.Context, origin string) *Rules {
	for {
		entry, fetches := r.cache.enter(origin, time.Now())
		if fetches {
			return r.fill(ctx, entry)
		}
		select {
		case <-entry.done:
			if entry.rules != nil {
				return entry.rules
			}
			// The caller that fetched was canceled: take its place.
		case <-ctx.Done():
			return r.unavailable(&Error{URL: origin + robotsPath, Kind: KindCanceled, Err: context.Cause(ctx)})
		}
	}
}

// A RobotsError is the cause in an [Error] with [KindDisallowed] or
// [KindDelayTooLong].
type RobotsError struct {
	// Verdict is the rule that disallows the URL; the zero Verdict for a delay.
	Verdict robots.Verdict
	// Delay is the Crawl-delay that is longer than MaxDelay; 0 for a rule.
	Delay time.Duration
}

// Error explains the refusal in a few words.
func (e *RobotsError) Error() string {
	if e.Delay > 0 {
		return fmt.Sprintf("robots.txt asks for a delay of %v between requests", e.Delay)
	}
	return e.Verdict.String()
}

// Fetch implements [Fetcher]. It does not request a URL that robots.txt
// disallows, or whose origin asks for a Crawl-delay longer than MaxDelay: the
// error then wraps a [RobotsError]. It sets the Delay of the request.
func (r *Robots) Fetch(ctx context.Context, req *Request) (*Response, error) {
	delay, err := r.Admit(ctx, req.URL)
	if err != nil {
		return nil, err
	}
	delayed := *req
	delayed.Delay = max(req.Delay, delay)
	return r.next.Fetch(ctx, &delayed)
}

// Admit asks robots.txt about a request that the caller sends. It returns the
// Crawl-delay to wait for, or the error that Fetch returns for such a URL.
func (r *Robots) Admit(ctx context.Context, url string) (delay time.Duration, err error) {
	to, err := parseTarget(url)
	if err != nil {
		return 0, err
	}
	if to.path == robotsPath {
		return 0, nil
	}
	rules := r.Rules(ctx, to.origin())
	verdict := rules.Verdict(to.origin() + to.path)
	switch {
	case !verdict.Allowed && rules.Err != nil:
		return 0, rules.Err
	case !verdict.Allowed:
		return 0, &Error{URL: url, Kind: KindDisallowed, Err: &RobotsError{Verdict: verdict}}
	case rules.AskedDelay > rules.Delay && !r.options.CapDelay:
		return 0, &Error{URL: url, Kind: KindDelayTooLong, Err: &RobotsError{Delay: rules.AskedDelay}}
	}
	return rules.Delay, nil
}

// fill requests the robots.txt of an entry that this caller has entered.
func (r *Robots) fill(ctx context.Context, entry *rulesEntry) *Rules {
	rules := r.request(ctx, entry.origin)
	switch {
	case rules.Err != nil && ctx.Err() != nil:
		r.cache.drop(entry)
	case rules.Failed && entry.previous != nil: // RFC 9309 section 2.4
		rules = entry.previous
		r.cache.keep(entry, rules)
	default:
		r.cache.keep(entry, rules)
	}
	return rules
}

const robotsPath = "/robots.txt"

// request gets a robots.txt by RFC 9309 section 2.3.1.
func (r *Robots) request(ctx context.Context, origin string) *Rules {
	response, err := Follow(r.next, robots.MaxRedirects).Fetch(ctx,
		&Request{URL: origin + robotsPath, Limit: robots.ReadLimit + 1, AnyType: true})
	switch {
	case errors.Is(err, KindTooManyRedirects), errors.Is(err, KindRedirectLoop), errors.Is(err, KindBadRedirect):
		return r.read(origin, robots.AllowAll("robots.txt redirects without end"))
	case err != nil:
		return r.unavailable(err)
	}
	r.parsing.Lock()
	defer r.parsing.Unlock()
	file := robots.FromResponse(response.Status, bytes.NewReader(response.Body))
	if origin == r.options.Site && r.options.OnSite != nil {
		r.options.OnSite(file)
	}
	rules := r.read(origin, file)
	rules.Failed = response.Status >= 500
	return rules
}

// read takes out of a file what concerns this crawler. The file itself is not
// retained.
func (r *Robots) read(origin string, file *robots.File) *Rules {
	rules := &Rules{Group: file.Group(ProductToken), Sitemaps: sitemapsOf(file)}
	if origin != r.options.Site || !r.options.IgnoreDelay {
		rules.AskedDelay, _ = rules.Group.CrawlDelay()
	}
	rules.Delay = rules.AskedDelay
	if origin != r.options.Site {
		rules.Delay = min(rules.Delay, r.options.MaxDelay)
	}
	if r.options.IgnoreRules {
		rules.Group = robots.AllowAll("robots.txt is ignored, as asked").Group(ProductToken)
	}
	return rules
}

func (r *Robots) unavailable(err error) *Rules {
	rules := r.read("", robots.Unreachable(err))
	rules.Failed, rules.Err = true, err
	return rules
}
