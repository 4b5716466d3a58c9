package store

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
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

// sitePages is how many pages BenchmarkCrawl crawls.
const sitePages = 2000

// BenchmarkCrawl crawls a site in this process into a file, and again where no page has changed since.
func BenchmarkCrawl(b *testing.B) {
	run := func(b *testing.B, previous crawl.Previous) *File {
		f, _ := create(b)
		_, err := crawl.Run(b.Context(), f, &crawl.Options{
			Start: "https://site.example/", Local: crawl.Local{Transport: roundTrip(answerPage)}, Previous: previous,
		})
		if err != nil {
			b.Fatal(err)
		}
		return f
	}
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			closeFile(b, run(b, nil))
		}
		b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*sitePages), "µs/page")
	})
	b.Run("unchanged", func(b *testing.B) {
		previous := reopen(b, run(b, nil), true)
		if err := previous.KeepReading(); err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			closeFile(b, run(b, previous))
		}
		b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*sitePages), "µs/page")
		closeFile(b, previous)
	})
}

// answerPage answers with a page of some kilobytes: 20 links of a menu, 13 that are spread over the site, and one to
// the next page.
func answerPage(r *http.Request) *http.Response {
	answer := &http.Response{StatusCode: http.StatusOK, Request: r, Body: http.NoBody}
	answer.Header = http.Header{"Etag": {`"1"`}}
	number := 0
	if _, err := fmt.Sscanf(r.URL.Path, "/page-%d", &number); err != nil && r.URL.Path != "/" || number >= sitePages {
		answer.StatusCode = http.StatusNotFound
		return answer
	}
	if r.Header.Get("If-None-Match") != "" {
		answer.StatusCode = http.StatusNotModified
		return answer
	}
	var body bytes.Buffer
	fmt.Fprintf(&body, "<html lang=en><title>Page %d</title><main><p>%[1]d %s</p>", number, strings.Repeat("words of it ", 200))
	for i := range 34 {
		to := i
		if i >= 20 {
			to = (number + (i-20)*(i-20)*97 + i - 19) % sitePages
		}
		fmt.Fprintf(&body, `<a href="/page-%d">A link to page %[1]d</a> `, to)
	}
	answer.Header.Set("Content-Type", "text/html")
	answer.Body = io.NopCloser(&body)
	return answer
}

type roundTrip func(*http.Request) *http.Response

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r), nil }
