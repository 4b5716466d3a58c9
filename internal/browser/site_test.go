package browser

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mapatools/mapa/crawl/render"
	"github.com/mapatools/mapa/internal/programtest"
)

// startTest starts a browser, without its sandbox if that does not work: root runs the tests, or the
// machine has no user namespaces.
func startTest(t testing.TB, o Options) *Browser {
	t.Helper()
	programtest.SkipShort(t, "it starts a browser")
	if _, err := Find(o.Path); err != nil {
		programtest.Missing(t, "a browser is missing: apt-get install "+DebianPackage)
	}
	o.NoSandbox, o.UserAgent = os.Geteuid() == 0, "Mapa-test"
	b, err := Start(t.Context(), o)
	if errors.Is(err, ErrSandbox) {
		o.NoSandbox = true
		b, err = Start(t.Context(), o)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

// errForbidden is what the transport of a test says about other hosts.
var errForbidden = errors.New("not of the site")

// hosts are those that a site answers for.
var hosts = []string{"site.test", "sub.site.test", "other.test"}

// A site is a transport that answers for hosts without a network, and notes
// what it is asked.
type site struct {
	http.Handler
	mu    sync.Mutex
	asked []string // METHOD URL, with "frame" for those of frames
	seen  []http.Header
}

// Admit lets every request pass.
func (s *site) Admit(*http.Request) error { return nil }

func (s *site) RoundTrip(r *http.Request) (*http.Response, error) {
	line := r.Method + " " + r.URL.String()
	if render.IsFrame(r.Context()) {
		line = "frame " + line
	}
	s.mu.Lock()
	s.asked = append(s.asked, line)
	s.seen = append(s.seen, r.Header)
	s.mu.Unlock()
	if host := r.URL.Hostname(); !slices.Contains(hosts, host) {
		return nil, errForbidden
	}
	w := httptest.NewRecorder()
	done := make(chan struct{})
	go func() { defer close(done); s.ServeHTTP(w, r) }()
	select {
	case <-done:
		return w.Result(), nil
	case <-r.Context().Done():
		return nil, context.Cause(r.Context())
	}
}

// serve answers with files, named by their paths.
func serve(files map[string]string) *site {
	return &site{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, ok := files[r.URL.Path]
		switch {
		case !ok:
			http.NotFound(w, r)
			return
		case strings.HasSuffix(r.URL.Path, ".js"):
			w.Header().Set("Content-Type", "text/javascript")
		case strings.HasSuffix(r.URL.Path, ".css"):
			w.Header().Set("Content-Type", "text/css")
		case strings.HasSuffix(r.URL.Path, ".html"):
			w.Header().Set("Content-Type", "text/html")
		}
		fmt.Fprint(w, text)
	})}
}

// page returns a page of HTML.
func page(address, text string) render.Page {
	return render.Page{
		URL: address, Body: []byte("<!doctype html><meta charset=utf-8><title>Page</title>" + text),
		Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}},
	}
}

// renderIn renders a page that must not fail.
func renderIn(t *testing.T, b *Browser, p render.Page, s *site) *render.Result {
	t.Helper()
	r, err := b.Render(t.Context(), p, s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// groupOf returns the number of the group of processes that a browser has now.
func groupOf(b *Browser) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.current.command.Process.Pid
}

// processes returns the processes of a browser.
func processes(b *Browser) []string {
	var pids []string
	group := groupOf(b)
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		stat, err := os.ReadFile("/proc/" + e.Name() + "/stat")
		if err != nil {
			continue
		}
		_, rest, _ := strings.Cut(string(stat), ") ")
		var state string
		var parent, of int
		_, _ = fmt.Sscan(rest, &state, &parent, &of)
		if of == group && state != "Z" {
			pids = append(pids, e.Name())
		}
	}
	return pids
}
