package sitemap_test

import (
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"testing"
	"time"

	"github.com/mapatools/mapa/sitemap"
)

// benchURLs are entries as a shop has them, with the pair of changefreq and
// priority and the day changing now and then.
func benchURLs() []sitemap.URL {
	frequencies := []sitemap.ChangeFreq{sitemap.ChangeFreqDaily, sitemap.ChangeFreqWeekly, sitemap.ChangeFreqMonthly}
	urls := make([]sitemap.URL, 1000)
	for i := range urls {
		urls[i] = sitemap.URL{
			Loc:        fmt.Sprintf("https://www.example.com/category-%d/some-product-with-a-name-%06d.html", i%17, i),
			LastMod:    sitemap.DateOf(noon.Add(time.Duration(i) * time.Hour).In(time.FixedZone("", 3600))),
			ChangeFreq: frequencies[i/10%3],
			Priority:   sitemap.PriorityOf(float64(i/10%10) / 10),
		}
	}
	return urls
}

// endless are limits that a benchmark does not reach.
var endless = sitemap.Limits{URLs: math.MaxInt, Bytes: math.MaxInt64}

// BenchmarkWrite formats one entry for each b.N, the output thrown away.
func BenchmarkWrite(b *testing.B) {
	benchmarkWrite(b, benchURLs())
}

// BenchmarkWriteEncoded does the same with addresses to encode and to escape.
func BenchmarkWriteEncoded(b *testing.B) {
	urls := benchURLs()
	for i := range urls {
		urls[i].Loc += "?ä=ö&b=ü"
	}
	benchmarkWrite(b, urls)
}

func benchmarkWrite(b *testing.B, urls []sitemap.URL) {
	w := sitemap.NewWriter(io.Discard, &sitemap.WriterOptions{Limits: endless})
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		if err := w.Write(&urls[i%len(urls)]); err != nil {
			b.Fatal(err)
		}
		i++
	}
	b.SetBytes(w.Size() / int64(w.Count()))
}

// BenchmarkWriteEncodingXML is what BenchmarkWrite is measured against.
func BenchmarkWriteEncodingXML(b *testing.B) {
	type entry struct {
		XMLName    xml.Name `xml:"url"`
		Loc        string   `xml:"loc"`
		LastMod    string   `xml:"lastmod,omitempty"`
		ChangeFreq string   `xml:"changefreq,omitempty"`
		Priority   *float64 `xml:"priority,omitempty"`
	}
	urls := benchURLs()
	encoder := xml.NewEncoder(io.Discard)
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		u := &urls[i%len(urls)]
		priority, _ := u.Priority.Value()
		if err := encoder.Encode(entry{Loc: u.Loc, LastMod: u.LastMod.String(), ChangeFreq: string(u.ChangeFreq),
			Priority: &priority}); err != nil {
			b.Fatal(err)
		}
		i++
	}
}

// TestWriteAllocatesNothing holds the steady state that the benchmark shows.
func TestWriteAllocatesNothing(t *testing.T) {
	urls := benchURLs()
	for i := range urls {
		if i%2 == 0 {
			urls[i].Loc += "?ä=ö&b=ü"
		}
	}
	w := sitemap.NewWriter(io.Discard, &sitemap.WriterOptions{Limits: endless})
	i := 0
	perRun := testing.AllocsPerRun(5000, func() {
		if err := w.Write(&urls[i%len(urls)]); err != nil {
			t.Fatal(err)
		}
		i++
	})
	if perRun != 0 {
		t.Errorf("%v allocations an entry", perRun)
	}
}
