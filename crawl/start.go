package crawl

import (
	"bytes"
	"fmt"
	"net/http"
)

// checkStartLocked ends the crawl if the start page leads nowhere. cause is the error of
// its request, if any.
func (s *state) checkStartLocked(page *Page, cause error) {
	var err error
	switch {
	case page.Reason == ReasonUnreachable, page.Reason == ReasonClientError, page.Status >= 400,
		page.Reason == ReasonNotAPage && page.Status != http.StatusOK:
		err = s.startFailure(page, cause)
	case page.Reason == ReasonRobots:
		err = cause
	case page.Reason == ReasonRedirect && page.Status/100 == 3:
		to := []byte(page.Detail)
		if bytes.HasPrefix(to, []byte("http")) && !s.scope.onSite(to) {
			err = &MovedError{page.Detail}
		}
	case page.Reason == ReasonNotAPage:
		err = &StartError{
			URL: s.start, Status: page.Status,
			Detail: fmt.Sprintf("the server sends %s, not a page", page.MediaType),
		}
	}
	if err != nil {
		s.failLocked(err)
	}
}

// startFailure returns the error for a start page without a usable response.
func (s *state) startFailure(page *Page, cause error) error {
	if page.Status == 0 || page.Reason == ReasonUnreachable {
		return &StartError{URL: s.start, Err: cause, Detail: page.Detail}
	}
	return &StartError{
		URL: s.start, Status: page.Status, Err: cause,
		Detail: fmt.Sprintf("the server answers %d %s", page.Status, http.StatusText(page.Status)),
	}
}
