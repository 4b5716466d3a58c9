package crawl

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app/access"
	"github.com/mapatools/mapa/internal/fetch"
)

// An OtherSchemeError says that the start of a crawl fails, and that the site answers at the same
// address with http in place of https, or https in place of http.
type OtherSchemeError struct {
	To  string // the address that answers
	Err error  // why the start fails
}

// Error gives the reason of the failure and the address.
func (e *OtherSchemeError) Error() string { return fmt.Sprintf("%v; %s answers", e.Err, e.To) }

// Unwrap returns the reason of the failure.
func (e *OtherSchemeError) Unwrap() error { return e.Err }

// schemeTime is how long a site has to answer at the other scheme.
const schemeTime = 5 * time.Second

// withOtherScheme names the address with the other scheme if the start fails for want of a
// connection, and that one answers. Whether to use it is left to the user: it may be
// unencrypted.
func (r *crawlRun) withOtherScheme(ctx context.Context, err error) error {
	if r.site != nil || r.triedHTTP || !errors.Is(err, crawl.ErrStart) || !access.LacksTLS(err) {
		return err
	}
	other := withOtherScheme(r.options.Start)
	if other == "" || !r.answers(ctx, other) {
		return err
	}
	return &OtherSchemeError{To: other, Err: err}
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

// answers reports whether a site answers at an address. It requests robots.txt, which may always
// be requested, and sends no credentials.
func (r *crawlRun) answers(ctx context.Context, address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	options := fetch.Options{Access: r.options.Access, Retry: fetch.Retry{Tries: -1}}
	options.Headers = nil
	requester, err := fetch.New(&options)
	if err != nil {
		return false
	}
	defer requester.Close()
	ctx, cancel := context.WithTimeout(ctx, schemeTime)
	defer cancel()
	robots := url.URL{Scheme: u.Scheme, Host: u.Host, Path: "/robots.txt"}
	_, err = requester.Fetch(ctx, &fetch.Request{URL: robots.String(), Head: true})
	return err == nil
}
