package web

import (
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/mapatools/mapa/internal/app/service"
)

type sharesPage struct {
	frame
	Crawl   *service.Crawl // nil for the shares of all
	Link    string         // of a share that was just made; it is shown once
	Error   string
	Periods []choice
	Shares  []service.Share
}

// pageShares lists the shares of a result, with the form for another one.
func (s *Server) pageShares(w http.ResponseWriter, r *http.Request) error {
	return s.sharesPage(w, r, http.StatusOK, sharesPage{})
}

func (s *Server) sharesPage(w http.ResponseWriter, r *http.Request, status int, v sharesPage) (err error) {
	v.frame = s.newFrame(r, "sites")
	v.Title = v.texts.Text("web.shares.title")
	id := r.PathValue("id")
	if id != "" {
		if v.Crawl, err = s.options.Service.Crawl(r.Context(), id); err != nil {
			return err
		}
		v.Title += " · " + v.Crawl.Site
	}
	if v.Shares, err = s.options.Service.Shares(r.Context(), id); err != nil {
		return err
	}
	for _, p := range sharePeriods {
		v.Periods = append(v.Periods, choice{
			Value: p.value, Name: v.texts.Plural("web.days", int64(p.period/day)), Checked: p.period == 30*day,
		})
	}
	return s.render(w, status, "shares", &v.frame, &v)
}

// share makes a share, and shows its link.
func (s *Server) share(w http.ResponseWriter, r *http.Request) error {
	if err := r.ParseForm(); err != nil {
		return bodyError(err)
	}
	period, err := periodOf(r.PostForm.Get("days"))
	if err != nil {
		return err
	}
	id := r.PathValue("id")
	token, err := s.options.Service.Share(r.Context(), id, period)
	if errors.Is(err, service.ErrShares) {
		v := sharesPage{}
		v.Error = s.newFrame(r, "").texts.Text("web.shares.many")
		return s.sharesPage(w, r, http.StatusConflict, v)
	}
	if err != nil {
		return err
	}
	return s.sharesPage(w, r, http.StatusOK, sharesPage{Link: s.address(r) + sharePrefix + id + "/" + token})
}

// periodOf returns the period that a form asks for.
func periodOf(days string) (time.Duration, error) {
	for _, p := range sharePeriods {
		if p.value == days {
			return p.period, nil
		}
	}
	return 0, badRequest("a result is shared for 7, 30 or 90 days, not %s", strconv.Quote(days))
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
	if err := s.options.Service.Revoke(r.Context(), r.PathValue("id"), r.PathValue("share")); err != nil {
		return err
	}
	http.Redirect(w, r, "/crawls/"+r.PathValue("id")+"/shares", http.StatusSeeOther)
	return nil
}
