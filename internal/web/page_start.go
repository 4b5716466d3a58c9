package web

import (
	"errors"
	"net/http"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/service"
)

type startView struct {
	frame
	URL, Error string
	Open       bool // the options
	Options    formOptions
	Recent     []service.Crawl
}

// recentCrawls is the number of crawls that the start page shows.
const recentCrawls = 5

// pageStart asks for the address of a site.
func (s *Server) pageStart(w http.ResponseWriter, r *http.Request) error {
	return s.startForm(w, r, http.StatusOK, startView{})
}

// startForm answers with the form, which has the address and the error of v.
func (s *Server) startForm(w http.ResponseWriter, r *http.Request, status int, v startView) error {
	v.frame = s.newFrame(r, "start")
	v.Title = v.texts.Text("web.start.title")
	v.Options = s.formOptions(v.texts, nil)
	if v.Open {
		v.Options = s.formOptions(v.texts, optionsOf(r.PostForm))
	}
	if !v.Public {
		var err error
		if v.Recent, _, err = s.options.Service.Crawls(r.Context(), "", "", recentCrawls); err != nil {
			return err
		}
	}
	return s.render(w, status, "start", &v.frame, &v)
}

// start queues the crawl of the form, and goes on to its page.
func (s *Server) start(w http.ResponseWriter, r *http.Request) error {
	if err := r.ParseForm(); err != nil {
		return bodyError(err)
	}
	request := service.Request{
		URL: r.PostForm.Get("url"), Options: optionsOf(r.PostForm), Client: callerOf(r).quota(),
		Language: string(languageOf(r)),
	}
	if like := r.PostForm.Get("like"); like != "" {
		before, err := s.options.Service.Crawl(r.Context(), like)
		if err != nil {
			return err
		}
		request.Options = before.Options
	}
	c, err := s.options.Service.Start(r.Context(), request)
	if isInput(err) {
		v := startView{URL: request.URL, Error: problemOf(err).Detail, Open: isOption(err)}
		return s.startForm(w, r, problemOf(err).Status, v)
	}
	if err != nil {
		return err
	}
	http.Redirect(w, r, "/crawls/"+c.ID, http.StatusSeeOther)
	return nil
}

// isInput reports whether an error is about what a person typed, or asks for patience.
func isInput(err error) bool {
	_, limited := errors.AsType[*service.LimitError](err)
	return isOption(err) || limited || errors.Is(err, app.ErrScheme) || errors.Is(err, app.ErrNoFolder) ||
		errors.Is(err, service.ErrUser) || errors.Is(err, crawl.ErrStart)
}

func isOption(err error) bool {
	_, is := errors.AsType[*service.OptionError](err)
	return is
}
