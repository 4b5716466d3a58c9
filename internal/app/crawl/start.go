package crawl

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app/access"
	"github.com/mapatools/mapa/internal/app/addresses"
	"github.com/mapatools/mapa/internal/app/crawlfile"
	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/internal/fetch"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/source"
)

// maxStartMoves is how many redirects of the start page to other hosts are followed.
const maxStartMoves = 10

// A crawlStart is where a crawl begins, and what led there.
type crawlStart struct {
	url       string
	asked     string // that the user named
	guessed   bool   // its scheme, which the user did not name
	triedHTTP bool   // as the host does not speak https
	sitemap   string // that the user named as the start, or empty
	dropped   bool   // credentials, which are not sent to the start
	moves     int    // from starts that failed
}

// begin makes the run begin at a start. The headers of the settings and the password are sent to its origin, unless
// they were dropped. When they cannot be read, they are.
func (r *crawlRun) begin(s crawlStart) (err error) {
	r.options.Access.Headers = nil
	if !s.dropped {
		users := map[string]string{fetch.Origin(s.url): r.user}
		err = r.settings.Access.SetHeaders(&r.options.Access, []string{s.url}, users)
	}
	if err != nil {
		r.options.Access.Headers, s.dropped = nil, true
	}
	r.start, r.options.Start = s, s.url
	return err
}

// moveTo begins at another address than s. It reports whether that drops credentials: they are sent
// only where just the leading www. of what the user typed has changed, and https has not been lost. The cookies of a
// file are those of the new start. What was dropped stays so.
func (r *crawlRun) moveTo(s crawlStart, address string) (dropped bool) {
	sent := len(r.options.Access.Headers) > 0
	asked, errAsked := url.Parse(s.asked)
	to, errTo := url.Parse(address)
	if errAsked != nil || errTo != nil || addresses.BareHost(asked) != addresses.BareHost(to) ||
		asked.Scheme == "https" && to.Scheme != "https" {
		s.dropped = true
	}
	s.url = address
	_ = r.begin(s) // without them if they cannot be read
	return sent && r.start.dropped
}

// setBaseURL sets the public address of the site, and that of the folder of its sitemap. Empty
// is that of the start.
func (r *crawlRun) setBaseURL(address string) error {
	if address == "" {
		return nil
	}
	base, err := url.Parse(address)
	if err != nil {
		return setting.Wrap("base-url", err)
	}
	r.options.BaseURL, r.publish.FolderURL = addresses.CutPage(base).String(), addresses.FolderURL(base)
	return nil
}

// recallStart begins as the crawl in the folder did, if that began at the same address: with
// its public address, and where the user named no scheme, with the scheme that the host uses
// and the host that the start page led to.
func (r *crawlRun) recallStart() error {
	file, err := crawlfile.Open(r.folder)
	if err != nil {
		return nil // opening it to crawl says what is wrong
	}
	defer file.Close()
	meta, err := crawlfile.ReadMeta(file)
	if err != nil {
		return err
	}
	began := crawlfile.RequestedStart(file, meta)
	if !addresses.SameStart(began, r.start.asked) && !addresses.SameStart(meta.RequestedStart, r.start.asked) {
		return nil
	}
	if meta.BaseURL != "" && r.options.BaseURL == "" {
		if err := r.setBaseURL(meta.BaseURL); err != nil {
			return err
		}
		r.app.Notify("notice.base-url", meta.BaseURL)
	}
	r.recallAddress(began)
	isSitemap := meta.Sitemap != "" && addresses.SameStart(meta.RequestedStart, r.start.asked)
	if isSitemap && (!r.start.guessed || r.start.url == began) {
		r.beginWithSitemap(began, meta.Sitemap)
	}
	return r.recallRender(meta.Render)
}

// recallAddress requests the address that an earlier crawl requested. Credentials are not sent
// without https unasked.
func (r *crawlRun) recallAddress(began string) {
	next := r.start
	if !next.guessed || began == next.url {
		return
	}
	if strings.HasPrefix(began, "http://") {
		if len(r.options.Access.Headers) > 0 {
			return
		}
		next.asked = "http://" + strings.TrimPrefix(next.asked, "https://")
	}
	next.guessed = false
	r.moveTo(next, began)
}

// adoptScheme requests a copy of a site over http where the user named one of its sitemaps so, and
// no other scheme. Credentials are not sent without https unasked.
func (r *crawlRun) adoptScheme() {
	plain := "http://" + strings.TrimPrefix(r.start.url, "https://")
	isOfSite := func(sitemap string) bool {
		address, _ := format.CutUser(sitemap)
		return fetch.Origin(address) == fetch.Origin(plain)
	}
	if r.start.guessed && r.options.BaseURL != "" && len(r.options.Access.Headers) == 0 &&
		slices.ContainsFunc(r.settings.Seeds.Sitemaps, isOfSite) {
		r.moveTo(crawlStart{asked: plain, dropped: r.start.dropped}, plain)
	}
}

// nextStart moves the run to another start after an attempt failed with err. It reports
// false if err is final.
func (r *crawlRun) nextStart(ctx context.Context, err error) bool {
	if r.start.moves == maxStartMoves {
		return false
	}
	r.start.moves++
	if moved, ok := errors.AsType[*crawl.MovedError](err); ok {
		return r.followMove(moved.To)
	}
	return r.fallBackToHTTP(err) || r.useSitemap(ctx, err)
}

// followMove moves the run to where the start page redirects, if that host is of the
// same owner.
func (r *crawlRun) followMove(target string) bool {
	from, errFrom := url.Parse(r.start.url)
	to, errTo := url.Parse(target)
	if errFrom != nil || errTo != nil || !addresses.SameOwner(from, to) {
		return false
	}
	to.User = nil                // a URL that the site names has no credentials of the user
	if r.options.BaseURL != "" { // the folder of the start is that of the base
		to.Path, to.RawPath, to.RawQuery = from.Path, from.RawPath, from.RawQuery
	}
	dropped := r.moveTo(r.start, to.String())
	r.app.Emit(StartMoved{From: from.String(), To: to.String(), CredentialsDropped: dropped})
	return true
}

// fallBackToHTTP moves the run from https to http if the user named no scheme and the
// host does not speak https. Credentials are not sent without https unasked, and a
// certificate that is not trusted is not ignored.
func (r *crawlRun) fallBackToHTTP(err error) bool {
	if !r.mayLackTLS(err) || len(r.options.Access.Headers) > 0 {
		return false
	}
	from, to := r.start.url, "http://"+strings.TrimPrefix(r.start.url, "https://")
	next := r.start
	next.asked, next.guessed, next.triedHTTP = to, false, true
	r.moveTo(next, to)
	r.app.Emit(HTTPFallback{From: from, To: to})
	return true
}

// mayLackTLS reports whether a run failed where another attempt with http may do: at its first
// request, whose scheme was guessed.
func (r *crawlRun) mayLackTLS(err error) bool {
	isFirst := errors.Is(err, crawl.ErrStart) || errors.Is(err, source.ErrOpen) // of the requests of a run
	return r.start.guessed && isFirst && strings.HasPrefix(r.start.url, "https://") && access.LacksTLS(err)
}

// A CredentialsError says that a site does not speak https, and that credentials are not sent
// over http unless the address of the site says so, or that the site refuses them.
type CredentialsError struct {
	Settings []string // that hold the credentials; none where they are in the address
	Refused  bool
	Err      error
}

// Error gives the reason of the failure.
func (e *CredentialsError) Error() string {
	if e.Refused {
		return e.Err.Error() + ": it refuses the credentials"
	}
	return e.Err.Error() + "; http is not tried with credentials"
}

// Unwrap returns the reason of the failure.
func (e *CredentialsError) Unwrap() error { return e.Err }

// withCredentials names the credentials that keep a run from going on with http, or that were
// sent and refused.
func (r *crawlRun) withCredentials(err error) error {
	if len(r.options.Access.Headers) == 0 {
		return err
	}
	names := r.settings.Access.Credentials()
	if r.settings.Access.CookieFile != "" {
		names = append(names, "cookie-file")
	}
	none := len(names) == 0 && r.user == ""
	start, failed := errors.AsType[*crawl.StartError](err)
	switch {
	case failed && start.Status == http.StatusUnauthorized && !none:
		return &CredentialsError{Settings: names, Refused: true, Err: err}
	case !r.mayLackTLS(err):
		return err
	case none:
		names = []string{"header"} // which may hold one
	}
	return &CredentialsError{Settings: names, Err: err}
}
