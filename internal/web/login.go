package web

import (
	"net/http"
)

// pageLogin shows the form for the password.
func (s *Server) pageLogin(w http.ResponseWriter, r *http.Request) error {
	switch {
	case s.options.Password == "":
		return errNoPage
	case callerOf(r).role == roleOwner:
		http.Redirect(w, r, "/", http.StatusSeeOther)
		return nil
	}
	return s.loginForm(w, r, http.StatusOK, false)
}

// logIn begins a session for who knows the password.
func (s *Server) logIn(w http.ResponseWriter, r *http.Request) error {
	if s.options.Password == "" {
		return errNoPage
	}
	if err := r.ParseForm(); err != nil {
		return bodyError(err)
	}
	client, now := callerOf(r).client, s.options.Now()
	if err := s.logins.try(client, now); err != nil {
		return err
	}
	if !isSameSecret(s.options.Password, r.PostForm.Get("password")) {
		s.options.Logger.Warn("wrong password", "client", client)
		return s.loginForm(w, r, http.StatusForbidden, true)
	}
	s.logins.forget(client)
	s.setCookie(w, s.sessions.begin(now))
	http.Redirect(w, r, "/", http.StatusSeeOther)
	return nil
}

// logOut ends the session.
func (s *Server) logOut(w http.ResponseWriter, r *http.Request) error {
	if cookie, err := r.Cookie(s.cookieName()); err == nil {
		s.sessions.end(cookie.Value)
	}
	s.setCookie(w, "")
	http.Redirect(w, r, "/", http.StatusSeeOther)
	return nil
}
