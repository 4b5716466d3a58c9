package crawl

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/internal/fetch"
	"github.com/mapatools/mapa/internal/urlnorm"
	"github.com/mapatools/mapa/source"
)

// maxStartShown is how much of a start that is too long an error shows.
const maxStartShown = 200

// StartURL returns the URL under which a crawl with these options keeps its start
// page: normalized, and public. The error wraps [ErrStart] or [ErrBaseURL].
func (o *Options) StartURL() (string, error) {
	start, _, public, err := o.addresses()
	if err != nil {
		return "", err
	}
	return public.publicURL(start), nil
}

// addresses returns the start, normalized and parsed, and its public address, which is
// nil without BaseURL.
func (o *Options) addresses() (start string, parsed *url.URL, public *publicAddress, err error) {
	if o.Start == "" {
		return "", nil, nil, &StartError{Err: errNoStart, Detail: errNoStart.Error()}
	}
	base, err := urlnorm.NewBase([]byte(o.Start))
	if errors.Is(err, urlnorm.ErrTooLong) {
		shown := o.Start[:maxStartShown] + "…"
		detail := fmt.Sprintf("longer than %d bytes", urlnorm.MaxLength)
		return "", nil, nil, &StartError{URL: shown, Err: err, Detail: detail}
	}
	if err != nil {
		return "", nil, nil, &StartError{URL: o.Start, Err: errStartScheme, Detail: errStartScheme.Error()}
	}
	start = base.String()
	if parsed, err = url.Parse(start); err != nil {
		return "", nil, nil, &StartError{URL: o.Start, Err: err, Detail: err.Error()}
	}
	public, err = newPublicAddress(parsed, o.BaseURL)
	return start, parsed, public, err
}

// Source returns options to read seeds with. Their client connects as a crawl with these
// options does: with its proxy, its guard, the headers for the start's origin, its rate,
// and the deadline of the sitemaps that the crawl itself reads. The error wraps
// [ErrStart] or is about the proxy.
func (o *Options) Source() (*source.Options, error) {
	options := o.withDefaults()
	_, start, address, err := options.addresses()
	if err != nil {
		return nil, err
	}
	client, err := fetch.New(options.fetchOptions(start))
	if err != nil {
		return nil, err
	}
	return sourceOptions(&siteStream{Stream: client.Stream(nil), address: address}, options.Access.Timeout), nil
}

// sourceOptions returns options to read sitemaps of the site by a stream, each in at most a time.
func sourceOptions(stream *siteStream, timeout time.Duration) *source.Options {
	return &source.Options{
		Access: access.Access{Transport: stream}, ReadTime: cmp.Or(timeout, sitemapTime),
		MapURL: stream.address.publicURL,
	}
}

// fetchOptions returns the options of a client for the site at start.
func (o *Options) fetchOptions(start *url.URL) *fetch.Options {
	origin := start.Scheme + "://" + start.Host
	options := &fetch.Options{Access: o.Access, PerHost: o.Concurrency}
	addOrigins(options, o.Checks.Origins)
	if o.Local.Transport != nil {
		options.Local = &fetch.Local{Origin: origin, Transport: o.Local.Transport}
	}
	if o.OnNotice != nil {
		options.Retry.OnWait = func(address string, status int, wait time.Duration) {
			if wait > longDelay && urlnorm.Origin(address) == origin {
				o.OnNotice(fmt.Sprintf("%s answers %d %s: waiting for %v", address, status, http.StatusText(status),
					wait.Round(time.Second)))
			}
		}
	}
	if onChange := o.OnRateChange; onChange != nil {
		options.OnRateChange = func(change fetch.RateChange) { onChange(change.Host, change.Rate, rateChangeText(change)) }
	}
	return options
}

// rateChangeText says in words why the rate of a host changed.
func rateChangeText(change fetch.RateChange) string {
	switch change.Reason {
	case fetch.ReasonOverloaded:
		return fmt.Sprintf("it answers %d", change.Status)
	case fetch.ReasonSlow:
		return fmt.Sprintf("it takes %v to answer", change.Latency.Round(time.Millisecond))
	}
	return "it has recovered"
}
