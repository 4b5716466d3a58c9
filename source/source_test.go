package source_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/source"
)

const urlset = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>http://a.example/%s</loc></url></urlset>`

// site serves sitemaps: /page/NAME lists one page, /deep/N an index of itself
// one level deeper, anything else what files holds.
func site(t *testing.T, files map[string]string) (address string, asked func(path string) int) {
	var mutex sync.Mutex
	counts := map[string]int{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mutex.Lock()
		counts[r.URL.Path]++
		mutex.Unlock()
		host := "http://" + r.Host
		if name, ok := strings.CutPrefix(r.URL.Path, "/page/"); ok {
			fmt.Fprintf(w, urlset, name)
			return
		}
		if level, ok := strings.CutPrefix(r.URL.Path, "/deep/"); ok {
			fmt.Fprint(w, index(host+"/page/"+level, host+"/deep/"+level+"x"))
			return
		}
		text, ok := files[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		fmt.Fprint(w, strings.ReplaceAll(text, "HOST", host))
	}))
	t.Cleanup(server.Close)
	return server.URL, func(path string) int {
		mutex.Lock()
		defer mutex.Unlock()
		return counts[path]
	}
}

func index(locs ...string) string {
	var b strings.Builder
	b.WriteString(`<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`)
	for _, loc := range locs {
		b.WriteString("<sitemap><loc>" + loc + "</loc></sitemap>")
	}
	b.WriteString("</sitemapindex>")
	return b.String()
}

// list returns the pages and the errors that a source leads to.
func list(t *testing.T, options *source.Options, sources ...string) (pages []string, failed []error) {
	t.Helper()
	for file, err := range source.Sitemaps(context.Background(), sources, options) {
		if err != nil {
			failed = append(failed, err)
			continue
		}
		for entry, err := range file.Entries() {
			if err != nil {
				failed = append(failed, err)
				continue
			}
			pages = append(pages, strings.TrimPrefix(string(entry.Loc), "http://a.example/"))
		}
	}
	return pages, failed
}

func TestOrderAndOnce(t *testing.T) {
	host, asked := site(t, map[string]string{
		"/index.xml": index("HOST/page/1", "HOST/inner.xml", "HOST/page/4", "HOST/page/1", "HOST/index.xml"),
		"/inner.xml": index("HOST/page/2", "HOST/page/3", "HOST/index.xml"),
	})
	pages, failed := list(t, nil, host+"/index.xml", host+"/page/5", host+"/page/5")
	if want := []string{"1", "2", "3", "4", "5"}; !slices.Equal(pages, want) || len(failed) > 0 {
		t.Errorf("pages %v, errors %v, want %v", pages, failed, want)
	}
	for _, path := range []string{"/index.xml", "/inner.xml", "/page/1", "/page/2"} {
		if n := asked(path); n != 1 {
			t.Errorf("%s was requested %d times", path, n)
		}
	}
}

// A network answers requests without one.
type network func(r *http.Request) string

func (n network) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(n(r))), Request: r}, nil
}

// TestSpellings takes what an index lists for its own host, and once, however the
// address is spelled.
func TestSpellings(t *testing.T) {
	var asked atomic.Int32
	transport := network(func(r *http.Request) string {
		if r.URL.Path != "/index.xml" {
			asked.Add(1)
			return fmt.Sprintf(urlset, r.URL.Path[1:])
		}
		return index("http://xn--bcher-kva.example/1", "HTTP://B\u00dcCHER.example:80/1#top",
			"https://b\u00fccher.example:443/2", "http://other.example/3")
	})
	pages, failed := list(t, &source.Options{Access: access.Access{Transport: transport}}, "http://b\u00fccher.example/index.xml")
	if !slices.Equal(pages, []string{"1", "2"}) || asked.Load() != 2 {
		t.Errorf("pages %v, %d asked for", pages, asked.Load())
	}
	if len(failed) != 1 || !errors.Is(failed[0], source.ErrOtherHost) {
		t.Errorf("errors %v", failed)
	}
}

// TestCodingNotRequested names the compression that makes a sitemap unreadable, and
// goes by the bytes where the header lies.
func TestCodingNotRequested(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "br")
		if r.URL.Path == "/lie.xml" {
			fmt.Fprintf(w, urlset, "1")
			return
		}
		fmt.Fprint(w, "\x0b\x02\x80abc\x03")
	}))
	t.Cleanup(server.Close)
	pages, failed := list(t, nil, server.URL+"/sitemap.xml", server.URL+"/lie.xml")
	if !slices.Equal(pages, []string{"1"}) || len(failed) != 1 ||
		!strings.Contains(failed[0].Error(), `Content-Encoding "br"`) {
		t.Errorf("pages %v, errors %v", pages, failed)
	}
}

func TestTooDeep(t *testing.T) {
	host, _ := site(t, nil)
	pages, failed := list(t, nil, host+"/deep/x")
	if want := []string{"x", "xx", "xxx", "xxxx"}; !slices.Equal(pages, want) {
		t.Errorf("pages %v, want %v", pages, want)
	}
	if len(failed) != 2 || !errors.Is(failed[0], source.ErrTooDeep) || !errors.Is(failed[1], source.ErrTooDeep) {
		t.Errorf("errors %v", failed)
	}
}

func TestBrokenChild(t *testing.T) {
	host, _ := site(t, map[string]string{"/index.xml": index("HOST/gone.xml", "HOST/page/1",
		"http://other.example/s.xml")})
	pages, failed := list(t, nil, host+"/index.xml")
	if !slices.Equal(pages, []string{"1"}) || len(failed) != 2 {
		t.Fatalf("pages %v, errors %v", pages, failed)
	}
	var where *source.Error
	var status *source.StatusError
	if !errors.As(failed[0], &where) || where.Index != host+"/index.xml" || !errors.As(failed[0], &status) ||
		status.Status != 404 {
		t.Errorf("first error %v", failed[0])
	}
	if !errors.Is(failed[1], source.ErrOtherHost) {
		t.Errorf("second error %v", failed[1])
	}
}

func TestMixed(t *testing.T) {
	host, _ := site(t, map[string]string{
		"/mixed.xml": `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>http://a.example/1</loc></url><sitemap><loc>HOST/page/2</loc></sitemap></urlset>`,
	})
	pages, failed := list(t, nil, host+"/mixed.xml")
	if !slices.Equal(pages, []string{"1"}) || len(failed) != 1 || !errors.Is(failed[0], source.ErrMixed) {
		t.Errorf("pages %v, errors %v", pages, failed)
	}
}

// TestURLs reads pages with all that is wrong with their sitemaps, and stops early.
func TestURLs(t *testing.T) {
	host, _ := site(t, map[string]string{
		"/index.xml": index("HOST/gone.xml", "HOST/part.xml"),
		"/part.xml": `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` +
			`<url><loc>http://a.example/1</loc><lastmod>yesterday</lastmod></url><url><loc>http://a.example/2</loc></url></urlset>`,
	})
	options := &source.Options{Indexes: true}
	var got []string
	for u, err := range source.URLs(t.Context(), []string{host + "/index.xml"}, options) {
		var where *source.Error
		if err != nil && !errors.As(err, &where) {
			t.Fatal(err)
		}
		switch {
		case u == nil:
			got = append(got, "no "+strings.TrimPrefix(where.Location, host))
		case err != nil:
			got = append(got, "wrong "+u.Loc)
		default:
			got = append(got, u.Loc)
		}
	}
	if want := []string{"no /gone.xml", "wrong http://a.example/1", "http://a.example/2"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	for range source.URLs(t.Context(), []string{host + "/index.xml"}, options) {
		break
	}
	if !options.Indexes {
		t.Error("the options changed")
	}
}

func TestSince(t *testing.T) {
	host, asked := site(t, map[string]string{
		"/index.xml": strings.ReplaceAll(index("HOST/page/old", "HOST/page/new"), "old</loc>",
			"old</loc><lastmod>2020-01-01</lastmod>"),
	})
	pages, _ := list(t, &source.Options{Since: time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)}, host+"/index.xml")
	if !slices.Equal(pages, []string{"new"}) || asked("/page/old") > 0 {
		t.Errorf("pages %v", pages)
	}
}

// TestStopEarly ends the iteration in the middle: the files opened ahead are
// given up, and the next run is not disturbed.
func TestStopEarly(t *testing.T) {
	host, _ := site(t, map[string]string{"/index.xml": index("HOST/page/1", "HOST/page/2", "HOST/page/3")})
	for file, err := range source.Sitemaps(context.Background(), []string{host + "/index.xml"}, nil) {
		if err != nil {
			t.Fatal(err)
		}
		if err := file.Close(); err != nil {
			t.Fatal(err)
		}
		break
	}
	if pages, failed := list(t, nil, host+"/index.xml"); len(pages) != 3 || len(failed) > 0 {
		t.Errorf("pages %v, errors %v", pages, failed)
	}
}

func TestCancelled(t *testing.T) {
	host, _ := site(t, nil)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for file, err := range source.Sitemaps(ctx, []string{host + "/page/1"}, nil) {
		if err == nil {
			file.Close()
			t.Error("a file in spite of the cancelled context")
		}
		if !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	}
}

// TestInterrupted ends with its context while standard input waits.
func TestInterrupted(t *testing.T) {
	in, out := io.Pipe()
	defer out.Close()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		io.WriteString(out, "<urlset xmlns=")
		cancel()
	}()
	var last error
	for file, err := range source.Sitemaps(ctx, []string{"-"}, &source.Options{Stdin: in}) {
		if last = err; err != nil {
			continue
		}
		for _, err := range file.Entries() {
			last = err
		}
		file.Close()
	}
	if !errors.Is(last, context.Canceled) {
		t.Errorf("the last error is %v", last)
	}
}
