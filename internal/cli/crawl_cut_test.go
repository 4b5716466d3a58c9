package cli_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mapatools/mapa/internal/cli"
	"github.com/mapatools/mapa/internal/programtest"
)

// A fallingSite has a home page and 60 more, and drops every connection after so
// many requests.
type fallingSite struct{ left atomic.Int64 }

func (s *fallingSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.left.Add(-1) < 0 {
		panic(http.ErrAbortHandler)
	}
	w.Header().Set("Content-Type", "text/html")
	switch {
	case r.URL.Path == "/":
		for n := range 60 {
			fmt.Fprintf(w, "<a href='/page-%c%c'>page</a>", 'a'+n/10, 'a'+n%10)
		}
	case strings.HasPrefix(r.URL.Path, "/page-"):
		fmt.Fprintf(w, "<title>%s</title><p>all about %[1]s", r.URL.Path[1:])
	default:
		http.NotFound(w, r)
	}
}

// TestSiteFalls has the site stop answering in the middle of a first crawl, while
// that goes on, and in the middle of a second.
func TestSiteFalls(t *testing.T) {
	t.Parallel()
	programtest.SkipShort(t, "it waits for a site that does not answer")
	site := &fallingSite{}
	server := httptest.NewServer(site)
	t.Cleanup(server.Close)
	folder := t.TempDir()
	run := func(requests int64, code int) (stdout, stderr string) {
		t.Helper()
		site.left.Store(requests)
		var out, err bytes.Buffer
		args := []string{"crawl", server.URL + "/", "-o", folder, "--rate", "0", "--concurrency", "32"}
		if got := cli.Run(context.Background(), args, strings.NewReader(""), &out, &err); got != code {
			t.Errorf("exit code %d, want %d\n%s%s", got, code, &out, &err)
		}
		return out.String(), err.String()
	}
	holds := func(text string, wanted ...string) {
		t.Helper()
		for _, part := range wanted {
			if !strings.Contains(text, part) {
				t.Errorf("there is no %q in\n%s", part, text)
			}
		}
	}
	pages := func() int {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(folder, "sitemap.xml"))
		if err != nil {
			t.Fatal(err)
		}
		return strings.Count(string(text), "<loc>")
	}

	stdout, stderr := run(10, 3)
	holds(stdout, "The crawl did not finish: the site stopped answering: ", " URLs in a row")
	holds(stderr, "Run the same command again to continue where it stopped.")
	if strings.Contains(stdout, "broken URL") || pages() == 0 || pages() > 10 {
		t.Errorf("%d pages\n%s", pages(), stdout)
	}
	stdout, _ = run(0, 3)
	holds(stdout, "The crawl did not finish: the site does not answer.")
	run(1000, 0)
	if pages() != 61 {
		t.Errorf("%d pages", pages())
	}
	_, stderr = run(10, 3)
	holds(stderr, "the site stopped answering", "the sitemap of the previous crawl was not changed")
	run(1000, 0)
	if pages() != 61 {
		t.Errorf("%d pages", pages())
	}
}
