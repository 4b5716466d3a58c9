package fetch

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
)

// redirectTarget returns the resolved Location of a redirect (RFC 9110 section 10.2.2)
// without user information, or "".
func redirectTarget(from string, answer *http.Response) string {
	switch answer.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther,
		http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
	default:
		return ""
	}
	location := answer.Header.Get("Location")
	if location == "" {
		return ""
	}
	base, err := url.Parse(from)
	if err != nil {
		return ""
	}
	to, err := base.Parse(location)
	if err != nil {
		return ""
	}
	to.User = nil // it is not sent
	return to.String()
}

// Follow returns a fetcher that follows up to hops consecutive redirects. It requests
// each with next, so that the rules of next apply to every hop: credentials are sent
// to their origin only, and the guard checks every address. The result is the last
// response, with the redirects in Hops.
//
// The error is of [KindRedirectLoop], [KindTooManyRedirects] or [KindBadRedirect] when
// a redirect was not followed; that redirect is then the response.
func Follow(next Fetcher, hops int) Fetcher {
	return &follow{next: next, hops: hops}
}

type follow struct {
	next Fetcher
	hops int
}

func (f *follow) Fetch(ctx context.Context, req *Request) (*Response, error) {
	var hops []string
	permanent := true
	at := *req
	for {
		res, err := f.next.Fetch(ctx, &at)
		if res != nil {
			res.Hops, res.Permanent = hops, permanent && len(hops) > 0
		}
		if err != nil || res.RedirectTo == "" {
			return res, err
		}
		hops = append(hops, at.URL)
		permanent = permanent && (res.Status == http.StatusMovedPermanently || res.Status == http.StatusPermanentRedirect)
		if err := f.refuse(hops, res.RedirectTo); err != nil {
			return res, err
		}
		at.URL = res.RedirectTo
		at.IfNoneMatch, at.IfModifiedSince = "", "" // they belong to the first URL
	}
}

// refuse returns the error for a redirect from the last of hops that must not be
// followed.
func (f *follow) refuse(hops []string, to string) error {
	from := hops[len(hops)-1]
	where := fmt.Errorf("to %s", to)
	next, err := parseTarget(to)
	if err != nil {
		return &Error{URL: from, Kind: KindBadRedirect, Err: where}
	}
	if slices.ContainsFunc(hops, func(hop string) bool {
		passed, err := parseTarget(hop)
		return err == nil && passed == next
	}) {
		return &Error{URL: from, Kind: KindRedirectLoop, Err: where}
	}
	if len(hops) > f.hops {
		return &Error{URL: from, Kind: KindTooManyRedirects, Err: fmt.Errorf("more than %d", f.hops)}
	}
	return nil
}
