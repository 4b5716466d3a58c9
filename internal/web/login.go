package web

import (
	"errors"
	"net/http"
	"net/url"
)

// loginPath returns the address of the form for the password, which comes back to what a
// request asked for.
func loginPath(r *http.Request) string {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return "/login"
	}
	return loginPathTo(r.URL.RequestURI())
}

func loginPathTo(back string) string {
	if back = localPath(back); back != "/" {
		return "/login?" + url.Values{"back": {back}}.Encode()
	}
	return "/login"
}

// pageLogin shows the form for the password.
func (s *Server) pageLogin(w http.ResponseWriter, r *http.Request) error {
	back := localPath(r.URL.Query().Get("back"))
	switch {
	case !s.hasLogin():
		return errNoPage
	case callerOf(r).role == roleOwner:
		return seeOther(w, r, back, nil)
	}
	return s.loginForm(w, r, http.StatusOK, loginView{Back: back})
}

// logIn begins a session for who knows the password, and goes on to the page that was asked
// for.
func (s *Server) logIn(w http.ResponseWriter, r *http.Request) error {
	if !s.hasLogin() {
		return errNoPage
	}
	if err := r.ParseForm(); err != nil {
		return bodyError(err)
	}
	client, now := callerOf(r).client, s.options.Now()
	v := loginView{Back: localPath(r.PostForm.Get("back"))}
	err := s.logins.try(client, now)
	if locked, is := errors.AsType[*statusError](err); is {
		v.Wait = locked.retryAfter
		setRetryAfter(w.Header(), v.Wait)
		return s.loginForm(w, r, locked.status, v)
	}
	granted := s.passwordRole(r.PostForm.Get("password"))
	if granted == roleNone {
		s.options.Logger.Warn("wrong password", "client", client)
		v.Wrong = true
		return s.loginForm(w, r, http.StatusForbidden, v)
	}
	s.logins.forget(client)
	s.endSession(r)
	s.setCookie(w, s.sessions.begin(granted, now))
	return seeOther(w, r, v.Back, nil)
}

// logOut ends the session.
func (s *Server) logOut(w http.ResponseWriter, r *http.Request) error {
	s.endSession(r)
	s.setCookie(w, "")
	return seeOther(w, r, "/", nil)
}

// endSession ends the session of a request.
func (s *Server) endSession(r *http.Request) {
	if cookie, err := r.Cookie(s.cookieName()); err == nil {
		s.sessions.end(cookie.Value)
	}
}

// hasLogin reports whether people can log in.
func (s *Server) hasLogin() bool { return s.options.Password != "" || s.options.ReadPassword != "" }

// passwordRole returns what a password allows. It compares both, so that the time says nothing.
func (s *Server) passwordRole(given string) role {
	isOwner, isReader := isSameSecret(s.options.Password, given), isSameSecret(s.options.ReadPassword, given)
	switch {
	case given == "":
		return roleNone
	case isOwner:
		return roleOwner
	case isReader:
		return roleReader
	}
	return roleNone
}
