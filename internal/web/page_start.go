package web

import (
	"errors"
	"net/http"

	"github.com/mapatools/mapa/internal/app/service"
	"github.com/mapatools/mapa/internal/catalog"
)

type startView struct {
	frame
	URL, Error string
	Open       bool // the options
	Options    formOptions
	Recent     []crawlLine
}

// recentLines is the number of crawls that the start page shows, and recentCrawls of how many
// the newest equal failures are one.
const (
	recentLines  = 5
	recentCrawls = 100
)

// pageStart asks for the address of a site. The address may have one, whose options are shown.
func (s *Server) pageStart(w http.ResponseWriter, r *http.Request) error {
	address := r.URL.Query().Get("url")
	return s.startForm(w, r, http.StatusOK, startView{URL: address, Open: address != ""})
}

// startForm answers with the form, which has the address and the error of v.
func (s *Server) startForm(w http.ResponseWriter, r *http.Request, status int, v startView) error {
	v.frame = s.newFrame(r, "start")
	v.Title = v.texts.Text("web.start.title")
	v.Options = s.formOptions(v.texts, nil)
	if v.Open && r.PostForm != nil {
		v.Options = s.formOptions(v.texts, optionsOf(r.PostForm))
	}
	if !v.Public {
		crawls, _, err := s.options.Service.Crawls(r.Context(), "", "", recentCrawls)
		if err != nil {
			return err
		}
		v.Recent = crawlLines(crawls)
		v.Recent = v.Recent[:min(len(v.Recent), recentLines)]
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
		Language: string(languageOf(r)), Once: true,
	}
	if like := r.PostForm.Get("like"); like != "" {
		before, err := s.options.Service.Crawl(r.Context(), like)
		if err != nil {
			return err
		}
		request.Options, request.Like = withAction(before.Options, r), like
	}
	c, err := s.options.Service.Start(r.Context(), request)
	if active, is := errors.AsType[*service.ActiveError](err); is {
		http.Redirect(w, r, "/crawls/"+active.ID+"?active", http.StatusSeeOther)
		return nil
	}
	if text, is := explainInput(catalog.For(languageOf(r)), err); is {
		_, isOption := errors.AsType[*service.OptionError](err)
		return s.startForm(w, r, problemOf(err).Status, startView{URL: request.URL, Error: text, Open: isOption})
	}
	if err != nil {
		return err
	}
	http.Redirect(w, r, "/crawls/"+c.ID, http.StatusSeeOther)
	return nil
}
