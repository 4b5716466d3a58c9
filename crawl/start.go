package crawl

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"

	"github.com/mapatools/mapa/internal/fetch"
	"github.com/mapatools/mapa/internal/urlnorm"
)

// checkStartLocked ends the crawl if the start page, or the page that it redirects to,
// leads nowhere.
func (s *state) checkStartLocked(r *result) {
	var err error
	i, page := &r.item, &r.page
	switch {
	case page.Reason == ReasonUnreachable, page.Reason == ReasonClientError, page.Status >= 400,
		page.Reason == ReasonNotAPage && !hasContent(page.Status):
		err = s.startFailure(r)
	case page.Reason == ReasonRobots && i.id != startID:
		err = s.startError(i, page, "robots.txt forbids it: "+page.Detail.String())
	case page.Reason == ReasonRobots:
		err = r.err
	case page.Reason == ReasonRedirect && page.Status/100 == 3:
		location := page.location()
		to := []byte(location)
		isWeb := bytes.HasPrefix(to, []byte("http://")) || bytes.HasPrefix(to, []byte("https://"))
		if isWeb && (!s.scope.onSite(to) || s.options.StrictStart && s.changesScheme(to)) {
			err = &MovedError{location}
		}
	case page.Reason == ReasonTrap && page.Detail == TrapRedirects.Detail():
		err = s.startError(i, page, page.Detail.String())
	case page.Reason == ReasonNotAPage:
		err = s.startError(i, page, fmt.Sprintf("the server sends %s, not a page", page.MediaType))
	}
	if err != nil {
		s.failLocked(err)
	}
}

// changesScheme reports whether a URL has the host of the start and another scheme.
func (s *state) changesScheme(to []byte) bool {
	host, _ := splitURL(to)
	scheme, _, _ := strings.Cut(s.start, "://")
	return withoutDefaultPort(string(host)) == s.scope.host && !bytes.HasPrefix(to, []byte(scheme+":"))
}

// startError says why the start page, or the page that it redirects to, is not used.
func (s *state) startError(i *item, page *Page, detail string) *StartError {
	if i.id != startID {
		detail = "it redirects to " + s.address.toCrawled(i.url) + ": " + detail
	}
	return &StartError{
		URL: s.address.toCrawled(s.start), Status: page.Status, MediaType: page.MediaType, Detail: detail,
	}
}

// followStartLocked makes the target of a redirect the page that decides whether the
// crawl can begin. A target that will not be fetched ends the crawl.
func (s *state) followStartLocked(page *Page) {
	s.landing = page.Target
	for i := range s.pending.Found {
		target := &s.pending.Found[i]
		switch {
		case target.ID != page.Target:
		case target.Reason == ReasonListed, target.Reason == ReasonAdded:
		case urlnorm.IsHTTP(target.URL) && !s.scope.onSite([]byte(target.URL)):
			s.failLocked(&MovedError{target.URL}) // by a meta refresh element
		default:
			why := string(target.Reason)
			if target.Detail != "" {
				why += ", " + target.Detail.String()
			}
			s.failLocked(&StartError{
				URL: s.address.toCrawled(s.start), Status: page.Status,
				Detail: "it redirects to " + target.URL + ", which is not fetched: " + why,
			})
		}
	}
}

// startFailure returns the error for a page without a usable response.
func (s *state) startFailure(r *result) error {
	page, detail := &r.page, r.page.Detail.String()
	if explained := fetch.Explanation(r.err); explained != "" {
		detail += ": " + explained
	}
	if page.Status != 0 && page.Reason != ReasonUnreachable {
		detail = fmt.Sprintf("the server answers %d %s", page.Status, http.StatusText(page.Status))
	}
	err := s.startError(&r.item, page, detail)
	err.Err, err.RetryAfter = r.err, r.retryAfter
	return err
}
