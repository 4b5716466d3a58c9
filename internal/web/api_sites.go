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
	list := siteList{Sites: []siteView{}, Next: next}
	for i := range sites {
		list.Sites = append(list.Sites, newSiteView(&sites[i], callerOf(r)))
	}
	writeJSON(w, mediaJSON, http.StatusOK, list)
	return nil
}

// apiSite describes a site with its crawls, the oldest first.
func (s *Server) apiSite(w http.ResponseWriter, r *http.Request) error {
	site, err := s.options.Service.Site(r.Context(), r.PathValue("name"))
	if err != nil {
		return err
	}
	writeJSON(w, mediaJSON, http.StatusOK, newSiteView(site, callerOf(r)))
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
	Sites []siteView `json:"sites"`
	Next  string     `json:"next,omitempty"` // cursor
}

// A siteView is a site for a program.
type siteView struct {
	Name      string      `json:"name"`
	Crawls    int         `json:"crawls"`
	Schedules int         `json:"schedules"`
	Last      *crawlView  `json:"last,omitempty"`
	History   []crawlView `json:"history,omitempty"`
}

func newSiteView(site *service.Site, who caller) siteView {
	v := siteView{Name: site.Name, Crawls: site.Crawls, Schedules: site.Schedules}
	if site.Last != nil {
		last := newCrawlView(site.Last, who)
		v.Last = &last
	}
	for i := range site.History {
		v.History = append(v.History, newCrawlView(&site.History[i], who))
	}
	return v
}
