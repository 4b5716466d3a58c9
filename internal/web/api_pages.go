package web

import (
	"encoding/json"
	"net/http"
	"time"

	"github.com/mapatools/mapa/internal/insight"
	"github.com/mapatools/mapa/internal/result"
)

// apiPages lists the URLs of a finished crawl that fit a filter.
func (s *Server) apiPages(w http.ResponseWriter, r *http.Request) error {
	filter, err := filterOf(r)
	if err != nil {
		return err
	}
	return s.writeList(w, r, func(opened *result.Result, cursor string, limit int) (any, error) {
		return opened.Pages(r.Context(), filter, cursor, limit)
	})
}

// apiOverview returns the verdict and the numbers of a finished crawl.
func (s *Server) apiOverview(w http.ResponseWriter, r *http.Request) error {
	return s.writeResult(w, r, func(opened *result.Result) (any, error) { return opened.Overview(r.Context()) })
}

// apiFindings lists what a rule found in a finished crawl.
func (s *Server) apiFindings(w http.ResponseWriter, r *http.Request) error {
	return s.writeList(w, r, func(opened *result.Result, cursor string, limit int) (any, error) {
		return opened.Findings(r.Context(), findingsOf(r), cursor, limit)
	})
}

// apiChanges lists what changed since the crawl before.
func (s *Server) apiChanges(w http.ResponseWriter, r *http.Request) error {
	return s.writeList(w, r, func(opened *result.Result, cursor string, limit int) (any, error) {
		overview, err := opened.Overview(r.Context())
		if err != nil {
			return nil, err
		}
		list, err := opened.Changes(r.Context(), r.URL.Query().Get("kind"), cursor, limit)
		return changeAnswer{list, overview.Comparison, overview.Previous}, err
	})
}

// A changeAnswer is a part of the changes since the crawl that began at Previous, or says why they are not compared.
type changeAnswer struct {
	*result.ChangeList
	insight.Comparison
	Previous time.Time `json:"previous,omitzero"`
}

// apiLosses lists the pages that were in the sitemap and are not any more, although they exist.
func (s *Server) apiLosses(w http.ResponseWriter, r *http.Request) error {
	return s.writeList(w, r, func(opened *result.Result, cursor string, limit int) (any, error) {
		return opened.Losses(r.Context(), r.URL.Query().Get("kind"), cursor, limit)
	})
}

// apiWhy explains the decision about the page that url names, in the language of the request.
func (s *Server) apiWhy(w http.ResponseWriter, r *http.Request) error {
	answer, err := s.options.Service.Why(r.Context(), r.PathValue("id"), r.URL.Query().Get("url"))
	if err != nil {
		return err
	}
	c := catalogOf(r)
	text, err := answer.MarshalIn(c)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Language", string(c.Language()))
	w.Header().Add("Vary", "Accept-Language, Cookie")
	return writeJSON(w, http.StatusOK, json.RawMessage(text), nil)
}

// findingsOf reads the filter of a request for the findings of a crawl.
func findingsOf(r *http.Request) result.FindingFilter {
	query := r.URL.Query()
	return result.FindingFilter{Rule: query.Get("rule"), Severity: query.Get("severity"), Sort: query.Get("sort")}
}

// writeResult answers with what a query about a crawl returns.
func (s *Server) writeResult(w http.ResponseWriter, r *http.Request, ask func(*result.Result) (any, error)) error {
	opened, release, err := s.openSoon(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	defer release()
	answer, err := ask(opened)
	return writeJSON(w, http.StatusOK, answer, err)
}

// writeList answers with the part of a list about a crawl that a request asks for.
func (s *Server) writeList(
	w http.ResponseWriter, r *http.Request, ask func(opened *result.Result, cursor string, limit int) (any, error),
) error {
	cursor, limit, err := pageOf(r)
	if err != nil {
		return err
	}
	return s.writeResult(w, r, func(opened *result.Result) (any, error) { return ask(opened, cursor, limit) })
}

const maxFilter = 1000 // bytes of a value of a filter

// filterOf reads the filter of a request for pages of a crawl.
func filterOf(r *http.Request) (result.Filter, error) {
	query, filter := r.URL.Query(), result.Filter{}
	for _, name := range result.FilterNames() {
		if filter[name] = query.Get(name); len(filter[name]) > maxFilter {
			return nil, badRequest("%s is longer than %d bytes", name, maxFilter)
		}
	}
	return filter, nil
}
