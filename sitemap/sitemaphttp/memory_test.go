package sitemaphttp_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mapatools/mapa/sitemap"
	"github.com/mapatools/mapa/sitemap/sitemaphttp"
)

const base = "https://example.com/"

// A memory is a source whose rows and errors a test changes.
type memory struct {
	mutex  sync.Mutex
	rows   []sitemaphttp.Row // in the order of their keys; replaced, never changed
	failAt int               // the row at which it fails instead; 0 never
	err    error             // what it fails with
	calls  int
	before func(ctx context.Context, keys sitemaphttp.Range) // called before the first row
}

func (m *memory) Rows(ctx context.Context, keys sitemaphttp.Range) iter.Seq2[*sitemaphttp.Row, error] {
	return func(yield func(*sitemaphttp.Row, error) bool) {
		m.mutex.Lock()
		m.calls++
		rows, failAt, err, before := m.rows, m.failAt, m.err, m.before
		m.mutex.Unlock()
		if before != nil {
			before(ctx, keys)
		}
		for i := range rows {
			if failAt > 0 && i >= failAt {
				yield(nil, err)
				return
			}
			if keys.Contains(rows[i].Key) && !yield(&rows[i], nil) {
				return
			}
		}
	}
}

// change changes the source under its lock.
func (m *memory) change(f func(*memory)) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	f(m)
}

// insert adds a row at its place.
func (m *memory) insert(row sitemaphttp.Row) {
	m.change(func(m *memory) {
		i, _ := slices.BinarySearchFunc(m.rows, row.Key, func(r sitemaphttp.Row, k sitemaphttp.Key) int {
			return r.Key.Compare(k)
		})
		m.rows = slices.Insert(slices.Clone(m.rows), i, row)
	})
}

// integers returns a source of n rows whose keys are first, first+1 and so on.
func integers(first, n int) *memory {
	m := &memory{}
	for i := range n {
		m.rows = append(m.rows, intRow(first+i))
	}
	return m
}

var may = time.Date(2024, time.May, 1, 12, 0, 0, 0, time.UTC)

func intRow(key int) sitemaphttp.Row {
	return sitemaphttp.Row{Key: sitemaphttp.Int(int64(key)), URL: sitemap.URL{
		Loc:     fmt.Sprintf("https://example.com/posts/%d", key),
		LastMod: sitemap.DateOf(may.Add(time.Duration(key) * time.Second)),
	}}
}

// texts returns a source of n rows whose keys are text that looks random.
func texts(n int) *memory {
	m := &memory{}
	for i := range n {
		key := fmt.Sprintf("%08x", uint32(i)*2654435761)
		m.rows = append(m.rows, sitemaphttp.Row{Key: sitemaphttp.Text(key), URL: sitemap.URL{Loc: base + "p/" + key}})
	}
	slices.SortFunc(m.rows, func(a, b sitemaphttp.Row) int { return a.Key.Compare(b.Key) })
	return m
}

// start returns a handler that has read its rows once, and ends with the test.
func start(t testing.TB, options *sitemaphttp.Options, sections ...sitemaphttp.Section) *sitemaphttp.Handler {
	t.Helper()
	h := open(t, options, sections...)
	if err := h.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	return h
}

// open returns a handler that ends with the test and logs nothing.
func open(t testing.TB, options *sitemaphttp.Options, sections ...sitemaphttp.Section) *sitemaphttp.Handler {
	t.Helper()
	if options == nil {
		options = &sitemaphttp.Options{}
	}
	if options.Logger == nil {
		options.Logger = slog.New(slog.DiscardHandler)
	}
	h, err := sitemaphttp.New(base, sections, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	return h
}

// ask sends a request, whose headers are pairs of name and value.
func ask(h http.Handler, method, path string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, base+strings.TrimPrefix(path, "/"), nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Add(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// get returns the body of a file, and the response.
func get(t testing.TB, h http.Handler, path string, header ...string) (string, *httptest.ResponseRecorder) {
	t.Helper()
	w := ask(h, "GET", path, header...)
	if w.Code != http.StatusOK {
		t.Fatalf("GET %s: %d %s", path, w.Code, w.Body)
	}
	if w.Header().Get("Content-Encoding") != "gzip" {
		return w.Body.String(), w
	}
	unzip, err := gzip.NewReader(bytes.NewReader(w.Body.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(unzip)
	if err != nil {
		t.Fatal(err)
	}
	return string(text), w
}

// locs returns the locations in a file. The faults of a small file are errors.
func locs(t testing.TB, text string) []string {
	t.Helper()
	var found []string
	if len(text) > 200_000 {
		for entry := range strings.SplitSeq(text, "<loc>") {
			if loc, _, isEntry := strings.Cut(entry, "</loc>"); isEntry {
				found = append(found, strings.ReplaceAll(loc, "&amp;", "&"))
			}
		}
		return found
	}
	for entry, err := range sitemap.NewReader(strings.NewReader(text), &sitemap.ReaderOptions{Strict: true}).Entries() {
		if err != nil {
			t.Fatalf("%v in %.300s", err, text)
		}
		found = append(found, string(entry.Loc))
	}
	return found
}

// parts returns the paths of the files that the index lists.
func parts(t testing.TB, h http.Handler) []string {
	t.Helper()
	text, _ := get(t, h, "/sitemap.xml")
	var paths []string
	for _, loc := range locs(t, text) {
		paths = append(paths, "/"+strings.TrimPrefix(loc, base))
	}
	return paths
}

// pages returns the pages of all parts, in the order of the index.
func pages(t testing.TB, h http.Handler) []string {
	t.Helper()
	var found []string
	for _, path := range parts(t, h) {
		text, _ := get(t, h, path, "Accept-Encoding", "gzip")
		found = append(found, locs(t, text)...)
	}
	return found
}

// tags returns the entity tags of all parts.
func tags(t testing.TB, h http.Handler) map[string]string {
	t.Helper()
	found := map[string]string{}
	for _, path := range parts(t, h) {
		found[path] = ask(h, "HEAD", path).Header().Get("ETag")
	}
	return found
}

// listed returns the locations of a source's rows.
func (m *memory) listed() []string {
	var found []string
	for _, row := range m.rows {
		found = append(found, row.Loc)
	}
	return found
}
