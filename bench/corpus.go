package main

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// hash spreads a number (the finaliser of SplitMix64), so that every record is
// different and every run is the same.
func hash(i int) uint64 {
	x := uint64(i)*0x9e3779b97f4a7c15 + 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

func pick[T any](i int, salt uint64, from []T) T {
	return from[(hash(i)^salt*0x2545f4914f6cdd1d)%uint64(len(from))]
}

var (
	sections    = []string{"garden", "kitchen", "living-room", "office", "outdoor", "lighting", "sale"}
	things      = []string{"oak-bench", "chair", "shelf", "desk-lamp", "rug", "coffee-table", "mirror", "wardrobe"}
	accents     = []string{"niños", "café", "señales", "größe", "東京", "été", "mañana"}
	frequencies = []string{"daily", "weekly", "monthly", "weekly", "weekly"}
	priorities  = []string{"0.5", "0.8", "0.5", "1.0", "0.3"}
)

// appendLoc appends the address of page i.
func appendLoc(dst []byte, i int) []byte {
	dst = append(dst, "https://www.example.com/"...)
	dst = append(append(dst, pick(i, 1, sections)...), '/')
	dst = append(append(dst, pick(i, 2, things)...), '-')
	dst = strconv.AppendInt(dst, int64(i), 10)
	return append(dst, ".html"...)
}

// appendForeignLoc appends an address as it is in XML, with entities and
// letters outside of ASCII.
func appendForeignLoc(dst []byte, i int) []byte {
	dst = append(dst, "https://www.example.com/"...)
	dst = append(append(dst, pick(i, 3, accents)...), '/')
	dst = append(append(dst, pick(i, 2, things)...), "?id="...)
	dst = strconv.AppendInt(dst, int64(i), 10)
	return append(append(dst, "&amp;lang=es&amp;q="...), pick(i, 4, accents)...)
}

// modified is the time at which page i changed last.
func modified(i int) time.Time {
	const from, span = 1_600_000_000, 150_000_000
	return time.Unix(from+int64(hash(i)%span), 0).UTC()
}

// appendFields appends what follows the location in the usual layout.
func appendFields(dst []byte, i int) []byte {
	dst = append(dst, "    <lastmod>"...)
	dst = modified(i).AppendFormat(dst, "2006-01-02T15:04:05-07:00")
	dst = append(dst, "</lastmod>\n    <changefreq>"...)
	dst = append(dst, pick(i, 5, frequencies)...)
	dst = append(dst, "</changefreq>\n    <priority>"...)
	dst = append(dst, pick(i, 6, priorities)...)
	return append(dst, "</priority>\n"...)
}

// A record appends URL i of a sitemap.
type record func(dst []byte, i int) []byte

func plainRecord(dst []byte, i int) []byte {
	dst = appendLoc(append(dst, "  <url>\n    <loc>"...), i)
	return append(appendFields(append(dst, "</loc>\n"...), i), "  </url>\n"...)
}

func foreignRecord(dst []byte, i int) []byte {
	dst = appendForeignLoc(append(dst, "  <url>\n    <loc>"...), i)
	return append(appendFields(append(dst, "</loc>\n"...), i), "  </url>\n"...)
}

const (
	head = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"` +
		` xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"` +
		` xmlns:video="http://www.google.com/schemas/sitemap-video/1.1"` +
		` xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"` +
		` xmlns:xhtml="http://www.w3.org/1999/xhtml">
`
	tail = "</urlset>\n"
)

// A stream is a sitemap of any length that is made while it is read.
type stream struct {
	record   record
	next, to int
	pending  []byte
	buf      []byte
	opened   bool
	closed   bool
}

// newStream returns the sitemap of URLs from, inclusive, to to, exclusive.
func newStream(r record, from, to int) *stream { return &stream{record: r, next: from, to: to} }

func (s *stream) Read(p []byte) (int, error) {
	if len(s.pending) == 0 && !s.refill() {
		return 0, io.EOF
	}
	n := copy(p, s.pending)
	s.pending = s.pending[n:]
	return n, nil
}

func (s *stream) refill() bool {
	if s.closed {
		return false
	}
	s.buf = s.buf[:0]
	if !s.opened {
		s.buf, s.opened = append(s.buf, head...), true
	}
	for ; s.next < s.to && len(s.buf) < 32<<10; s.next++ {
		s.buf = s.record(s.buf, s.next)
	}
	if s.next >= s.to {
		s.buf, s.closed = append(s.buf, tail...), true
	}
	s.pending = s.buf
	return true
}

// input writes a stream to a file of the run and returns its path.
func (b *bench) input(name string, s *stream) (string, error) {
	path := filepath.Join(b.dir, name)
	file, err := os.Create(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	out := bufio.NewWriterSize(file, 256<<10)
	if _, err := io.Copy(out, s); err != nil {
		return "", err
	}
	return path, out.Flush()
}
