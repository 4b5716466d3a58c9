package web

import "net/http"

type loginView struct {
	frame
	Error string
}

// loginForm answers with the form for the password, which was wrong before or not.
func (s *Server) loginForm(w http.ResponseWriter, r *http.Request, status int, wrong bool) error {
	v := loginView{frame: s.newFrame(r, "")}
	v.Title = v.texts.Text("web.login.title")
	if wrong {
		v.Error = v.texts.Text("web.login.wrong")
	}
	return s.render(w, status, "login", &v.frame, &v)
}
