package web

import (
	"errors"
	"net/http"
	"slices"

	"github.com/mapatools/mapa/internal/app/service"
)

// siteOverview returns the overview of the newest complete crawl of a site. It returns nil without one,
// of another version, and while the result is being prepared.
func (s *Server) siteOverview(r *http.Request, crawls []service.Crawl) (*resultFrame, error) {
	i := slices.IndexFunc(crawls, func(c service.Crawl) bool { return c.Complete })
	if i < 0 {
		return nil, nil
	}
	v := s.newResultFrame(r, &crawls[i])
	release, err := s.addResult(r.Context(), &v, "")
	if errors.Is(err, errPreparing) || isWithoutResult(err) || isOtherVersion(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	release() // the overview needs no file
	return &v, nil
}
