package sitemaphttp_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mapatools/mapa/sitemap"
	"github.com/mapatools/mapa/sitemap/sitemaphttp"
)

var errLost = errors.New("connection lost")

// TestSourceFails fails after some rows: nothing that was read before may become a
// sitemap, neither of a scan nor of a part.
func TestSourceFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		source := integers(1, 20_000)
		h := start(t, &sitemaphttp.Options{Logger: slog.New(slog.NewTextHandler(&log, nil))},
			sitemaphttp.Section{Name: "s", Source: source})
		before := tags(t, h)
		get(t, h, "/sitemap-s-0.xml", "Accept-Encoding", "gzip")
		source.change(func(m *memory) { m.failAt, m.err = 15_000, errLost })
		for _, encoding := range []string{"gzip", "identity"} {
			w := ask(h, "GET", "/sitemap-s-10000.xml", "Accept-Encoding", encoding)
			if w.Code != 503 || strings.Contains(w.Body.String(), "<") || w.Header().Get("Cache-Control") != "no-store" ||
				w.Header().Get("Retry-After") == "" || w.Header().Get("ETag") != "" {
				t.Errorf("%s: %d %v %.100s", encoding, w.Code, w.Header(), w.Body)
			}
		}
		if !strings.Contains(log.String(), "sitemap-s-10000.xml") || !strings.Contains(log.String(), errLost.Error()) {
			t.Errorf("the log does not name the file and the error: %s", &log)
		}
		get(t, h, "/sitemap-s-0.xml", "Accept-Encoding", "gzip") // from the cache
		if err := h.Refresh(t.Context()); !errors.Is(err, errLost) {
			t.Errorf("Refresh: %v", err)
		}
		time.Sleep(time.Hour)
		source.change(func(m *memory) { m.failAt = 0 })
		if after := tags(t, h); !slices.Equal(differences(before, after), nil) {
			t.Error("the index changed while the source failed")
		}
		source.insert(intRow(20_001))
		time.Sleep(20 * time.Minute) // longer than any pause
		synctest.Wait()
		if got := pages(t, h); len(got) != 20_001 {
			t.Errorf("%d pages after the source works again", len(got))
		}
	})
}

// TestSourceFailsFirst has no sitemap to fall back on.
func TestSourceFailsFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source := &memory{rows: integers(1, 20_000).rows, failAt: 10, err: errLost}
		h := open(t, nil, sitemaphttp.Section{Name: "s", Source: source})
		if w := ask(h, "GET", "/sitemap.xml"); w.Code != 503 {
			t.Errorf("%d", w.Code)
		}
		time.Sleep(7 * 24 * time.Hour)
		synctest.Wait()
		if source.calls < 1_000 || source.calls > 1_020 {
			t.Errorf("%d scans in a week, want one in ten minutes and a few at first", source.calls)
		}
		source.change(func(m *memory) { m.failAt = 0 })
		time.Sleep(20 * time.Minute)
		synctest.Wait()
		if got := parts(t, h); len(got) != 3 {
			t.Errorf("parts %q", got)
		}
	})
}

// TestBrokenSources yield what the rules of Source forbid.
func TestBrokenSources(t *testing.T) {
	url := func(key sitemaphttp.Key) sitemaphttp.Row {
		return sitemaphttp.Row{Key: key, URL: sitemap.URL{Loc: base + key.String()}}
	}
	for _, test := range []struct {
		name string
		rows []sitemaphttp.Row
		want string
	}{
		{"descending", []sitemaphttp.Row{intRow(2), intRow(1)}, "do not ascend"},
		{"twice the same", []sitemaphttp.Row{intRow(1), intRow(1)}, "do not ascend"},
		{"twice the same text", []sitemaphttp.Row{url(sitemaphttp.Text("a")), url(sitemaphttp.Text("a"))}, "do not ascend"},
		{"no key", []sitemaphttp.Row{{URL: sitemap.URL{Loc: base}}}, "no key"},
		{"both kinds", []sitemaphttp.Row{intRow(1), url(sitemaphttp.Text("a"))}, "integers and texts"},
	} {
		h := open(t, nil, sitemaphttp.Section{Name: "s", Source: &memory{rows: test.rows}})
		if err := h.Refresh(t.Context()); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		}
	}
	panics := &memory{before: func(context.Context, sitemaphttp.Range) { panic("no") }}
	h := open(t, nil, sitemaphttp.Section{Name: "s", Source: panics})
	if err := h.Refresh(t.Context()); err == nil || !strings.Contains(err.Error(), "panic: no") {
		t.Errorf("a panic is the error %v", err)
	}
	many := integers(1, 60_000)
	h = open(t, nil, sitemaphttp.Section{Name: "s", Source: many, PartSize: 1})
	if err := h.Refresh(t.Context()); !errors.Is(err, sitemap.ErrTooManySitemaps) {
		t.Errorf("60,000 parts: %v", err)
	}
}

// blocking makes a source wait before parts, not scans, until the channel is closed
// or its context ends. It counts the sequences that began and that were cancelled.
func blocking(m *memory) (release chan struct{}, began, cancelled *atomic.Int32) {
	release, began, cancelled = make(chan struct{}), &atomic.Int32{}, &atomic.Int32{}
	m.change(func(m *memory) {
		m.before = func(ctx context.Context, keys sitemaphttp.Range) {
			if keys == (sitemaphttp.Range{}) {
				return
			}
			began.Add(1)
			select {
			case <-release:
			case <-ctx.Done():
				cancelled.Add(1)
			}
		}
	})
	return release, began, cancelled
}

func TestRequestsShareARendering(t *testing.T) {
	for _, encoding := range []string{"gzip", "identity"} {
		synctest.Test(t, func(t *testing.T) {
			source := integers(1, 20_000)
			release, began, _ := blocking(source)
			h := start(t, nil, sitemaphttp.Section{Name: "s", Source: source})
			var all sync.WaitGroup
			for range 20 {
				all.Go(func() { get(t, h, "/sitemap-s-0.xml", "Accept-Encoding", encoding) })
			}
			synctest.Wait()
			close(release)
			all.Wait()
			if n := began.Load(); n != 1 {
				t.Errorf("%s: 20 requests at once read the rows %d times", encoding, n)
			}
			get(t, h, "/sitemap-s-0.xml", "Accept-Encoding", encoding)
			if n := began.Load(); (n == 1) != (encoding == "gzip") {
				t.Errorf("%s: one more request: the rows were read %d times", encoding, n)
			}
		})
	}
}

// TestCancelledRequests leaves a rendering alone as long as somebody waits for it.
func TestCancelledRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source := integers(1, 20_000)
		release, began, cancelled := blocking(source)
		h := start(t, nil, sitemaphttp.Section{Name: "s", Source: source})
		request := func() (cancel context.CancelFunc, code chan int) {
			ctx, cancel := context.WithCancel(t.Context())
			code = make(chan int, 1)
			go func() {
				w := httptest.NewRecorder()
				h.ServeHTTP(w, httptest.NewRequestWithContext(ctx, "GET", base+"sitemap-s-0.xml", nil))
				code <- w.Code
			}()
			synctest.Wait()
			return cancel, code
		}
		cancelFirst, first := request()
		cancelSecond, second := request()
		cancelFirst()
		if code := <-first; code == 200 || cancelled.Load() != 0 {
			t.Errorf("first: %d, %d renderings cancelled", code, cancelled.Load())
		}
		cancelSecond()
		<-second
		synctest.Wait()
		if cancelled.Load() != 1 {
			t.Errorf("%d renderings cancelled after the last request", cancelled.Load())
		}
		_, third := request()
		close(release)
		if code := <-third; code != 200 || began.Load() != 2 {
			t.Errorf("third: %d, %d renderings", code, began.Load())
		}
	})
}

// TestRenderingIsBounded requests many parts at once.
func TestRenderingIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source := integers(1, 9_999)
		release, began, _ := blocking(source)
		h := start(t, nil, sitemaphttp.Section{Name: "s", Source: source, PartSize: 1_000})
		var all sync.WaitGroup
		for _, path := range parts(t, h) {
			all.Go(func() { get(t, h, path) })
		}
		synctest.Wait()
		if n := began.Load(); n != 4 {
			t.Errorf("%d parts are rendered at once, want 4", n)
		}
		close(release)
		all.Wait()
		if n := began.Load(); n != 10 {
			t.Errorf("%d parts were rendered of 10", n)
		}
	})
}

// TestRefresh counts the scans of callers, some of whom wait for the same one.
func TestRefresh(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source := integers(1, 10)
		hold := make(chan struct{})
		source.before = func(ctx context.Context, _ sitemaphttp.Range) { <-hold }
		h := open(t, nil, sitemaphttp.Section{Name: "s", Source: source})
		synctest.Wait() // the first scan runs
		source.insert(intRow(11))
		var all sync.WaitGroup
		for range 10 {
			all.Go(func() {
				if err := h.Refresh(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := h.Refresh(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("with a cancelled context: %v", err)
		}
		synctest.Wait()
		close(hold)
		all.Wait()
		if source.calls != 2 {
			t.Errorf("ten callers during the first scan led to %d scans", source.calls-1)
		}
		if got := locs(t, ask(h, "GET", "/sitemap.xml").Body.String()); len(got) != 11 {
			t.Errorf("%d pages", len(got))
		}
	})
}

// TestTimeToLive lets time pass.
func TestTimeToLive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source := integers(1, 10)
		h := open(t, &sitemaphttp.Options{Refresh: time.Hour}, sitemaphttp.Section{Name: "s", Source: source})
		count := func() int { return len(locs(t, ask(h, "GET", "/sitemap.xml").Body.String())) }
		if n := count(); n != 10 {
			t.Errorf("%d pages at first", n)
		}
		source.insert(intRow(11))
		time.Sleep(59 * time.Minute)
		if n := count(); n != 10 && n != 11 {
			t.Errorf("%d pages before the time", n)
		}
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		if n := count(); n != 11 {
			t.Errorf("%d pages after the time", n)
		}
		if source.calls > 5 {
			t.Errorf("the rows were read %d times", source.calls)
		}
	})
}

// TestClose ends a scan and a rendering that wait for ever.
func TestClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source := integers(1, 20_000)
		_, _, cancelled := blocking(source)
		h := start(t, nil, sitemaphttp.Section{Name: "s", Source: source})
		answered := make(chan int)
		go func() { answered <- ask(h, "GET", "/sitemap-s-0.xml").Code }()
		synctest.Wait()
		h.Close()
		if code := <-answered; code != 503 || cancelled.Load() != 1 {
			t.Errorf("%d, %d renderings cancelled", code, cancelled.Load())
		}
		if w := ask(h, "GET", "/sitemap.xml"); w.Code != 503 {
			t.Errorf("after Close: %d", w.Code)
		}
		if err := h.Refresh(t.Context()); !errors.Is(err, sitemaphttp.ErrClosed) {
			t.Errorf("Refresh after Close: %v", err)
		}
		h.Close()
	})
}

func TestNews(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		article := func(key int, age time.Duration) sitemaphttp.Row {
			row := intRow(key)
			row.LastMod = sitemap.Date{} // which is after the clock of this test
			row.News = []sitemap.News{{PublicationName: "Example", PublicationLanguage: "en", Title: "News",
				PublicationDate: time.Now().Add(-age).Format(time.RFC3339)}}
			return row
		}
		source := &memory{rows: []sitemaphttp.Row{article(1, 72*time.Hour), article(2, 49*time.Hour),
			article(3, 47*time.Hour), article(4, time.Hour), intRow(5)}}
		for i := range 3_000 {
			source.rows = append(source.rows, article(20_000+i, time.Hour))
		}
		invalid := map[sitemaphttp.Key]bool{}
		h := start(t, &sitemaphttp.Options{OnInvalid: func(_ string, r *sitemaphttp.Row, _ error) { invalid[r.Key] = true }},
			sitemaphttp.Section{Name: "news", Source: source, News: true})
		got := pages(t, h)
		if len(got) != 3_002 || got[0] != source.rows[2].Loc || len(invalid) != 1 {
			t.Errorf("%d articles, the first is %s; %d invalid", len(got), got[0], len(invalid))
		}
		for _, path := range parts(t, h) {
			if text, _ := get(t, h, path); len(locs(t, text)) > 1_000 {
				t.Errorf("%s has %d articles", path, len(locs(t, text)))
			}
		}
		time.Sleep(70 * time.Minute)
		synctest.Wait()
		if got := pages(t, h); len(got) != 3_001 {
			t.Errorf("%d articles 70 minutes later, want one less", len(got))
		}
	})
}
