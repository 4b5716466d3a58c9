package sitemap_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/mapatools/mapa/sitemap"
)

// BenchmarkRead measures one URL of each shape: the locations counted, the dates
// turned into seconds.
func BenchmarkRead(b *testing.B) {
	plain := "  <url>\n    <loc>https://www.example.com/section-%[1]d/some-title-%[1]d.html</loc>\n" +
		"    <lastmod>2024-03-%02[2]dT10:11:%02[2]d+00:00</lastmod>\n    <changefreq>weekly</changefreq>\n    <priority>0.5</priority>\n  </url>\n"
	shapes := map[string]string{
		"plain":    plain,
		"entities": strings.Replace(plain, "some-title", "título?a=1&amp;b", 1),
		"extended": strings.Replace(plain, "  </url>", "<image:image><image:loc>https://www.example.com/%[1]d.png</image:loc></image:image>\n  </url>", 1),
	}
	for name, shape := range shapes {
		b.Run(name, func(b *testing.B) {
			const count = 10_000
			var document strings.Builder
			document.WriteString(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`)
			for i := range count {
				fmt.Fprintf(&document, shape, i*37, i%28+1)
			}
			document.WriteString("</urlset>")
			text := []byte(document.String())
			b.SetBytes(int64(len(text) / count))
			b.ReportAllocs()
			for read := 0; read < b.N; {
				var locs, seconds int64
				for entry, err := range sitemap.NewReader(bytes.NewReader(text), nil).Entries() {
					if err != nil {
						b.Fatal(err)
					}
					date, err := entry.Date()
					if err != nil {
						b.Fatal(err)
					}
					locs += int64(len(entry.Loc))
					seconds += date.Unix()
					read++
				}
			}
		})
	}
}
