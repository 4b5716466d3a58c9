package crawl

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/mapatools/mapa/internal/fetch"
)

// benchmarkBody is a page of 100 links: most to known pages, some with parameters,
// some to other sites, one new.
func benchmarkBody(n int) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "<html lang=en><title>Page %d</title><main><p>%s</p>", n, strings.Repeat("some words of a text ", 200))
	for i := range 70 {
		fmt.Fprintf(&b, `<a href="/section/page-%c%c.html">A link to page %d</a> `, 'a'+i%26, 'a'+i/26, i)
	}
	for i := range 20 {
		fmt.Fprintf(&b, `<a href="list?page=%d&amp;utm_source=x">list</a> `, i)
	}
	for i := range 9 {
		fmt.Fprintf(&b, `<a href="https://other%d.example/">other</a> `, i)
	}
	fmt.Fprintf(&b, `<a href="/new/%x">new</a></main>`, n)
	return []byte(b.String())
}

// BenchmarkProcess takes pages through every step except fetch.
func BenchmarkProcess(b *testing.B) {
	site, err := newSite(&Options{Start: "https://site.example/", Traps: Traps{SameContent: -1}})
	if err != nil {
		b.Fatal(err)
	}
	defer site.client.Close()
	w := newWorker(newState(site))
	bodies := make([][]byte, 256)
	for i := range bodies {
		bodies[i] = benchmarkBody(i)
	}
	header := http.Header{"Content-Type": {"text/html; charset=utf-8"}, "Date": {"Tue, 10 Mar 2026 12:00:01 GMT"}}
	b.ReportAllocs()
	for n := 0; b.Loop(); n++ {
		w.reset()
		answer := fetched{
			item:     item{id: ID(n + 2), url: "https://site.example/section/page", depth: 1},
			page:     Page{ID: ID(n + 2), Time: time.Now()},
			response: &fetch.Response{Status: http.StatusOK, Header: header, Body: bodies[n%len(bodies)]},
		}
		answer.describe()
		content := w.extract(&answer)
		verdict := w.judge(&answer, &content, 0)
		result := w.resolve(&answer, &content, &verdict)
		w.beginLocked(&answer.item)
		w.settle(&result)
		if len(w.pending.Done) >= commitPages {
			w.pending = batch{Commit: Commit{Done: w.pending.Done[:0], Found: w.pending.Found[:0]}}
		}
	}
}
