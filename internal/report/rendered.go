package report

import (
	"maps"
	"slices"
	"strings"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/format"
)

// RenderedFields returns what the formats for programs say about the rendering of a page: whether it
// is as its scripts made it, why it was rendered or not, and why it is as the site sent it although
// it needed rendering.
func RenderedFields(p *crawl.Page) (rendered *bool, reason crawl.RenderReason, failure string) {
	if p.RenderReason == "" {
		return nil, "", ""
	}
	done := p.Rendered.Done()
	if p.Rendered.Inconclusive() {
		failure = p.Rendered.Failure.String()
	}
	return &done, p.RenderReason, failure
}

// RenderedText says whether a page was rendered, and why, in the language of a catalog. It returns
// "" unless the crawl decided.
func RenderedText(c *catalog.Catalog, reason crawl.RenderReason, rendered *crawl.Rendered) string {
	if reason == "" {
		return ""
	}
	why := c.Text("render-reason." + string(reason))
	switch {
	case rendered.Inconclusive():
		return c.Text("rendered.failed", why, format.Plain(c.Detail(rendered.Failure.Split())))
	case rendered.Done() && rendered.Lacking != "":
		return c.Text("rendered.lacking", why, format.Plain(c.Detail(rendered.Lacking.Split())))
	case rendered.Done():
		return c.Text("rendered.yes", why)
	}
	return c.Text("rendered.no", why)
}

// renderedTexts says how many pages were rendered, how long each took, and why, and how many were not although
// they need it.
func (o *Overview) renderedTexts(c *catalog.Catalog) (texts []string) {
	if o.Rendered > 0 {
		var reasons []string
		for _, reason := range slices.Sorted(maps.Keys(o.RenderReasons)) {
			reasons = append(reasons, c.Text("render-reason."+string(reason))+" ("+c.Count(o.RenderReasons[reason])+")")
		}
		each := c.Decimal(o.RenderSeconds/float64(o.Rendered), 1)
		texts = append(texts, c.Plural("summary.rendered", int64(o.Rendered), each)+" "+strings.Join(reasons, "; "))
	}
	if o.NotRendered > 0 {
		why := c.Text("summary.render-inconclusive")
		texts = append(texts, c.Plural("summary.not-rendered", int64(o.NotRendered), why))
	}
	return texts
}
