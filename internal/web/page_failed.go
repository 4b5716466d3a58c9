package web

import (
	"net"
	"net/http"
	"strings"

	"github.com/mapatools/mapa/internal/app/service"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/urlnorm"
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
	if failure := c.Failure; failure != nil && urlnorm.ParseHTTP(failure.Address) != nil && needsAddress(c) {
		v.Address, v.AddressHint = failure.Address, explainAddress(v.texts, failure)
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
		urlnorm.ParseHTTP(c.URL) == nil && strings.HasPrefix(c.Failure.Address, "http:")
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

// explainAddress returns why the form has another address than the one that failed.
func explainAddress(c *catalog.Catalog, failure *service.Failure) string {
	text := c.Text("web.failed.tried")
	switch failure.Code {
	case service.FailureLogin:
		text = c.Text("web.failed.unauthorized")
	case service.FailureMoved:
		return c.Text("web.failed.moved")
	}
	if strings.HasPrefix(failure.Address, "http:") {
		text += " " + c.Text("web.failed.plain")
	}
	return text
}

// explainCrawl returns what happened to a crawl that failed and what to do.
func explainCrawl(c *catalog.Catalog, of *service.Crawl) string {
	failure := of.Failure
	if failure == nil {
		return c.Text("web.result.failed.title", of.Site)
	}
	text := service.ExplainFailure(c, failure.Code)
	switch failure.Code {
	case service.FailureLogin, service.FailureMoved:
		return text
	case service.FailureScheme:
		return c.Text("web.failed.scheme", of.URL, failure.Address)
	case service.FailureUnknownHost, service.FailureLookup:
		if !strings.Contains(of.Site, ".") {
			return c.Text("web.failed.short-name", of.Site)
		}
	case service.FailureUnanswered, service.FailureTimeout:
		if host, port, err := net.SplitHostPort(of.Site); err == nil {
			text = c.Text("web.failed.port", port, host)
		}
	case service.FailureTLSName:
		if failure.Certificate != "" {
			text = c.Text("web.failed.tls-name", format.Printable(failure.Certificate))
		}
	}
	if urlnorm.ParseHTTP(failure.Address) != nil {
		text += " " + c.Text("web.failed.answers", shortAddress(failure.Address))
	}
	return text
}

// shortAddress returns an address as people write it.
func shortAddress(address string) string {
	address = strings.TrimPrefix(address, "https://")
	if strings.Count(strings.TrimPrefix(address, "http://"), "/") == 1 {
		address = strings.TrimSuffix(address, "/")
	}
	return format.Printable(address)
}
