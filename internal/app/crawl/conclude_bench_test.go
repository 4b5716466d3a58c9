package crawl

import (
	"flag"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/checks"
	"github.com/mapatools/mapa/internal/app/crawlfile"
	"github.com/mapatools/mapa/internal/app/outputs"
	"github.com/mapatools/mapa/internal/app/scope"
	"github.com/mapatools/mapa/internal/publish"
)

var benchPages = flag.Int("pages", 100_000, "pages of the crawl that BenchmarkConclude reads")

// BenchmarkConclude writes everything that a crawl leaves in its folder:
//
//	go test ./internal/app/crawl -run '^$' -bench Conclude -benchtime 3x -args -pages 1000000
func BenchmarkConclude(b *testing.B) {
	folder := b.TempDir()
	written, err := outputs.ReadWrittenFiles(folder, folder, nil)
	if err != nil {
		b.Fatal(err)
	}
	about := crawl.Meta{Start: "https://site.example/", Options: crawlfile.Meta{}.String()}
	file, err := openCrawl(folder, about, written, false, false)
	if err != nil {
		b.Fatal(err)
	}
	defer file.close()
	if err := appendPages(b, file, *benchPages); err != nil {
		b.Fatal(err)
	}
	rules, err := new(checks.RuleSettings).Rules(nil)
	if err != nil {
		b.Fatal(err)
	}
	run := crawlRun{
		app: &app.App{}, folder: folder, settings: &Settings{},
		publish: publish.Options{Folder: folder, MaxShrink: 100}, rules: rules,
		unused: scope.NewUnused(&crawl.Scope{}),
	}
	judging := time.Duration(0)
	for b.Loop() {
		result, err := run.conclude(b.Context(), file, crawl.Progress{Pages: *benchPages}, nil)
		if err != nil || result.Listed < *benchPages*9/10 {
			b.Fatal(result, err)
		}
		b.StopTimer()
		began := time.Now()
		if err := run.judge(b.Context(), file, result); err != nil {
			b.Fatal(err)
		}
		judging += time.Since(began)
		b.StartTimer()
	}
	perMillion := 1e6 / float64(b.N) / float64(*benchPages)
	b.ReportMetric(b.Elapsed().Seconds()*perMillion, "s/million")
	b.ReportMetric(judging.Seconds()*perMillion, "judging-s/million")
	if files, _ := filepath.Glob(filepath.Join(folder, "*")); len(files) < 3 {
		b.Error(files)
	}
}

// appendPages fills a crawl file with pages that link to ten others each. One in a
// thousand is a broken link.
func appendPages(b *testing.B, file *crawlFile, pages int) error {
	address := func(i int) string {
		if i == 1 {
			return "https://site.example/"
		}
		return fmt.Sprintf("https://site.example/section-%d/%x/a-page-of-some-length-%d.html",
			i*7919%1000, i*2654435761%(1<<31), i)
	}
	for from := 1; from <= pages; from += 250 {
		var c crawl.Commit
		for i := from; i < from+250 && i <= pages; i++ {
			c.Found = append(c.Found, crawl.Link{ID: crawl.ID(i), URL: address(i), From: crawl.ID(i/10 + 1), Depth: 3})
			page := crawl.Page{
				ID: crawl.ID(i), Time: time.Unix(1e9, 0), Status: 200, MediaType: "text/html", Size: 100, Transferred: 100,
				Title: fmt.Sprintf("Page %d", i), Digest: uint64(i), Body: uint64(i), Words: 10, Language: "en",
			}
			if i%1000 == 999 {
				page.Status, page.Reason, page.Detail = 404, crawl.ReasonClientError,
					crawl.NewDetail(crawl.DetailStatus, "Not Found")
			}
			for link := range 10 {
				page.Links = append(page.Links, crawl.Edge{To: crawl.ID((i*31+link*link*977)%pages + 1), Text: "a link"})
			}
			c.Done = append(c.Done, page)
		}
		if err := file.Append(b.Context(), c); err != nil {
			return err
		}
	}
	return file.Finish(b.Context())
}
