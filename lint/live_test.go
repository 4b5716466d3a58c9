package lint_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/mapatools/mapa/lint"
)

// A gate is a site that counts what is asked of it at once.
type gate struct {
	mutex      sync.Mutex
	asked      map[string]int
	under, top int
	stop       func()
}

func (g *gate) Get(_ context.Context, url string, _ int64) (*lint.Answer, error) {
	g.mutex.Lock()
	g.asked[url]++
	g.under++
	g.top = max(g.top, g.under)
	if g.stop != nil && len(g.asked) == 20 {
		g.stop()
	}
	g.mutex.Unlock()
	defer func() {
		g.mutex.Lock()
		g.under--
		g.mutex.Unlock()
	}()
	return &lint.Answer{Status: http.StatusNotFound, Header: http.Header{}}, nil
}

func gateSitemap(t *testing.T, pages int) string {
	t.Helper()
	var b strings.Builder
	b.WriteString(head)
	for i := range pages {
		fmt.Fprintf(&b, "<url><loc>https://example.com/%d</loc></url>\n", i)
	}
	b.WriteString("</urlset>")
	path := filepath.Join(t.TempDir(), "sitemap.xml")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestAsking wants every page of a sample, or of all, asked for once, in no more
// requests at a time than allowed, and the findings in the order of the lines.
func TestAsking(t *testing.T) {
	path := gateSitemap(t, 3000)
	for sample, want := range map[int]int{0: 200, 7: 7, -1: 3000} {
		g := &gate{asked: map[string]int{}}
		options := lint.Options{Live: g, Sample: sample, Concurrency: 3, MaxPerRule: -1, Enable: []string{"page-4xx"}}
		lines, last := 0, 0
		for f, err := range newLinter(t, options).Check(t.Context(), path) {
			if err != nil {
				t.Fatal(err)
			}
			if f.Line < last {
				t.Errorf("line %d behind %d", f.Line, last)
			}
			last = f.Line
			lines++
		}
		if lines != want || len(g.asked) != want {
			t.Errorf("sample %d: %d findings, %d pages asked for, want %d", sample, lines, len(g.asked), want)
		}
		for url, n := range g.asked {
			if n != 1 {
				t.Errorf("%s asked for %d times", url, n)
			}
		}
		if g.top > 3 {
			t.Errorf("%d requests at once", g.top)
		}
	}
}

// TestAskingEnds wants an end soon after the caller has had enough.
func TestAskingEnds(t *testing.T) {
	path := gateSitemap(t, 3000)
	g := &gate{asked: map[string]int{}}
	for range newLinter(t, lint.Options{Live: g, Sample: -1, Enable: []string{"page-4xx"}}).Check(t.Context(), path) {
		break
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	h := &gate{asked: map[string]int{}, stop: cancel}
	var failed error
	for _, err := range newLinter(t, lint.Options{Live: h, Sample: -1, Enable: []string{"page-4xx"}}).Check(ctx, path) {
		failed = err
	}
	if failed == nil {
		t.Error("a cancelled check ends without an error")
	}
	for _, n := range []int{len(g.asked), len(h.asked)} {
		if n > 200 {
			t.Errorf("%d pages asked for", n)
		}
	}
}
