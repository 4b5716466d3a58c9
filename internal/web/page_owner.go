package web

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/mapatools/mapa/internal/app/service"
)

type ownerView struct {
	frame
	URL, Error string
	Proof      *service.Proof
	Proven     bool
	Lead       string
}

// pageOwner shows visitors the file by which they prove to own a site. Owners may crawl
// more pages of it.
func (s *Server) pageOwner(w http.ResponseWriter, r *http.Request) error {
	if !s.options.Public {
		return errNoPage
	}
	return s.ownerForm(w, r, http.StatusOK, ownerView{URL: strings.TrimSpace(r.URL.Query().Get("url"))})
}

func (s *Server) ownerForm(w http.ResponseWriter, r *http.Request, status int, v ownerView) error {
	v.frame = s.newFrame(r, "start")
	v.Title = v.texts.Text("web.owner.title")
	if limits := s.options.Service.Limits(); limits != nil {
		v.Lead = v.texts.Text("web.owner.lead", v.texts.Count(int64(limits.OwnedPages)))
	}
	if v.URL != "" {
		var err error
		if v.Proof, err = s.options.Service.Proof(callerOf(r).quota(), v.URL); err != nil {
			text, is := explainInput(v.texts, err)
			if !is {
				return err
			}
			v.Error, status = text, http.StatusBadRequest
		}
	}
	return s.render(w, status, "owner", &v.frame, &v)
}

// proveOwner looks for the file on the site.
func (s *Server) proveOwner(w http.ResponseWriter, r *http.Request) error {
	if err := r.ParseForm(); err != nil {
		return bodyError(err)
	}
	v := ownerView{URL: strings.TrimSpace(r.PostForm.Get("url"))}
	err := s.tool(w, r, func(ctx context.Context) error {
		return s.options.Service.Prove(ctx, callerOf(r).quota(), v.URL)
	})
	c := catalogOf(r)
	text, isInput := explainInput(c, err)
	switch {
	case err == nil:
		v.Proven = true
		return s.ownerForm(w, r, http.StatusOK, v)
	case errors.Is(err, service.ErrNotProven):
		v.Error = c.Text("web.owner.missing")
	case isInput:
		v.Error = text
	default:
		return err
	}
	return s.ownerForm(w, r, http.StatusUnprocessableEntity, v)
}
