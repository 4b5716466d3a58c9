package web

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/mapatools/mapa/internal/app/service"
	"github.com/mapatools/mapa/internal/catalog"
)

// failedPage is the page of a crawl that failed before it had a result. It has the form to try
// again, with what may help.
type failedPage struct {
	resultFrame
	Advice      string // what happened and what to do
	Address     string // to try
	AddressHint string // why it is another one
	CanResume   bool
	Own         *ownOptions // nil for visitors
}

// pageFailed shows why a crawl failed.
func (s *Server) pageFailed(w http.ResponseWriter, _ *http.Request, frame resultFrame) error {
	c := frame.Crawl
	v := failedPage{resultFrame: frame, Address: c.URL, Advice: explainCrawl(frame.texts, c)}
	v.CanResume = v.IsOwner && goesOn(c)
	if failure := c.Failure; failure != nil && isWebAddress(failure.Address) && needsAddress(c) {
		v.Address, v.AddressHint = failure.Address, v.texts.Text("web.failed."+failure.Code)
	}
	if v.IsOwner {
		v.Own = s.newOwnOptions(c.Options)
		v.Own.open(c)
	}
	return s.render(w, http.StatusOK, "failed", &v.frame, &v)
}

// needsAddress reports whether another address than the one that was asked for helps. One without
// a scheme means https in a crawl with a password, so an http site needs the whole address.
func needsAddress(c *service.Crawl) bool {
	return c.Failure.Code != service.FailureLogin ||
		!isWebAddress(c.URL) && strings.HasPrefix(c.Failure.Address, "http:")
}

// open unfolds the fields that help with a failure.
func (v *ownOptions) open(c *service.Crawl) {
	if v == nil || c.Failure == nil {
		return
	}
	switch c.Failure.Code {
	case service.FailureLogin, service.FailureLoginRefused, service.FailureBlocked:
		v.OpenAccess = true
	case service.FailureRobots, service.FailureMoved:
		v.OpenAddress = true
	}
}

// explainCrawl returns what happened to a crawl that failed and what to do.
func explainCrawl(c *catalog.Catalog, of *service.Crawl) string {
	switch {
	case of.Failure == nil:
		return c.Text("web.result.failed.title", of.Site)
	case of.Failure.Code == service.FailureUnknownHost && !strings.Contains(of.Site, "."):
		return c.Text("web.failed.short-name", of.Site)
	case of.Failure.Code == service.FailureScheme:
		return c.Text("web.failed.scheme", of.URL, of.Failure.Address)
	}
	return service.ExplainFailure(c, of.Failure.Code)
}

// isWebAddress reports whether a crawl can begin at an address that a site named.
func isWebAddress(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}
