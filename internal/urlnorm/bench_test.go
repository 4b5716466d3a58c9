package urlnorm_test

import (
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/urlnorm"
)

const page = "https://www.example.org/shop/shoes/running/index.html"

var usual = []struct{ name, ref string }{
	{"absolute", "https://www.example.org/shop/shoes/trail/model-1234.html"},
	{"other-host", "https://static.example.net/shop/shoes/trail/model-1234.html"},
	{"protocol-relative", "//static.example.net/shop/shoes/trail/model-1234.html"},
	{"rooted", "/shop/shoes/trail/model-1234.html"},
	{"relative", "model-1234.html"},
	{"parent", "../trail/model-1234.html"},
	{"query", "/shop/search?category=shoes&size=42&page=3"},
	{"fragment", "#reviews"},
	{"escapes", "/%D0%BE%D0%B1%D1%83%D0%B2%D1%8C/%D0%B1%D0%B5%D0%B3"},
}

var unusual = []struct{ name, ref string }{
	{"mailto", "mailto:shop@example.org"},
	{"space", "/shop/shoes/trail/model 1234.html"},
	{"dots", "/shop/shoes/../trail/model-1234.html"},
	{"cyrillic-path", "/\u043e\u0431\u0443\u0432\u044c/\u0431\u0435\u0433"},
	{"cyrillic-host", "//\u043e\u0431\u0443\u0432\u044c.\u0440\u0444/"},
	{"hostile-dots", strings.Repeat("a/../", urlnorm.MaxLength/5)},
	{"hostile-host", "//" + strings.Repeat("\u4e00\u4e01\u4e02\u4e03", 1024/12)},
	{"megabyte", strings.Repeat("a/../", 1<<20/5)},
}

func BenchmarkResolve(b *testing.B) {
	base := newBase(b, page)
	dst := make([]byte, 0, 2*urlnorm.MaxLength)
	for _, link := range append(usual, unusual...) {
		b.Run(link.name, func(b *testing.B) {
			ref := []byte(link.ref)
			b.ReportAllocs()
			for b.Loop() {
				dst, _ = base.AppendResolve(dst[:0], ref)
			}
		})
	}
}

func BenchmarkKey(b *testing.B) {
	strip := urlnorm.NewParameters(append(urlnorm.TrackingParameters, urlnorm.SessionParameters...)...)
	tests := []struct {
		name, url string
		options   urlnorm.KeyOptions
	}{
		{"plain", "https://www.example.org/shop/shoes/trail/model-1234.html", urlnorm.KeyOptions{}},
		{"strip-nothing", "https://www.example.org/shop/search?category=shoes&size=42&page=3",
			urlnorm.KeyOptions{Strip: strip}},
		{"strip-tracking", "https://www.example.org/shop/?utm_source=x&gclid=y&page=3", urlnorm.KeyOptions{Strip: strip}},
		{"escapes", "https://www.example.org/%D0%BE%D0%B1%D1%83%D0%B2%D1%8C/%D0%B1%D0%B5%D0%B3", urlnorm.KeyOptions{}},
		{"sort", "https://www.example.org/shop/search?size=42&category=shoes&page=3", urlnorm.KeyOptions{SortQuery: true}},
		{"hostile-strip", "https://h/?" + strings.Repeat("&", urlnorm.MaxLength-20), urlnorm.KeyOptions{Strip: strip}},
		{"hostile-sort", "https://h/?" + strings.Repeat("b&a&", urlnorm.MaxLength/4-20), urlnorm.KeyOptions{SortQuery: true}},
		{"hostile-path", "https://h/" + strings.Repeat(";sid", urlnorm.MaxLength/4-20), urlnorm.KeyOptions{Strip: strip}},
	}
	var dst []byte
	for _, test := range tests {
		b.Run(test.name, func(b *testing.B) {
			url := []byte(test.url)
			b.ReportAllocs()
			for b.Loop() {
				dst = urlnorm.AppendKey(dst[:0], url, test.options)
			}
		})
	}
}

func TestUsualLinksAllocateNothing(t *testing.T) {
	base := newBase(t, page)
	strip := urlnorm.NewParameters(urlnorm.TrackingParameters...)
	url, key := make([]byte, 0, 1024), make([]byte, 0, 1024)
	for _, link := range append(usual, unusual[0]) {
		ref := []byte(link.ref)
		allocs := testing.AllocsPerRun(10, func() {
			url, _ = base.AppendResolve(url[:0], ref)
			key = urlnorm.AppendKey(key[:0], url, urlnorm.KeyOptions{Strip: strip})
		})
		if allocs != 0 {
			t.Errorf("%s: %v allocations", link.name, allocs)
		}
	}
}
