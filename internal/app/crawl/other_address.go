package crawl

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app/access"
	"github.com/mapatools/mapa/internal/app/addresses"
	"github.com/mapatools/mapa/internal/fetch"
)

// An OtherAddressError says that the start of a crawl fails, and that the site answers at another
// address: with http in place of https or the other way around, with or without www., or at its
// root.
type OtherAddressError struct {
	To  string // the address that answers
	Err error  // why the start fails
}

// Error gives the reason of the failure and the address.
func (e *OtherAddressError) Error() string { return fmt.Sprintf("%v; %s answers", e.Err, e.To) }

// Unwrap returns the reason of the failure.
func (e *OtherAddressError) Unwrap() error { return e.Err }

const (
	// answerTime is how long a site has for each answer at the other address, and otherTime for
	// all of them with the waits for its rate.
	answerTime, otherTime = 5 * time.Second, 30 * time.Second
	// otherRequests is how many requests find out whether it answers.
	otherRequests = 2
)

// withOtherAddress names another address of the site if the start fails and that one answers.
// Whether to use it is left to the user: it may be unencrypted, or another page.
func (r *crawlRun) withOtherAddress(ctx context.Context, err error) error {
	if r.site != nil || !errors.Is(err, crawl.ErrStart) {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, otherTime)
	defer cancel()
	other, answers := "", r.answersPage
	switch start := r.options.Start; {
	case access.LacksTLS(err) && !r.start.triedHTTP:
		other, answers = withOtherScheme(start), r.answersAny
	case isBadCertificate(err):
		other = withOtherScheme(start)
	case isNotFound(err):
		other = rootOf(start)
	case errors.Is(err, fetch.KindNoHost), errors.Is(err, fetch.KindDNS):
		other = withOtherWWW(start)
	}
	if other == "" || !r.isOfAsked(other) || !r.waitTurn(ctx) || !answers(ctx, other) {
		return err
	}
	return &OtherAddressError{To: other, Err: err}
}

// waitTurn waits for as long as the rate of the crawl asks after its last request. It reports
// false if the context ends first.
func (r *crawlRun) waitTurn(ctx context.Context) bool {
	perSecond := r.options.Access.Rate.Limit()
	if perSecond <= 0 {
		return ctx.Err() == nil
	}
	select {
	case <-ctx.Done():
		return false
	case <-time.After(time.Duration(float64(time.Second) / perSecond)):
		return true
	}
}

// isBadCertificate reports whether a site speaks TLS with a certificate that cannot be trusted.
func isBadCertificate(err error) bool {
	failed, is := errors.AsType[*fetch.TLSError](err)
	return is && failed.Fault != fetch.TLSOther && failed.Fault != fetch.TLSMissing
}

// isNotFound reports whether the site answers that the start does not exist.
func isNotFound(err error) bool {
	start, is := errors.AsType[*crawl.StartError](err)
	return is && (start.Status == http.StatusNotFound || start.Status == http.StatusGone)
}

// isOfAsked reports whether an address is on the host that the user named, with or without www.:
// the start may have moved to another one.
func (r *crawlRun) isOfAsked(address string) bool {
	asked, errAsked := url.Parse(r.start.asked)
	other, errOther := url.Parse(address)
	return errAsked == nil && errOther == nil && addresses.BareHost(asked) == addresses.BareHost(other)
}

// withOtherScheme returns an address with https in place of http, or the other way around. A
// port stays, unless it is that of the scheme.
func withOtherScheme(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	ports := map[string]string{"http": "80", "https": "443"}
	if u.Port() == ports[u.Scheme] {
		u.Host = u.Host[:len(u.Host)-len(u.Port())-len(":")]
	}
	if u.Scheme == "https" {
		u.Scheme = "http"
	} else {
		u.Scheme = "https"
	}
	return u.String()
}

// rootOf returns the address of the root of a site, or "" for that of the root.
func rootOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.RequestURI() == "/" {
		return ""
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: "/"}).String()
}

// withOtherWWW returns an address with www. if it has none, and without it if it has, or "" for
// a host that has no such variant, such as an IP address or a name without a dot.
func withOtherWWW(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	other := *u
	other.Host = addresses.WWWVariant(u.Host)
	if addresses.BareHost(u) != addresses.BareHost(&other) {
		return ""
	}
	return other.String()
}

// answersAny reports whether a site answers at an address. It requests robots.txt, which may
// always be requested.
func (r *crawlRun) answersAny(ctx context.Context, address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	robots := url.URL{Scheme: u.Scheme, Host: u.Host, Path: "/robots.txt"}
	client, err := r.newOtherClient()
	if err != nil {
		return false
	}
	defer client.Close()
	_, err = client.Fetch(ctx, &fetch.Request{URL: robots.String(), Head: true})
	return err == nil
}

// answersPage reports whether a site has a page at an address, or a redirect that stays on the
// site and its scheme. It requests the page if robots.txt allows it.
func (r *crawlRun) answersPage(ctx context.Context, address string) bool {
	client, err := r.newOtherClient()
	if err != nil {
		return false
	}
	defer client.Close()
	robots := fetch.NewRobots(client, &fetch.RobotsOptions{IgnoreRules: r.options.Scope.IgnoreRobots})
	answer, err := robots.Fetch(ctx, &fetch.Request{URL: address, Limit: 1, RetryLater: true})
	if err != nil {
		return false
	}
	if answer.RedirectTo == "" {
		return answer.Status == http.StatusOK
	}
	from, errFrom := url.Parse(address)
	to, errTo := url.Parse(answer.RedirectTo)
	return errFrom == nil && errTo == nil && from.Scheme == to.Scheme && addresses.SameOwner(from, to) &&
		answer.RedirectTo != r.options.Start
}

var errOtherRequests = errors.New("no more requests find out whether another address answers")

// newOtherClient returns a client with the access of the crawl for a few requests without
// credentials.
func (r *crawlRun) newOtherClient() (*fetch.Client, error) {
	options := fetch.Options{Access: r.options.Access, Retry: fetch.Retry{Tries: -1}}
	options.Headers, options.Timeout = nil, answerTime
	var sent atomic.Int32
	options.Admit = func() error {
		if sent.Add(1) > otherRequests {
			return errOtherRequests
		}
		if admit := r.options.Access.Admit; admit != nil {
			return admit()
		}
		return nil
	}
	return fetch.New(&options)
}
