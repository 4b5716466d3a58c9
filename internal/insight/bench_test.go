package insight_test

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"testing"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/insight"
	"github.com/mapatools/mapa/internal/report"
	"github.com/mapatools/mapa/internal/store"
)

// manyPages makes a crawl file with pages of 25 links each, some of them broken.
func manyPages(tb testing.TB, count int) *store.File {
	tb.Helper()
	file, err := store.Create(filepath.Join(tb.TempDir(), "crawl.sqlite"), crawl.Meta{Start: "https://example.com/"})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { file.Close() })
	for first := 0; first < count; first += 500 {
		var commit crawl.Commit
		for i := first; i < min(first+500, count); i++ {
			id := crawl.ID(i + 1)
			address := fmt.Sprintf("https://example.com/section-%d/page-%d.html", i%97, i)
			commit.Found = append(commit.Found, crawl.Link{ID: id, URL: address, From: crawl.ID(i/25 + 1), Depth: 1})
			page := crawl.Page{
				ID: id, Time: time.Unix(1_700_000_000, 0), Status: 200, MediaType: "text/html", Size: 8_000,
				Duration: 40 * time.Millisecond, Title: fmt.Sprintf("The page about thing number %d", i), Language: "en",
				Words: 300, Digest: uint64(i + 1),
				Facts: &crawl.Facts{Description: fmt.Sprintf("All that there is to say about thing number %d, its parts and their colors.", i),
					H1: fmt.Sprintf("Thing %d", i), Parts: crawl.PartViewport},
			}
			for j := range 25 {
				page.Links = append(page.Links, crawl.Edge{To: crawl.ID((i*25+j*7919)%count + 1), Text: "Section of the shop"})
			}
			if i%200 == 7 {
				page = crawl.Page{ID: id, Status: 404, Reason: crawl.ReasonClientError}
			}
			commit.Done = append(commit.Done, page)
		}
		if err := file.Append(tb.Context(), commit); err != nil {
			tb.Fatal(err)
		}
	}
	if err := file.Finish(tb.Context()); err != nil {
		tb.Fatal(err)
	}
	return file
}

// BenchmarkWrite compares judging a large crawl with what is written about it anyway: its
// sitemap, the list of broken links and the report.
func BenchmarkWrite(b *testing.B) {
	const count = 100_000
	file := manyPages(b, count)
	rules, err := new(insight.Options).Rules()
	if err != nil {
		b.Fatal(err)
	}
	var judging, writing time.Duration
	for b.Loop() {
		began := time.Now()
		if _, err := insight.Write(b.Context(), file, rules, &insight.End{}, nil); err != nil {
			b.Fatal(err)
		}
		judged := time.Now()
		if err := writeAll(b.Context(), file); err != nil {
			b.Fatal(err)
		}
		judging, writing = judging+judged.Sub(began), writing+time.Since(judged)
	}
	b.ReportMetric(float64(judging.Nanoseconds())/float64(b.N)/count, "judging-ns/page")
	b.ReportMetric(float64(writing.Nanoseconds())/float64(b.N)/count, "writing-ns/page")
	b.ReportMetric(judging.Seconds()/writing.Seconds(), "judging/writing")
}

func writeAll(ctx context.Context, file *store.File) error {
	for _, err := range file.Listed(ctx) {
		if err != nil {
			return err
		}
	}
	if err := report.WriteBrokenLinks(ctx, file, io.Discard, 1<<30); err != nil {
		return err
	}
	return report.WriteHTML(ctx, file, io.Discard, &report.HTMLOptions{Brief: true})
}
