package report

import (
	"slices"
	"testing"

	"github.com/mapatools/mapa/crawl/render"
	"github.com/mapatools/mapa/internal/catalog"
)

// TestRenderedTexts says what rendering was for and what it took.
func TestRenderedTexts(t *testing.T) {
	o := Overview{
		Rendered: 3, RenderSeconds: 1.5, NotRendered: 1,
		RenderReasons: map[render.Reason]int64{render.ReasonRoot: 1, render.ReasonNoText: 2},
	}
	want := []string{
		"3 pages were rendered, 0.5 s each: no text without JavaScript (2); few words, and an element that JavaScript fills (1)",
		"1 page that needs JavaScript is as the site sent it: see the rule render-inconclusive in the report",
	}
	if got := o.renderedTexts(catalog.For(catalog.English)); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if got := (&Overview{}).renderedTexts(catalog.For(catalog.English)); got != nil {
		t.Errorf("a crawl without rendering: %q", got)
	}
}
