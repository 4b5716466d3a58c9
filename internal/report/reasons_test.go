package report_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/report"
)

// TestUnknownReason reads a crawl with a reason that another program has made up.
func TestUnknownReason(t *testing.T) {
	t.Parallel()
	file := crawlFile(t, []made{{url: "/", page: refused(200, "a\n::error::z\u202e\x1b[2J", "", 0)}})
	var out bytes.Buffer
	if err := report.WriteText(t.Context(), file, &out, catalog.For(catalog.English)); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(out.String(), "\u202e\x1b") || strings.Contains(out.String(), "\n::") {
		t.Errorf("%q", out.String())
	}
}
