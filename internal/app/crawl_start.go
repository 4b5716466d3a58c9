package app

import (
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/fetch"
	"github.com/mapatools/mapa/internal/urlnorm"
	"golang.org/x/net/publicsuffix"
)

// maxStartMoves is how many redirects of the start page to other hosts are followed.
const maxStartMoves = 10

// nextStart moves the run to another start after an attempt failed with err. It reports
// false if err is final.
func (r *crawlRun) nextStart(err error) bool {
	if r.moves == maxStartMoves {
		return false
	}
	r.moves++
	if moved, ok := errors.AsType[*crawl.MovedError](err); ok {
		return r.followMove(moved.To)
	}
	return r.fallBackToHTTP(err)
}

// followMove moves the run to where the start page redirects, if that host is of the
// same owner.
func (r *crawlRun) followMove(target string) bool {
	from, errFrom := url.Parse(r.options.Start)
	to, errTo := url.Parse(target)
	if errFrom != nil || errTo != nil || !sameOwner(from, to) {
		return false
	}
	to.User = nil                // a URL that the site names has no credentials of the user
	if r.options.BaseURL != "" { // the folder of the start is that of the base
		to.Path, to.RawPath, to.RawQuery = from.Path, from.RawPath, from.RawQuery
	}
	dropped := r.moveTo(to.String())
	r.app.emit(StartMoved{From: from.String(), To: to.String(), CredentialsDropped: dropped})
	return true
}

// moveTo changes the start. It reports whether that drops credentials: they are sent
// only where just the leading www. of what the user typed has changed, and https has
// not been lost. The cookies of a file are those of the new start. What was dropped stays so.
func (r *crawlRun) moveTo(start string) (dropped bool) {
	asked, errAsked := url.Parse(r.asked)
	to, errTo := url.Parse(start)
	r.options.Start = start
	a := &r.options.Access
	sent := a.User != "" || len(a.Header) > 0
	if !r.dropped && errAsked == nil && errTo == nil && bareHost(asked) == bareHost(to) &&
		(asked.Scheme != "https" || to.Scheme == "https") {
		header, err := r.access.header(to)
		if err == nil {
			a.Header = header
			return false
		}
	}
	a.User, a.Header, r.dropped = "", nil, true
	return sent
}

// fallBackToHTTP moves the run from https to http if the user named no scheme and the
// host does not speak https. Credentials are not sent without https unasked, and a
// certificate that is not trusted is not ignored.
func (r *crawlRun) fallBackToHTTP(err error) bool {
	a := &r.options.Access
	rest, found := strings.CutPrefix(r.options.Start, "https://")
	if !found || !r.schemeGuessed || a.User != "" || len(a.Header) > 0 {
		return false
	}
	if !errors.Is(err, crawl.ErrStart) || !lacksTLS(err) {
		return false
	}
	r.schemeGuessed = false
	from := r.options.Start
	r.options.Start = "http://" + rest
	r.asked = r.options.Start
	r.app.emit(HTTPFallback{From: from, To: r.options.Start})
	return true
}

// lacksTLS reports whether a request failed because its host does not speak TLS.
func lacksTLS(err error) bool {
	for _, kind := range []fetch.Kind{
		fetch.KindRefused, fetch.KindUnreachable, fetch.KindConnectTimeout, fetch.KindHandshakeTimeout,
		fetch.KindDropped, fetch.KindMalformed,
	} {
		if errors.Is(err, kind) {
			return true
		}
	}
	_, record := errors.AsType[tls.RecordHeaderError](err)
	return record || errors.Is(err, http.ErrSchemeMismatch)
}

// sameOwner reports whether two URLs are on hosts of one registrable domain. IP
// addresses and names such as localhost have none: they must be equal.
func sameOwner(a, b *url.URL) bool {
	if b.Scheme != "http" && b.Scheme != "https" {
		return false
	}
	if bareHost(a) == bareHost(b) {
		return true
	}
	one, other := registrable(a.Hostname()), registrable(b.Hostname())
	return one != "" && one == other
}

// registrable returns the registrable domain of a host, such as example.co.uk, or "".
func registrable(host string) string {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if net.ParseIP(host) != nil {
		return ""
	}
	domain, err := publicsuffix.EffectiveTLDPlusOne(host)
	if err != nil {
		return ""
	}
	return domain
}

// bareHost returns the host of a URL without a leading www. and the default port.
func bareHost(u *url.URL) string {
	host := strings.ToLower(u.Host)
	switch u.Port() {
	case "80", "443":
		host = strings.TrimSuffix(host, ":"+u.Port())
	}
	rest, found := strings.CutPrefix(host, "www.")
	if found && registrable(strings.TrimSuffix(rest, ":"+u.Port())) != "" {
		return rest
	}
	return host
}

// sameStart reports whether two URLs are spellings of one start: http or https, with or
// without www.
func sameStart(a, b string) bool {
	one, errOne := urlnorm.NewBase([]byte(a))
	other, errOther := urlnorm.NewBase([]byte(b))
	if errOne != nil || errOther != nil {
		return a == b
	}
	u, errU := url.Parse(one.String())
	v, errV := url.Parse(other.String())
	return errU == nil && errV == nil && bareHost(u) == bareHost(v) && u.RequestURI() == v.RequestURI()
}
