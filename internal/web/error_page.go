package web

import (
	"html/template"
	"net/http"
)

var errorTemplate = template.Must(template.New("error").Parse(`<!doctype html>
<html lang="en"><meta charset="utf-8"><title>{{.Title}}</title>
<h1>{{.Title}}</h1>
<p>{{.Detail}}</p>
<p><a href="/">Start page</a></p>
`))

// errorPage shows an error to a person.
func (s *Server) errorPage(w http.ResponseWriter, _ *http.Request, p *problem) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(p.Status)
	_ = errorTemplate.Execute(w, p) // the client may be gone
}
