package web

import (
	"net/http"
	"strings"
	"time"
)

type loginView struct {
	frame
	Lead  string
	Back  string        // the local path to go on to
	Wrong bool          // the password was
	Wait  time.Duration // until the next password is tried; 0 is not at all
	Error string
}

// loginForm answers with the form for the password.
func (s *Server) loginForm(w http.ResponseWriter, r *http.Request, status int, v loginView) error {
	v.frame = s.newFrame(r, "")
	v.Title, v.Path = v.texts.Text("web.login.title"), loginPathTo(v.Back)
	v.Lead = v.texts.Text("web.login.lead")
	if s.canShare() && strings.HasPrefix(v.Back, "/crawls/") {
		v.Lead = v.texts.Text("web.login.result")
	}
	switch {
	case v.Wait > 0:
		v.Error = v.texts.Text("web.login.locked", spanText(v.texts, v.Wait))
	case v.Wrong:
		v.Error = v.texts.Text("web.login.wrong")
	}
	return s.render(w, status, "login", &v.frame, &v)
}
