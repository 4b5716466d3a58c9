//go:build unix

package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/mapatools/mapa/internal/testsite"
)

// TestClusterRetryAfter has a site ask its worker for a pause, by 503 and Retry-After. The
// worker ends, and the next one requests nothing before the end of the pause.
func TestClusterRetryAfter(t *testing.T) {
	t.Parallel()
	const pause = 3 * time.Second
	var refused, next atomic.Int64 // times of the answer that asks for the pause, and of the request after it
	isWaiting := make(chan struct{})
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		now := time.Now().UnixNano()
		first := refused.Load() == 0
		switch r.URL.Path {
		case "/":
			fmt.Fprint(w, `<title>Start</title><a href="/refused">1</a> <a href="/held">2</a>`)
		case "/refused":
			if first {
				refused.Store(now)
				w.Header().Set("Retry-After", fmt.Sprint(pause.Seconds()))
				w.WriteHeader(http.StatusServiceUnavailable)
			}
		case "/held":
			if next.Load() == 0 {
				close(isWaiting)
				<-r.Context().Done() // until its worker ends
			}
		case "/robots.txt": // which each worker requests first
			if !first {
				next.CompareAndSwap(0, now)
			}
			http.NotFound(w, r)
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(site.Close)
	c := newCluster(t, 1, &testsite.Many{})
	first := c.worker("first")
	folder := filepath.Join(c.folder, "results")
	submitted := c.mapa("crawl", site.URL, "--job", "pause", "-o", folder, "--concurrency", "1")
	if err := submitted.Start(); err != nil {
		t.Fatal(err)
	}
	<-isWaiting // the answer before it has been read: there is one request at a time
	if err := first.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	c.worker("second")
	if err := submitted.Wait(); err != nil {
		t.Error(err)
	}
	if waited := time.Duration(next.Load() - refused.Load()); waited < pause {
		t.Errorf("the second worker began %v after the refusal, before the %v of the pause", waited, pause)
	}
}
