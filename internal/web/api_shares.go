package web

import (
	"net/http"
	"time"

	"github.com/mapatools/mapa/internal/app/service"
)

// apiShares lists the shares of a crawl or of a site.
func (s *Server) apiShares(w http.ResponseWriter, r *http.Request) error {
	of := sharedOf(r)
	if err := s.checkShared(r, of); err != nil {
		return err
	}
	shares, err := s.options.Service.Shares(r.Context(), of)
	if err != nil {
		return err
	}
	list := shareList{Shares: []shareView{}}
	for i := range shares {
		list.Shares = append(list.Shares, newShareView(&shares[i], ""))
	}
	return writeJSON(w, http.StatusOK, list, nil)
}

// checkShared returns the error for what is not there.
func (s *Server) checkShared(r *http.Request, of service.Shared) error {
	if of.Site == "" {
		_, err := s.options.Service.Crawl(r.Context(), of.Crawl)
		return err
	}
	_, err := s.options.Service.Site(r.Context(), of.Site)
	return err
}

// apiShare makes a share of the result of a crawl, or of the newest result of a site. Only this answer has its link.
func (s *Server) apiShare(w http.ResponseWriter, r *http.Request) error {
	var body struct {
		Days int `json:"days"`
	}
	if err := readJSON(r, &body); err != nil {
		return err
	}
	share, link, err := s.newShare(r, body.Days)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusCreated, newShareView(share, link), nil)
}

// apiRevoke ends a share.
func (s *Server) apiRevoke(w http.ResponseWriter, r *http.Request) error {
	return noContent(w, s.options.Service.Revoke(r.Context(), sharedOf(r), r.PathValue("share")))
}

type shareList struct {
	Shares []shareView `json:"shares"`
}

// A shareView is a share for a program.
type shareView struct {
	ID      string    `json:"id"`
	Site    string    `json:"site"`
	Crawl   string    `json:"crawl,omitempty"` // whose result it shows; empty is the newest of the site
	Created time.Time `json:"created"`
	Expires time.Time `json:"expires"`
	Link    string    `json:"link,omitempty"`
}

func newShareView(s *service.Share, link string) shareView {
	return shareView{s.ID, s.Site, s.Shared.Crawl, s.Created, s.Expires, link}
}
