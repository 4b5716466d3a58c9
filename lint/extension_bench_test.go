package lint_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mapatools/mapa/lint"
)

// BenchmarkLinks checks pages with ten versions each.
func BenchmarkLinks(b *testing.B) {
	const pages, versions = 5000, 10
	languages := strings.Fields("en de fr it es pt-BR nl pl sv x-default")
	var s strings.Builder
	s.WriteString(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">`)
	for page := range pages {
		fmt.Fprintf(&s, "<url><loc>https://example.com/en/%d</loc>", page)
		for i := range versions {
			fmt.Fprintf(&s, `<xhtml:link rel="alternate" hreflang="%s" href="https://example.com/%s/%d"/>`, languages[i],
				languages[i], page)
		}
		s.WriteString("</url>")
	}
	s.WriteString("</urlset>")
	options := exampleOptions(b, []byte("-- /sitemap.xml --\n"+s.String()+"\n"))
	for _, engines := range []lint.Engines{lint.EngineSitemapsOrg, lint.EngineGoogle} {
		b.Run(engines.String(), func(b *testing.B) {
			options.Engines = engines
			b.SetBytes(int64(s.Len()))
			b.ReportAllocs()
			for b.Loop() {
				for f, err := range newLinter(b, options).Check(b.Context(), "https://example.com/sitemap.xml") {
					b.Fatal(f, err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/pages, "ns/page")
		})
	}
}
