package report

import (
	"maps"
	"slices"
	"strings"

	"github.com/mapatools/mapa/internal/catalog"
)

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
