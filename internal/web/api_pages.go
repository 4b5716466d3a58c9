package web

import (
	"net/http"

	"github.com/mapatools/mapa/internal/app/results"
)

// apiPages lists the URLs of a finished crawl that fit a filter.
func (s *Server) apiPages(w http.ResponseWriter, r *http.Request) error {
	cursor, limit, err := pageOf(r)
	if err != nil {
		return err
	}
	filter, err := filterOf(r)
	if err != nil {
		return err
	}
	result, release, err := s.openSoon(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	defer release()
	pages, err := result.Pages(r.Context(), filter, cursor, limit)
	if err != nil {
		return err
	}
	writeJSON(w, mediaJSON, http.StatusOK, pages)
	return nil
}

const maxFilter = 1000 // bytes of a value of a filter

// filterOf reads the filter of a request for pages of a crawl.
func filterOf(r *http.Request) (filter results.PageFilter, err error) {
	query := r.URL.Query()
	for name, into := range map[string]*string{
		"status": &filter.Status, "reason": &filter.Reason, "type": &filter.Type, "role": &filter.Role,
		"depth": &filter.Depth, "folder": &filter.Folder, "text": &filter.Text,
		"list": &filter.List, "group": &filter.Group, "sort": &filter.Sort,
	} {
		if *into = query.Get(name); len(*into) > maxFilter {
			return filter, badRequest("%s is longer than %d bytes", name, maxFilter)
		}
	}
	return filter, nil
}
