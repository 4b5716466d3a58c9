package web

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/mapatools/mapa/internal/app/service"
	"github.com/mapatools/mapa/internal/format"
)

type startView struct {
	frame
	URL, Error string
	Open       bool // the options
	Options    formOptions
	Own        *ownOptions // nil for visitors
	Recent     []crawlLine
	Limits     string // of a visitor
}

// recentLines is the number of crawls that the start page shows, and recentCrawls of how many
// the newest equal failures are one.
const (
	recentLines  = 5
	recentCrawls = 100
)

// pageStart asks for the address of a site. The address of the page may have one, whose options are
// shown, or a form to check, whose error is shown.
func (s *Server) pageStart(w http.ResponseWriter, r *http.Request) error {
	if callerOf(r).role == roleReader { // who starts nothing
		return seeOther(w, r, "/sites", nil)
	}
	form := r.URL.Query()
	if !form.Has(checkName) {
		return s.startForm(w, r, map[string][]string{}, nil, startView{URL: form.Get("url"), Open: form.Has("url")})
	}
	return s.checkStart(w, r, form)
}

// checkStart shows what was typed again, with its error, and starts nothing.
func (s *Server) checkStart(w http.ResponseWriter, r *http.Request, form url.Values) error {
	request, err := s.readStart(r, form)
	if err == nil {
		err = s.options.Service.Check(r.Context(), request)
	}
	if _, is := explainInput(catalogOf(r), err); err != nil && !is {
		return err
	}
	return s.startForm(w, r, request.Options, err, startView{URL: request.URL})
}

// checkName is the parameter of the start page that has a form to check.
const checkName = "check"

// startForm answers with the form, which has the address of v and the options. Why the request
// failed is explained.
func (s *Server) startForm(
	w http.ResponseWriter, r *http.Request, options map[string][]string, failed error, v startView,
) error {
	v.frame = s.newFrame(r, "start")
	v.Title = v.texts.Text("web.start.title")
	if r.Method == http.MethodPost { // nothing else has what was typed
		v.Typed = "start"
	}
	v.Options, v.Own = s.formOptions(v.texts, options), s.newOwnOptions(options)
	if v.Own != nil {
		v.Own.Stored = false // an empty field of this form keeps nothing
	}
	status := http.StatusOK
	if failed != nil {
		status = problemOf(failed).Status
		v.Error = v.Options.explain(v.texts, failed)
	}
	if len(options) > 0 {
		_, v.Open = errors.AsType[*service.OptionError](failed)
	}
	if limits := s.options.Service.Limits(); limits != nil && v.Public {
		kept := v.texts.Plural("web.days", int64((limits.Expiry+day-1)/day))
		v.Limits = v.texts.Text("web.start.plan.public", v.texts.Count(int64(limits.Pages)), kept)
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

// readStart reads the form of the start page, or of a button that repeats a crawl.
func (s *Server) readStart(r *http.Request, form url.Values) (service.Request, error) {
	request := service.Request{
		URL: form.Get("url"), Options: optionsOf(form), Client: callerOf(r).quota(),
		Language: string(languageOf(r)), Once: true,
	}
	readOwnOptions(request.Options, form)
	like := form.Get("like")
	if like == "" {
		return request, nil
	}
	before, err := s.options.Service.Crawl(r.Context(), like)
	if err != nil {
		return request, err
	}
	request.Options, request.Like = withAction(before.Options, form), like
	return request, nil
}

// start queues the crawl of the form, and goes on to its page. After an error it goes back to the
// form, whose address has what was typed: the page can be loaded again.
func (s *Server) start(w http.ResponseWriter, r *http.Request) error {
	if err := r.ParseForm(); err != nil {
		return bodyError(err)
	}
	if chosen, is := chosenLanguage(r); is { // the form is to be shown again, and not sent
		s.keepLanguage(w, chosen)
		return s.checkStart(w, r, r.PostForm)
	}
	request, err := s.readStart(r, r.PostForm)
	if err != nil {
		return err
	}
	c, err := s.options.Service.Start(r.Context(), request)
	if active, is := errors.AsType[*service.ActiveError](err); is {
		query := "?active"
		if active.Other {
			query = "?active=other"
		}
		return seeOther(w, r, "/crawls/"+active.ID+query, nil)
	}
	if _, is := explainInput(catalogOf(r), err); is {
		if back := formAddress(r.PostForm); back != "" {
			return seeOther(w, r, back, nil)
		}
		return s.startForm(w, r, request.Options, err, startView{URL: request.URL})
	}
	if err != nil {
		return err
	}
	return seeOther(w, r, "/crawls/"+c.ID, nil)
}

// goHome goes on to the start page.
func (s *Server) goHome(w http.ResponseWriter, r *http.Request) error {
	return seeOther(w, r, "/", nil)
}

// maxFormAddress is the most bytes of the address of a form. Some proxies take no more than 4096.
const maxFormAddress = 2000

// formAddress returns the address of the start page with a form to check. It is empty for a form
// that has a secret, or more than an address can have.
func formAddress(form url.Values) string {
	known := slices.Concat([]string{"url", "like", "base-url", "sitemap", "ignore-robots"},
		valueNames, patternNames, switchNames, listNames)
	query := url.Values{checkName: {""}}
	for name, values := range form {
		if strings.Join(values, "") == "" {
			continue
		}
		if !slices.Contains(known, name) {
			return ""
		}
		for _, value := range values {
			if _, user := format.CutUser(value); user != "" {
				return ""
			}
		}
		query[name] = values
	}
	address := "/?" + query.Encode()
	if len(address) > maxFormAddress {
		return ""
	}
	return address
}
