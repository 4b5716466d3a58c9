package crawl

import (
	"bytes"
	"fmt"
	"net/http"
)

// checkStartLocked ends the crawl if the start page leads nowhere.
func (s *state) checkStartLocked(page *Page) {
	var err error
	switch {
	case page.Reason == ReasonUnreachable, page.Reason == ReasonClientError, page.Status >= 400,
		page.Reason == ReasonNotAPage && page.Status != http.StatusOK:
		err = fmt.Errorf("%w: %s: %s", ErrStart, s.start, startFailure(page))
	case page.Reason == ReasonRobots:
		err = fmt.Errorf("%w: %s", ErrForbidden, page.Detail)
	case page.Reason == ReasonRedirect && page.Status/100 == 3:
		to := []byte(page.Detail)
		if bytes.HasPrefix(to, []byte("http")) && !s.scope.onSite(to) {
			err = &MovedError{page.Detail}
		}
	case page.Reason == ReasonNotAPage:
		err = fmt.Errorf("%w: %s: the server sends %s, not a page", ErrStart, s.start, page.MediaType)
	}
	if err != nil {
		s.failLocked(err)
	}
}

func startFailure(page *Page) string {
	if page.Status > 0 && page.Reason != ReasonUnreachable {
		return fmt.Sprintf("the server answers %d %s", page.Status, http.StatusText(page.Status))
	}
	return page.Detail
}
