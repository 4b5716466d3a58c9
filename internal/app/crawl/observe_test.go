package crawl

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app"
)

// TestObserve reports broken URLs with the page that links to them, and how many pages
// were found at each depth, also those of an earlier run.
func TestObserve(t *testing.T) {
	t.Parallel()
	ctx, interrupt := context.WithCancelCause(t.Context())
	var up atomic.Bool
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, err := strconv.Atoi(r.URL.Path[1:])
		if err != nil && r.URL.Path != "/" || n%2 == 1 {
			http.NotFound(w, r)
			return
		}
		if n == 8 && !up.Load() {
			interrupt(InterruptSuspend)
			<-r.Context().Done()
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<title>%[1]d</title><p>page %[1]d", n)
		if n < 10 {
			fmt.Fprintf(w, "<a href=/%d>a</a><a href=/%d>b</a>", n+1, n+2)
		}
	}))
	defer site.Close()
	folder := t.TempDir()
	for run := range 2 {
		found, on := map[string]string{}, 0
		var depths []int64
		a := &app.App{Verbose: true, OnEvent: func(e app.Event) {
			switch e := e.(type) {
			case BrokenFound:
				found[e.URL], on = e.On, on+1
				if e.Status != http.StatusNotFound || e.Reason != crawl.ReasonClientError {
					t.Errorf("%+v", e)
				}
			case PagesFound:
				depths = e.Depths
			}
		}}
		settings := NewSettings()
		settings.Output, settings.Access.Rate = folder, access.PerSecond(0)
		result, err := RunSite(ctx, a, site.URL, settings)
		if run == 0 {
			if cut, ok := errors.AsType[*CutError](err); !ok || cut.Outage || result != nil {
				t.Fatalf("suspended: %+v, %v", result, err)
			}
			up.Store(true)
			ctx = t.Context()
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{1, 3, 5, 7, 9} {
			from := fmt.Sprintf("%s/%d", site.URL, n-1)
			if n == 1 {
				from = site.URL + "/"
			}
			if got := found[fmt.Sprintf("%s/%d", site.URL, n)]; got != from {
				t.Errorf("page %d is linked from %q, want %s", n, got, from)
			}
		}
		if on != len(found) || int64(on) != result.Broken || len(depths) < 5 || depths[0] != 1 || depths[1] != 2 {
			t.Errorf("%d reports of %d broken URLs, %d in the result; depths %v", on, len(found), result.Broken, depths)
		}
	}
}
