package web

import (
	"errors"
	"net/http"
	"strings"

	appfigures "github.com/mapatools/mapa/internal/app/figures"
	"github.com/mapatools/mapa/internal/app/service"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/report"
	"github.com/mapatools/mapa/internal/view"
)

// A figuresView is what search engines say about the pages of a site, and the form that adds to it.
type figuresView struct {
	Chart         *view.TimeChart // of listed and indexed pages; nil without figures of the index
	Known         string          // what all exports say, or empty
	CanAdd        bool
	Added         string // what the exports say that were just added, or empty
	Error, Detail string // why none was added, or empty
}

// MaxSize is the number of bytes of an upload, and MaxFiles that of its files.
func (*figuresView) MaxSize() int64 { return maxFigures }

// MaxFiles is the number of files of an upload.
func (*figuresView) MaxFiles() int { return maxFigureFiles }

// addKnown adds what the exports say, as the overview of the newest crawl has it.
func (v *figuresView) addKnown(c *catalog.Catalog, o *report.Overview) {
	if o.Figures == nil {
		return
	}
	v.Chart = report.IndexChart(c, o.Figures, o.Crawls)
	v.Known = strings.TrimSpace(report.FiguresText(c, o.Figures, o.Figures.Exports))
}

// pageAddFigures adds the files of a form to the figures of a site, and shows the site.
func (s *Server) pageAddFigures(w http.ResponseWriter, r *http.Request) error {
	added, err := s.addFigures(w, r)
	c := catalogOf(r)
	if err == nil {
		text := strings.TrimSpace(report.FiguresText(c, &added.About, added.Read))
		return s.showSite(w, r, http.StatusOK, sitePage{Figures: figuresView{Added: text}})
	}
	status, text := explainToolError(r, err)
	v := figuresView{Error: text}
	if file, is := errors.AsType[*appfigures.FileError](err); is {
		v.Error, v.Detail = c.Text("web.figures.wrong", file.Name), file.Err.Error()
	}
	switch {
	case text == "" || errors.Is(err, service.ErrNotFound):
		return err
	case errors.Is(err, service.ErrIncomplete):
		v.Error = c.Text("web.figures.incomplete")
	case errors.Is(err, errNoFiles):
		v.Error = c.Text("web.figures.no-file")
	case errors.Is(err, errManyFiles):
		v.Error = c.Text("web.figures.many", maxFigureFiles)
	}
	return s.showSite(w, r, status, sitePage{Figures: v})
}
