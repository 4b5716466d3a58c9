package compare

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/mapatools/mapa/crawl"
)

// pagesOf returns a crawl of 100,000 pages. A tenth of them differ in the other edition.
func pagesOf(edition int) []made {
	pages := make([]made, 0, 100_000)
	for i := range 100_000 {
		p := made{path: fmt.Sprintf("/section-%d/page-%d.html", i%100, i), status: 200, digest: uint64(i + 1),
			lastMod: "2026-01-02"}
		if i > 0 {
			p.on = pages[i/10].path
		}
		if edition == 1 {
			switch i % 40 {
			case 37:
				p.path += "?new"
			case 38:
				p.status, p.reason, p.digest, p.lastMod = 404, crawl.ReasonClientError, 0, ""
			case 39:
				p.digest++
			}
		}
		pages = append(pages, p)
	}
	return pages
}

func BenchmarkCrawls(b *testing.B) {
	folder := b.TempDir()
	var sides [2]*Side
	for edition := range sides {
		name := filepath.Join(folder, fmt.Sprintf("%d.sqlite", edition))
		writeCrawl(b, name, pagesOf(edition))
		sides[edition] = open(b, name)
	}
	b.ReportAllocs()
	for b.Loop() {
		count := 0
		c := Comparison{Old: sides[0], New: sides[1]}
		counts, err := compareAll(b.Context(), &c, func(*Change) error { return nil })
		if err != nil {
			b.Fatal(err)
		}
		count = counts.Total()
		if count != 10_000 {
			b.Fatalf("%d changes", count)
		}
	}
	b.ReportMetric(b.Elapsed().Seconds()*1e3/float64(b.N), "ms/comparison")
}
