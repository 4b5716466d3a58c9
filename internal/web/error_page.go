package web

import "net/http"

type errorView struct {
	frame
	Status       int
	Text, Detail string
	Login        string // the address of the form for the password, where it may help
	Result       string // the page of a crawl that only has files, or empty
}

// errorPage shows an error to a person.
func (s *Server) errorPage(w http.ResponseWriter, r *http.Request, p *problem) {
	v := errorView{frame: s.newFrame(r, "error"), Status: p.Status, Detail: p.Detail}
	filesOnly := p.Type == problemTypes+codeVersion
	if v.caller.role < roleReader && s.hasLogin() && p.Status == http.StatusNotFound {
		v.Login = loginPath(r)
	}
	if p.Status == http.StatusAccepted {
		v.Refresh = int(p.retryAfter.Seconds())
	}
	if id := r.PathValue("id"); filesOnly && id != "" {
		v.Result = "/crawls/" + id
	}
	key := errorKey(p)
	v.Title, v.Text = v.texts.Text(key), v.texts.Text(key+".text")
	if p.Status == http.StatusTooManyRequests && p.retryAfter > 0 {
		v.Text += " " + v.texts.Text("web.error.wait", spanText(v.texts, p.retryAfter))
	}
	if v.Refresh > 0 || filesOnly || p.Status == http.StatusNotFound || p.Status >= http.StatusInternalServerError {
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
	case p.Type == problemTypes+codeVersion:
		return "web.error.version"
	case p.Type == problemTypes+codeDamaged:
		return "web.error.damaged"
	case status == http.StatusAccepted:
		return "web.result.preparing"
	case p.Type == problemTypes+errShare.code:
		return "web.error.share"
	case status == http.StatusNotFound:
		return "web.error.missing"
	case p.Type == problemTypes+errReadOnly.code:
		return "web.error.read-only"
	case p.Type == problemTypes+errLogin.code:
		return "web.error.login"
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
