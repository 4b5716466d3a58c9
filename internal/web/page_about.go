package web

import (
	"net/http"
	"net/mail"

	"github.com/mapatools/mapa/internal/format"
)

type aboutView struct {
	frame
	UserAgent, Contact, ContactLink string
}

// pageAbout says who crawls, and where to complain.
func (s *Server) pageAbout(w http.ResponseWriter, r *http.Request) error {
	v := aboutView{frame: s.newFrame(r, "about"), UserAgent: s.options.App.UserAgent(), Contact: s.options.Contact}
	v.Title = v.texts.Text("web.about.title")
	if _, err := mail.ParseAddress(v.Contact); err == nil {
		v.ContactLink = "mailto:" + v.Contact
	} else if format.IsURL(v.Contact) {
		v.ContactLink = v.Contact
	}
	return s.render(w, http.StatusOK, "about", &v.frame, &v)
}
