package web

import (
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/mapatools/mapa/internal/app/service"
)

// sharePrefix begins the path of the link of a share, after which come the ID of its crawl, or sites and the name of
// its site, and its token.
const sharePrefix = "/share/"

var errShare = &statusError{
	status: http.StatusNotFound, code: "share",
	detail: "the link does not work: it has expired, was revoked, or the result was deleted",
}

// canShare reports whether the server has shares. Without a log-in nobody else reaches it, and
// on a public one the address of each result is its key.
func (s *Server) canShare() bool { return s.needsLogin() && !s.options.Public }

// sharedOf returns what the path of a request about shares names.
func sharedOf(r *http.Request) service.Shared {
	return service.Shared{Crawl: r.PathValue("id"), Site: r.PathValue("name")}
}

// openShare moves the token of a link into a cookie for the pages of the result, so that it is
// in no other address.
func (s *Server) openShare(w http.ResponseWriter, r *http.Request) error {
	admitted, err := s.admittance(r, sharedOf(r), r.PathValue("token"))
	if err == nil {
		s.enter(w, r, admitted)
	}
	return err
}

// An admittance is a crawl whose result a share shows. As an error it says that the result that was asked for is no
// longer the newest of its site: [Server.fail] goes on to that.
type admittance struct {
	crawl, cookie string
	expires       time.Time
}

// Error names the crawl.
func (a *admittance) Error() string { return "the newest result of the site is " + a.crawl }

// admittance checks a token each time it is used, so that it ends when its share does. The cookie of a share of a site
// has the name of the site after the token, which has no @: the crawl of its path may be deleted.
func (s *Server) admittance(r *http.Request, of service.Shared, token string) (*admittance, error) {
	crawl, expires, err := s.options.Service.CheckShare(r.Context(), of, token)
	if errors.Is(err, service.ErrNotFound) {
		return nil, errShare
	}
	if err != nil {
		return nil, err
	}
	if of.Site != "" {
		token += "@" + of.Site
	}
	return &admittance{crawl, token, expires}, nil
}

// enter gives a browser the cookie of a share, and goes on to the result.
func (s *Server) enter(w http.ResponseWriter, r *http.Request, to *admittance) {
	path := "/crawls/" + to.crawl
	if callerOf(r).role < roleReader {
		http.SetCookie(w, &http.Cookie{
			Name: s.shareCookie(), Value: to.cookie, Path: path, Expires: to.expires, HttpOnly: true,
			Secure: s.isSecure(), SameSite: http.SameSiteLaxMode,
		})
	}
	http.Redirect(w, r, path, http.StatusSeeOther)
}

// shareCookie returns the name of the cookie of a share. Its path is that of a crawl, so a
// browser has one for each.
func (s *Server) shareCookie() string {
	if s.isSecure() {
		return "__Secure-mapa-share"
	}
	return "mapa-share"
}

// checkShare refuses a request that has no share of its crawl.
func (s *Server) checkShare(r *http.Request) error {
	cookie, err := r.Cookie(s.shareCookie())
	if err != nil || !s.canShare() {
		return errLogin
	}
	id := r.PathValue("id")
	of := service.Shared{Crawl: id}
	token, site, isOfSite := strings.Cut(cookie.Value, "@")
	if isOfSite {
		of = service.Shared{Site: site}
	}
	admitted, err := s.admittance(r, of, token)
	if err == nil && admitted.crawl != id {
		return admitted
	}
	return err
}

// loggedPath returns the path of a request without the token of a share, which may also be in a
// path that is yet to be cleaned.
func loggedPath(r *http.Request) string {
	if strings.Contains(r.URL.Path, sharePrefix) {
		return sharePrefix + "…"
	}
	return r.URL.Path
}
