package web

import (
	"html/template"

	"github.com/mapatools/mapa/internal/app/service"
	"github.com/mapatools/mapa/internal/catalog"
)

// A publicationView describes the outcome of publishing and announcing a result.
type publicationView struct {
	Kind      string
	Text      template.HTML
	Announced string
	Detail    string // of the failure, in English
}

// announcedAll is the outcome of an announcement that left nothing out.
const announcedAll = "all"

// announcedTexts explain the outcomes of announcements.
var announcedTexts = map[string]string{
	announcedAll: "web.announced.all", "refused": "web.announced.refused", "part": "web.announced.part",
	"none": "web.announced.none", "failed": "web.announced.failed",
}

// newPublicationView returns what is shown of a publication, or nil without one.
func newPublicationView(c *catalog.Catalog, p *service.Publication) *publicationView {
	switch {
	case p == nil:
		return nil
	case p.Failure != nil:
		text := markup(c, "web.publication.failed", p.Folder) + " " +
			template.HTML(template.HTMLEscapeString(service.ExplainFailure(c, p.Failure.Code)))
		return &publicationView{Kind: "bad", Text: text, Detail: p.Failure.Text}
	case p.Time.IsZero():
		return &publicationView{Text: markup(c, "web.publication.waiting", p.Folder)}
	}
	v := &publicationView{
		Kind: "good", Text: markup(c, "web.publication.done", p.Folder, p.Time, c.Plural("web.pages", int64(p.Pages))),
	}
	if p.Announced != "" {
		v.Announced = c.Text(announcedTexts[p.Announced])
	}
	return v
}
