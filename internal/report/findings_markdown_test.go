package report_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/insight"
	"github.com/mapatools/mapa/internal/report"
	"github.com/mapatools/mapa/lint"
)

// writeBroken writes n broken links, each in a source file with this name.
func writeBroken(t *testing.T, format, source string, n int) string {
	t.Helper()
	rule, err := lint.LookupRule("link-broken")
	if err != nil {
		t.Fatal(err)
	}
	findings := func(yield func(insight.Finding, error) bool) {
		for i := n; i > 0; i-- {
			f := insight.Finding{
				Rule: rule, Severity: lint.SeverityError, Page: 1, Other: 2, URL: "https://example.com/",
				OtherURL: "https://example.com/gone", Source: source, Position: crawl.Position{Line: i, Column: 1},
				Arguments: insight.Arguments{insight.Why{Status: 404}, "text"}, Places: 1,
			}
			if !yield(f, nil) {
				return
			}
		}
	}
	var out bytes.Buffer
	err = report.FindingWriters[format](&out, findings, &report.FindingOptions{Language: catalog.English})
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestMarkdownIsBounded writes no more than GitHub takes, in the order of the places, and counts the rest.
func TestMarkdownIsBounded(t *testing.T) {
	const n = 20_000
	text := writeBroken(t, "markdown", "a.md", n)
	rows := strings.Count(text, "\n| `a.md:")
	if len(text) > 1<<20 || rows < 1000 || rows == n {
		t.Errorf("%d bytes, %d rows", len(text), rows)
	}
	if want := fmt.Sprintf("\n\n%d,%03d more findings are not listed\n", (n-rows)/1000, (n-rows)%1000); !strings.HasSuffix(text, want) {
		t.Errorf("want %q at the end of %q", want, text[len(text)-100:])
	}
	if first := fmt.Sprintf("---|\n| `a.md:%d:1` | error |", n-rows+1); !strings.Contains(text, first) {
		t.Errorf("want %q in %q", first, text[:200])
	}
	if text := writeBroken(t, "markdown", "a.md", 0); text != "nothing found\n" {
		t.Errorf("%q", text)
	}
}

// TestSourceNames writes names of files that would be commands or markup.
func TestSourceNames(t *testing.T) {
	const name = "a\x1b[2J\n::error::x|`<b>\u202e.md"
	for format := range report.FindingWriters {
		text := writeBroken(t, format, name, 1)
		if strings.ContainsAny(text, "\x1b\u202e") || strings.Contains(text, "\n::error::x") {
			t.Errorf("%s: %q", format, text)
		}
		if format == "markdown" && !strings.Contains(text, "x`\\|`` `<b>") {
			t.Errorf("%q", text)
		}
	}
}
