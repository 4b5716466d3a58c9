package robots

import (
	"fmt"
	"strings"
	"testing"
)

// usual is a robots.txt like those of shops and wikis.
var usual = func() string {
	var b strings.Builder
	b.WriteString("User-agent: BadBot\nDisallow: /\n\nUser-agent: *\nCrawl-delay: 1\n")
	for i := range 40 {
		fmt.Fprintf(&b, "Disallow: /section-%d/private/\n", i)
	}
	b.WriteString("Disallow: /*?*sort=\nDisallow: /*.pdf$\nDisallow: /wiki/Special:\nAllow: /catalogue/\n")
	b.WriteString("Sitemap: https://www.example.com/sitemap.xml\n")
	return b.String()
}()

func BenchmarkVerdict(b *testing.B) {
	group := parse(b, usual).Group("Mapa")
	for name, url := range map[string]string{
		"usual":   "https://www.example.com/articles/2024/05/a-usual-path-of-some-length.html",
		"query":   "https://www.example.com/catalogue/shoes?page=2&colour=red",
		"escaped": "https://www.example.com/wiki/Caf%c3%a9:_(disambiguation)?ref=https://example.com/",
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				group.Verdict(url)
			}
		})
	}
}

// BenchmarkVerdictHostile has as many rules as a file can contain, with stars that
// match no path.
func BenchmarkVerdictHostile(b *testing.B) {
	content := "User-agent: *\n" + strings.Repeat("allow:*a*b\n", ReadLimit/len("allow:*a*b\n"))
	group := parse(b, content).Group("Mapa")
	url := "/" + strings.Repeat("a", 2000)
	b.ReportAllocs()
	for b.Loop() {
		group.Verdict(url)
	}
}

func BenchmarkParse(b *testing.B) {
	b.SetBytes(int64(len(usual)))
	b.ReportAllocs()
	for b.Loop() {
		parse(b, usual).Group("Mapa")
	}
}
