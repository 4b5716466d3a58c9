package report_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/report"
)

// TestUnknownReason reads a crawl with a reason that another program has made up.
func TestUnknownReason(t *testing.T) {
	t.Parallel()
	store := &crawl.MemoryStore{}
	page := crawl.Page{ID: 1, Status: 200, Reason: "a\n::error::z\u202e\x1b[2J"}
	commit := crawl.Commit{Found: []crawl.Link{{ID: 1, URL: "https://site.example/"}}, Done: []crawl.Page{page}}
	if err := store.Append(t.Context(), commit); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := report.WriteText(t.Context(), store, &out); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(out.String(), "\u202e\x1b") || strings.Contains(out.String(), "\n::") {
		t.Errorf("%q", out.String())
	}
}
