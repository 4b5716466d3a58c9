package lint_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mapatools/mapa/lint"
)

// BenchmarkCheck applies every rule to a full sitemap. What it allocates does not
// grow with the number of pages: see allocs/op.
func BenchmarkCheck(b *testing.B) {
	const pages = 50_000
	var text strings.Builder
	text.WriteString(head)
	for i := range pages {
		fmt.Fprintf(&text, "  <url>\n    <loc>https://example.com/garden/oak-bench-%d.html</loc>\n    <lastmod>2024-01-%02dT09:30:00+00:00</lastmod>\n  </url>\n", i, 1+i%28)
	}
	path := filepath.Join(b.TempDir(), "sitemap.xml")
	if err := os.WriteFile(path, []byte(text.String()+"</urlset>\n"), 0o600); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(text.Len()))
	b.ReportAllocs()
	for b.Loop() {
		for _, err := range newLinter(b, lint.Options{Engines: lint.EngineAll}).Check(b.Context(), path) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/pages, "ns/URL")
}
