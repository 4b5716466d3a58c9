package web

import "net/http"

type errorView struct {
	frame
	Status       int
	Text, Detail string
}

// errorPage shows an error to a person.
func (s *Server) errorPage(w http.ResponseWriter, r *http.Request, p *problem) {
	v := errorView{frame: s.newFrame(r, "error"), Status: p.Status, Detail: p.Detail}
	if v.caller.role == roleNone {
		v.Menu = ""
	}
	if p.Status == http.StatusAccepted {
		v.Refresh = int(p.retryAfter.Seconds())
	}
	key := errorKey(p)
	v.Title, v.Text = v.texts.Text(key), v.texts.Text(key+".text")
	if v.Refresh > 0 || p.Status == http.StatusNotFound || p.Status >= http.StatusInternalServerError {
		v.Detail = "" // it says no more
	}
	if err := s.render(w, p.Status, "error", &v.frame, &v); err != nil {
		s.options.Logger.Error("error page", "error", err)
		http.Error(w, p.Title, p.Status)
	}
}

func errorKey(p *problem) string {
	status := p.Status
	switch {
	case p.Type == problemTypes+codeDamaged:
		return "web.error.damaged"
	case status == http.StatusAccepted:
		return "web.result.preparing"
	case status == http.StatusNotFound:
		return "web.error.missing"
	case status == http.StatusUnauthorized, status == http.StatusForbidden, status == http.StatusMisdirectedRequest:
		return "web.error.denied"
	case status == http.StatusTooManyRequests:
		return "web.error.limit"
	case status == http.StatusConflict:
		return "web.error.conflict"
	case status == http.StatusRequestEntityTooLarge:
		return "web.error.large"
	case status >= http.StatusInternalServerError:
		return "web.error.server"
	}
	return "web.error.bad"
}
