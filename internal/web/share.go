package web

import (
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/mapatools/mapa/internal/app/service"
)

// sharePrefix begins the path of a shared result, after which its crawl and its token come.
const sharePrefix = "/share/"

var errShare = &statusError{
	status: http.StatusNotFound, code: "share",
	detail: "the link does not work: it has expired, was revoked, or the result was deleted",
}

// canShare reports whether the server has shares. Without a log-in nobody else reaches it, and
// on a public one the address of each result is its key.
func (s *Server) canShare() bool { return s.needsLogin() && !s.options.Public }

// openShare moves the token of a link into a cookie for the pages of the result, so that it is
// in no other address.
func (s *Server) openShare(w http.ResponseWriter, r *http.Request) error {
	id, token := r.PathValue("id"), r.PathValue("token")
	expires, err := s.options.Service.CheckShare(r.Context(), id, token)
	if errors.Is(err, service.ErrNotFound) {
		return errShare
	}
	if err != nil {
		return err
	}
	if callerOf(r).role < roleReader {
		http.SetCookie(w, &http.Cookie{
			Name: s.shareCookie(), Value: token, Path: "/crawls/" + id, Expires: expires, HttpOnly: true,
			Secure: s.isSecure(), SameSite: http.SameSiteLaxMode,
		})
	}
	http.Redirect(w, r, "/crawls/"+id, http.StatusSeeOther)
	return nil
}

// shareCookie returns the name of the cookie of a share. Its path is that of a crawl, so a
// browser has one for each.
func (s *Server) shareCookie() string {
	if s.isSecure() {
		return "__Secure-mapa-share"
	}
	return "mapa-share"
}

// checkShare refuses a request that has no share of its crawl. It is checked each time, so that
// it ends when the share does.
func (s *Server) checkShare(r *http.Request) error {
	cookie, err := r.Cookie(s.shareCookie())
	if err != nil || !s.canShare() {
		return errLogin
	}
	_, err = s.options.Service.CheckShare(r.Context(), r.PathValue("id"), cookie.Value)
	if errors.Is(err, service.ErrNotFound) {
		return errShare
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

// sharePeriods are those that the form offers.
var sharePeriods = []struct {
	value  string
	period time.Duration
}{{"7", 7 * day}, {"30", 30 * day}, {"90", 90 * day}}
