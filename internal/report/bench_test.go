package report_test

import (
	"fmt"
	"io"
	"testing"

	"github.com/mapatools/mapa/crawl"
)

// manyPages returns a site of pages with 25 links each, some of them broken.
func manyPages(count int) []made {
	site := make([]made, count)
	for i := range site {
		page := classListed(fmt.Sprintf("The page about thing number %d", i))
		for j := range 25 {
			page.Links = append(page.Links, anchor(crawl.ID((i*25+j*7919)%count+1), "Section of the shop"))
		}
		if i%200 == 7 {
			page = refused(404, crawl.ReasonClientError, notFound, 0)
		}
		site[i] = made{url: fmt.Sprintf("/section-%d/page-%d.html", i%97, i), page: page}
	}
	return site
}

func BenchmarkCrawl(b *testing.B) {
	const count = 10_000
	file := judged(b, crawlFile(b, manyPages(count)))
	for _, bench := range []struct {
		name  string
		write writer
	}{
		{"html", writeHTML}, {"brief", writeBrief}, {"csv", crawlFormats["crawl.csv"]},
		{"jsonl", crawlFormats["crawl.jsonl"]}, {"sarif", crawlFormats["crawl.sarif"]},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := bench.write(b.Context(), file, io.Discard); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(count)*float64(b.N)/b.Elapsed().Seconds(), "pages/s")
		})
	}
}
