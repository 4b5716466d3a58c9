package sitemap_test

import (
	"strings"
	"testing"

	"github.com/mapatools/mapa/sitemap"
)

// TestStylesheetLoadsNothing keeps the stylesheet to itself: a sitemap must not make a browser
// request anything.
func TestStylesheetLoadsNothing(t *testing.T) {
	for _, way := range []string{"url(", "@import"} {
		if strings.Contains(sitemap.CSS().Content, way) {
			t.Errorf("sitemap.css contains %s", way)
		}
	}
}
