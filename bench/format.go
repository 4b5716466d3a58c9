package main

import (
	"bytes"
	"encoding/xml"
	"io"
	"strconv"
	"time"

	"github.com/mapatools/mapa/sitemap"
)

// A pageURL is how Go programs declare a URL to write.
type pageURL struct {
	Loc        string     `xml:"loc"`
	LastMod    *time.Time `xml:"lastmod,omitempty"`
	ChangeFreq string     `xml:"changefreq,omitempty"`
	Priority   float32    `xml:"priority,omitempty"`
}

type pageSet struct {
	XMLName xml.Name   `xml:"urlset"`
	Space   string     `xml:"xmlns,attr"`
	URLs    []*pageURL `xml:"url"`
}

// Pages are the same URLs in both sides' own form.
type pages struct {
	ours   []*sitemap.URL
	theirs []*pageURL
}

func makePages(n int) pages {
	var p pages
	for i := range n {
		p.add(string(appendLoc(nil, i)), modified(i), pick(i, 5, frequencies), pick(i, 6, priorities))
	}
	return p
}

func (p *pages) add(loc string, date time.Time, frequency, priority string) {
	weight, _ := strconv.ParseFloat(priority, 64)
	p.ours = append(p.ours, &sitemap.URL{
		Loc:        loc,
		LastMod:    sitemap.DateOf(date),
		ChangeFreq: sitemap.ChangeFreq(frequency),
		Priority:   sitemap.PriorityOf(weight),
	})
	p.theirs = append(p.theirs, &pageURL{Loc: loc, LastMod: &date, ChangeFreq: frequency, Priority: float32(weight)})
}

// write writes one file with Mapa.
func write(w io.Writer, urls []*sitemap.URL) error {
	writer := sitemap.NewWriter(w)
	for _, u := range urls {
		if err := writer.Write(u); err != nil {
			return err
		}
	}
	return writer.Close()
}

func (b *bench) format() error {
	p := makePages(b.size.urls)
	if err := sameContent(p); err != nil {
		return err
	}
	did := work{urls: b.size.urls}
	return b.compare(contest{
		name:      "format URLs, against encoding/xml",
		required:  20,
		base:      func() (work, error) { return did, encode(io.Discard, pageSet{Space: sitemapSpace, URLs: p.theirs}) },
		candidate: func() (work, error) { return did, write(io.Discard, p.ours) },
	})
}

// sameContent reads back what both sides write.
func sameContent(p pages) error {
	var theirs, ours bytes.Buffer
	if err := encode(&theirs, pageSet{Space: sitemapSpace, URLs: p.theirs}); err != nil {
		return err
	}
	if err := write(&ours, p.ours); err != nil {
		return err
	}
	want, err := tokens(&theirs)
	if err != nil {
		return err
	}
	got, err := tokens(&ours)
	if err != nil {
		return err
	}
	return agree(got, want)
}
