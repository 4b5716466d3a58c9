package web

import (
	"net/http"

	"github.com/mapatools/mapa/internal/app/service"
)

// apiSites lists the sites that were crawled, or will be.
func (s *Server) apiSites(w http.ResponseWriter, r *http.Request) error {
	cursor, limit, err := pageOf(r)
	if err != nil {
		return err
	}
	sites, next, err := s.options.Service.Sites(r.Context(), cursor, limit)
	if err != nil {
		return err
	}
	writeJSON(w, mediaJSON, http.StatusOK, siteList{sites, next})
	return nil
}

// apiSite describes a site with its crawls, the oldest first.
func (s *Server) apiSite(w http.ResponseWriter, r *http.Request) error {
	site, err := s.options.Service.Site(r.Context(), r.PathValue("name"))
	if err != nil {
		return err
	}
	writeJSON(w, mediaJSON, http.StatusOK, site)
	return nil
}

// apiDeleteSite deletes a site with its crawls and schedules.
func (s *Server) apiDeleteSite(w http.ResponseWriter, r *http.Request) error {
	if err := s.options.Service.DeleteSite(r.Context(), r.PathValue("name")); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

type siteList struct {
	Sites []service.Site `json:"sites"`
	Next  string         `json:"next,omitempty"` // cursor
}
