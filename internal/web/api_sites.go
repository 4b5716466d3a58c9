package web

import (
	"cmp"
	"net/http"
	"slices"

	appfigures "github.com/mapatools/mapa/internal/app/figures"
	"github.com/mapatools/mapa/internal/app/service"
	"github.com/mapatools/mapa/internal/insight"
)

// apiSites lists the sites that were crawled, or will be.
func (s *Server) apiSites(w http.ResponseWriter, r *http.Request) error {
	cursor, limit, err := pageOf(r)
	if err != nil {
		return err
	}
	query := r.URL.Query()
	filter := service.SiteFilter{Text: query.Get("text"), Sign: insight.Sign(query.Get("sign"))}
	if len(filter.Text) > maxFilter {
		return badRequest("text is longer than %d bytes", maxFilter)
	}
	if filter.Sign != "" && !slices.Contains(insight.Signs, filter.Sign) {
		return badRequest("sign must be of: %s", insight.Signs)
	}
	sites, next, err := s.options.Service.Sites(r.Context(), filter, cursor, limit)
	return writeJSON(w, http.StatusOK, siteList{sites, next}, err)
}

// apiSite describes a site with its crawls, the oldest first.
func (s *Server) apiSite(w http.ResponseWriter, r *http.Request) error {
	site, err := s.options.Service.Site(r.Context(), r.PathValue("name"))
	return writeJSON(w, http.StatusOK, site, err)
}

// apiDeleteSite deletes a site with its crawls and schedules.
func (s *Server) apiDeleteSite(w http.ResponseWriter, r *http.Request) error {
	return noContent(w, s.options.Service.DeleteSite(r.Context(), r.PathValue("name")))
}

// apiFigures returns what search engines and other tables say about a site, as its newest complete crawl has it.
func (s *Server) apiFigures(w http.ResponseWriter, r *http.Request) error {
	site, err := s.options.Service.Site(r.Context(), r.PathValue("name"))
	if err != nil {
		return err
	}
	about := &appfigures.About{Exports: []appfigures.Export{}}
	if site.Result != nil && site.Result.Complete {
		opened, release, err := s.openSoon(r.Context(), site.Result.ID)
		if err != nil {
			return err
		}
		defer release()
		overview, err := opened.Overview(r.Context())
		if err != nil {
			return err
		}
		about = cmp.Or(overview.Figures, about)
	}
	return writeJSON(w, http.StatusOK, about, nil)
}

// apiAddFigures adds the files of a form to the figures of a site.
func (s *Server) apiAddFigures(w http.ResponseWriter, r *http.Request) error {
	added, err := s.addFigures(w, r)
	return writeJSON(w, http.StatusOK, added, err)
}

type siteList struct {
	Sites []service.Site `json:"sites"`
	Next  string         `json:"next,omitempty"` // cursor
}
