package web

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/mapatools/mapa/internal/app/service"
)

type sharesPage struct {
	frame
	Crawl     *service.Crawl // whose result is shared, or nil
	Site      string         // whose newest result is shared, or empty; without both, the page lists all shares
	Heading   string
	Lead      string
	Of        string // path of what is shared
	Link      string // of a share that was just made; it is shown once
	LinkTitle string // for the program that a browser shares it with
	Error     string
	Periods   []choice
	Shares    []shareRow
}

// A shareRow is a share in the list.
type shareRow struct {
	service.Share
	Path   string // of what is shared
	Newest bool   // it shows the newest result of its site
}

// pathOf returns the path of the page of what is shared.
func pathOf(of service.Shared) string {
	if of.Site != "" {
		return "/sites/" + url.PathEscape(of.Site)
	}
	return "/crawls/" + of.Crawl
}

// pageShares lists the shares of a result or of a site, with the form for another one, or all shares.
func (s *Server) pageShares(w http.ResponseWriter, r *http.Request) error {
	return s.sharesPage(w, r, http.StatusOK, sharesPage{})
}

func (s *Server) sharesPage(w http.ResponseWriter, r *http.Request, status int, v sharesPage) (err error) {
	v.frame = s.newFrame(r, "sites")
	c, of := v.texts, sharedOf(r)
	v.Heading, v.Lead = c.Text("web.shares.all"), c.Text("web.shares.all.lead")
	if of.Crawl != "" {
		if v.Crawl, err = s.options.Service.Crawl(r.Context(), of.Crawl); err != nil {
			return err
		}
		v.Heading, v.Lead, v.LinkTitle = c.Text("web.shares.title"), c.Text("web.shares.lead"), v.Crawl.Site
	}
	if of.Site != "" {
		site, err := s.options.Service.Site(r.Context(), of.Site)
		if err != nil {
			return err
		}
		v.Site, v.LinkTitle = site.Name, site.Name
		v.Heading, v.Lead = c.Text("web.shares.newest"), c.Text("web.shares.newest.lead", site.Name)
	}
	v.Title = v.Heading
	if v.LinkTitle != "" {
		v.Title, v.Of = v.Heading+" · "+v.LinkTitle, pathOf(of)
	}
	shares, err := s.options.Service.Shares(r.Context(), of)
	if err != nil {
		return err
	}
	for _, share := range shares {
		v.Shares = append(v.Shares, shareRow{share, pathOf(share.Shared), share.Shared.Site != ""})
	}
	for _, days := range sharePeriods {
		v.Periods = append(v.Periods, choice{
			Value: strconv.Itoa(days), Name: v.texts.Plural("web.days", int64(days)), Checked: days == 30,
		})
	}
	return s.render(w, status, "shares", &v.frame, &v)
}

// sharePeriods are how long a share can work, in days.
var sharePeriods = []int{7, 30, 90}

// share makes a share, and shows its link.
func (s *Server) share(w http.ResponseWriter, r *http.Request) error {
	if err := r.ParseForm(); err != nil {
		return bodyError(err)
	}
	days, err := strconv.Atoi(r.PostForm.Get("days"))
	if err != nil {
		return errPeriod
	}
	_, link, err := s.newShare(r, days)
	if errors.Is(err, service.ErrShares) {
		v := sharesPage{}
		v.Error = catalogOf(r).Text("web.shares.many")
		return s.sharesPage(w, r, http.StatusConflict, v)
	}
	if err != nil {
		return err
	}
	return s.sharesPage(w, r, http.StatusOK, sharesPage{Link: link})
}

var errPeriod = badRequest("days must be 7, 30 or 90")

// newShare makes a share of what the path names, and returns it with its link.
func (s *Server) newShare(r *http.Request, days int) (*service.Share, string, error) {
	if !slices.Contains(sharePeriods, days) {
		return nil, "", errPeriod
	}
	share, token, err := s.options.Service.Share(r.Context(), sharedOf(r), time.Duration(days)*day)
	if err != nil {
		return nil, "", err
	}
	path := share.Shared.Crawl
	if site := share.Shared.Site; site != "" {
		path = "sites/" + url.PathEscape(site)
	}
	return share, s.address(r) + sharePrefix + path + "/" + token, nil
}

// address returns the origin under which the server was reached.
func (s *Server) address(r *http.Request) string {
	if s.origin != nil {
		return s.origin.String()
	}
	return "http://" + r.Host
}

// revokeShare ends a share.
func (s *Server) revokeShare(w http.ResponseWriter, r *http.Request) error {
	of := sharedOf(r)
	return seeOther(w, r, pathOf(of)+"/shares", s.options.Service.Revoke(r.Context(), of, r.PathValue("share")))
}
