package store

import (
	"os"
	"testing"

	"github.com/mapatools/mapa/crawl"
)

const pagesACommit = 1000

func BenchmarkAppend(b *testing.B) {
	for _, bench := range []struct {
		name string
		site site
	}{
		{"bare", site{pages: pagesACommit}},
		{"26links", site{pages: pagesACommit, links: 26}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			f, name := create(b)
			number := 0
			for b.Loop() {
				b.StopTimer()
				commit := bench.site.commit(number)
				b.StartTimer()
				if err := f.Append(b.Context(), commit); err != nil {
					b.Fatal(err)
				}
				number++
			}
			b.StopTimer()
			pages := float64(number * pagesACommit)
			b.ReportMetric(pages/b.Elapsed().Seconds(), "pages/s")
			closeFile(b, f)
			info, err := os.Stat(name)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(info.Size())/pages, "B/page")
		})
	}
}

func BenchmarkReplay(b *testing.B) {
	b.ReportAllocs()
	f, _ := create(b)
	s := site{pages: pagesACommit, links: 26}
	for number := range 100 {
		if err := f.Append(b.Context(), s.commit(number)); err != nil {
			b.Fatal(err)
		}
	}
	var pages int
	for b.Loop() {
		err := f.Replay(b.Context(), func(c crawl.Commit) error {
			pages += len(c.Done)
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(pages)/b.Elapsed().Seconds(), "pages/s")
	closeFile(b, f)
}
