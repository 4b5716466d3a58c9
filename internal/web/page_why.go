package web

import (
	"errors"
	"net/http"
	"strings"

	"github.com/mapatools/mapa/internal/app/addresses"
	"github.com/mapatools/mapa/internal/app/service"
)

type whyView struct {
	frame
	URL, Error string
	Sites      bool // there is at least one
}

// pageWhy asks for the address of a page, and goes on to what the last crawl of its site
// decided about it.
func (s *Server) pageWhy(w http.ResponseWriter, r *http.Request) error {
	v := whyView{frame: s.newFrame(r, "why"), URL: strings.TrimSpace(r.URL.Query().Get("url"))}
	v.Title = v.texts.Text("web.why.title")
	sites, _, err := s.options.Service.Sites(r.Context(), service.SiteFilter{}, "", 1)
	if err != nil {
		return err
	}
	v.Sites = len(sites) > 0
	if v.URL == "" {
		return s.render(w, http.StatusOK, "why", &v.frame, &v)
	}
	site, err := addresses.ReadSiteAddress(v.URL)
	if err != nil {
		v.Error, _ = explainInput(v.texts, err)
		return s.render(w, http.StatusBadRequest, "why", &v.frame, &v)
	}
	target, err := s.explain(r, site)
	if err != nil {
		return err
	}
	if strings.HasPrefix(target, "/") {
		return seeOther(w, r, target, nil)
	}
	v.Error = v.texts.Text(target, site.Name)
	return s.render(w, http.StatusNotFound, "why", &v.frame, &v)
}

// explain returns the address of the page of a URL in the last crawl of its site, or the
// key of the text that says why there is none.
func (s *Server) explain(r *http.Request, site *addresses.SiteAddress) (string, error) {
	of, err := s.options.Service.Site(r.Context(), site.Name)
	if errors.Is(err, service.ErrNotFound) || err == nil && of.Result == nil {
		return "web.why.no-crawl", nil
	}
	if err != nil {
		return "", err
	}
	opened, release, err := s.options.Service.OpenResult(r.Context(), of.Result.ID)
	if err != nil {
		return "", err
	}
	defer release()
	id, found, err := service.FindPage(r.Context(), opened, site.URL, of.Result.Options["strip-params"])
	if err != nil {
		return "", err
	}
	if found {
		v := resultFrame{Crawl: of.Result}
		return v.href(id), nil
	}
	return "web.why.unknown", nil
}
