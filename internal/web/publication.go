package web

import (
	"github.com/mapatools/mapa/internal/app/service"
	"github.com/mapatools/mapa/internal/catalog"
)

// A publicationView describes the outcome of publishing and announcing a result.
type publicationView struct {
	Kind, Text, Announced string
	Detail                string // of the failure, in English
}

// announcedTexts explain the outcomes of announcements.
var announcedTexts = map[string]string{
	"all": "web.announced.all", "refused": "web.announced.refused", "part": "web.announced.part",
	"none": "web.announced.none", "failed": "web.announced.failed",
}

// newPublicationView returns what is shown of a publication, or nil without one.
func newPublicationView(c *catalog.Catalog, p *service.Publication) *publicationView {
	switch {
	case p == nil:
		return nil
	case p.Failure != nil:
		text := c.Text("web.publication.failed", p.Folder) + " " + service.ExplainFailure(c, p.Failure.Code)
		return &publicationView{Kind: "bad", Text: text, Detail: p.Failure.Text}
	}
	v := &publicationView{
		Kind: "good", Text: c.Text("web.publication.done", p.Folder, c.Time(p.Time), c.Plural("web.pages", int64(p.Pages))),
	}
	if p.Announced != "" {
		v.Announced = c.Text(announcedTexts[p.Announced])
	}
	return v
}
