package sitemap_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/mapatools/mapa/sitemap"
)

const (
	plainShape = "  <url>\n    <loc>https://www.example.com/section-%[1]d/some-title-%[1]d.html</loc>\n" +
		"    <lastmod>2024-03-%02[2]dT10:11:%02[2]d+00:00</lastmod>\n    <changefreq>weekly</changefreq>\n    <priority>0.5</priority>\n  </url>\n"

	// Four languages, two images, a video and an article.
	heavyExtensions = `    <xhtml:link rel="alternate" hreflang="de" href="https://www.example.com/de/some-title-%[1]d.html"/>
    <xhtml:link rel="alternate" hreflang="fr" href="https://www.example.com/fr/some-title-%[1]d.html"/>
    <xhtml:link rel="alternate" hreflang="pt-BR" href="https://www.example.com/pt-BR/some-title-%[1]d.html"/>
    <xhtml:link rel="alternate" hreflang="x-default" href="https://www.example.com/some-title-%[1]d.html"/>
    <image:image>
      <image:loc>https://cdn.example.com/%[1]d.jpg?width=1200&amp;height=800</image:loc>
      <image:title>Some title seen from the side</image:title>
    </image:image>
    <image:image>
      <image:loc>https://cdn.example.com/%[1]d.png</image:loc>
    </image:image>
    <video:video>
      <video:thumbnail_loc>https://cdn.example.com/thumbnails/%[1]d.jpg</video:thumbnail_loc>
      <video:title>How to put some title together</video:title>
      <video:description>Twelve screws, one key &amp; ten minutes: some title stands before the coffee is cold.</video:description>
      <video:player_loc allow_embed="yes">https://www.example.com/player?video=%[1]d&amp;size=large</video:player_loc>
      <video:publication_date>2024-03-%02[2]d</video:publication_date>
      <video:restriction relationship="allow">IE GB US CA</video:restriction>
      <video:tag>furniture</video:tag>
      <video:tag>assembly</video:tag>
    </video:video>
    <news:news>
      <news:publication>
        <news:name>The Example Times</news:name>
        <news:language>en</news:language>
      </news:publication>
      <news:publication_date>2024-03-%02[2]d</news:publication_date>
      <news:title>Why everybody wants some title now</news:title>
    </news:news>
  </url>
`
)

// BenchmarkRead measures one URL of each shape: the locations counted, the dates
// turned into seconds.
func BenchmarkRead(b *testing.B) {
	leave := func(*sitemap.Entry) error { return nil }
	var extensions sitemap.Extensions
	for _, c := range []struct {
		name, shape string
		extensions  func(*sitemap.Entry) error
	}{
		{"plain", plainShape, leave},
		{"entities", strings.Replace(plainShape, "some-title", "título?a=1&amp;b", 1), leave},
		{"extended", strings.Replace(plainShape, "  </url>",
			"<image:image><image:loc>https://www.example.com/%[1]d.png</image:loc></image:image>\n  </url>", 1), leave},
		{"heavy", strings.Replace(plainShape, "  </url>\n", heavyExtensions, 1), leave},
		{"heavy parsed", strings.Replace(plainShape, "  </url>\n", heavyExtensions, 1),
			func(e *sitemap.Entry) error { return e.Extensions(&extensions) }},
	} {
		b.Run(c.name, func(b *testing.B) { benchmarkRead(b, c.shape, c.extensions) })
	}
}

func benchmarkRead(b *testing.B, shape string, extensions func(*sitemap.Entry) error) {
	const count = 1_000
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
		for entry, err := range sitemap.NewReader(bytes.NewReader(text)).Entries() {
			if err != nil {
				b.Fatal(err)
			}
			date, err := entry.Date()
			if err != nil {
				b.Fatal(err)
			}
			if err := extensions(entry); err != nil {
				b.Fatal(err)
			}
			locs += int64(len(entry.Loc))
			seconds += date.Unix()
			read++
		}
	}
}
