package main

import (
	"context"
	"encoding/xml"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"syscall"
	"time"

	"github.com/mapatools/mapa/sitemap"
	"github.com/mapatools/mapa/sitemap/sitemaphttp"
)

// A fullPage is a page as a program declares it for encoding/xml.
type fullPage struct {
	Loc        string    `xml:"loc"`
	LastMod    time.Time `xml:"lastmod,omitempty"`
	ChangeFreq string    `xml:"changefreq,omitempty"`
	Priority   float32   `xml:"priority,omitempty"`
}

type fullSet struct {
	XMLName xml.Name   `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
	URLs    []fullPage `xml:"url"`
}

// compareCPU compares what the handler itself costs a row with encoding/xml: the rows
// are in memory, and nothing is compressed, cached or sent.
func compareCPU() error {
	rows := make([]sitemaphttp.Row, partSize)
	pages := make([]fullPage, partSize)
	for i := range rows {
		loc, date := base+"posts/post-"+strconv.Itoa(i), time.Unix(1_700_000_000+int64(i), 0).UTC()
		rows[i] = sitemaphttp.Row{Key: sitemaphttp.Int(int64(i)), URL: sitemap.URL{Loc: loc,
			LastMod: sitemap.DateOf(date), ChangeFreq: sitemap.ChangeFreqDaily, Priority: sitemap.PriorityOf(0.8)}}
		pages[i] = fullPage{loc, date, "daily", 0.8}
	}
	source := sitemaphttp.SourceFunc(func(context.Context, sitemaphttp.Range) iter.Seq2[*sitemaphttp.Row, error] {
		return func(yield func(*sitemaphttp.Row, error) bool) {
			for i := range rows {
				if !yield(&rows[i], nil) {
					return
				}
			}
		}
	})
	h, err := sitemaphttp.New(base, []sitemaphttp.Section{{Name: "posts", Source: source}},
		&sitemaphttp.Options{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	defer h.Close()
	if err := h.Refresh(context.Background()); err != nil {
		return err
	}
	ours, err := cpuOf(func() error {
		w := &discard{header: http.Header{}}
		h.ServeHTTP(w, httptest.NewRequest("GET", base+"sitemap-posts-0.xml", nil))
		if w.bytes < 50*partSize {
			return fmt.Errorf("the handler wrote %d bytes", w.bytes)
		}
		return nil
	})
	if err != nil {
		return err
	}
	theirs, err := cpuOf(func() error { return xml.NewEncoder(io.Discard).Encode(fullSet{URLs: pages}) })
	if err != nil {
		return err
	}
	fmt.Printf("CPU a row: %.0f ns, encoding/xml %.0f ns: %.1f times less (at least 10)\n", ours, theirs, theirs/ours)
	return nil
}

// discard is a response that nobody reads.
type discard struct {
	header http.Header
	bytes  int
}

func (d *discard) Header() http.Header         { return d.header }
func (d *discard) WriteHeader(int)             {}
func (d *discard) Write(b []byte) (int, error) { d.bytes += len(b); return len(b), nil }

// cpuOf returns the nanoseconds of CPU that a part's work takes for each row.
func cpuOf(work func() error) (float64, error) {
	const rounds = 200
	for range 10 {
		if err := work(); err != nil {
			return 0, err
		}
	}
	before := cpuTime()
	for range rounds {
		if err := work(); err != nil {
			return 0, err
		}
	}
	return float64((cpuTime() - before).Nanoseconds()) / rounds / partSize, nil
}

// cpuTime returns the processor time of this process.
func cpuTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
