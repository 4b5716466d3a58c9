package fetch

import (
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"
)

// TestSilentHost checks pages of a host that answers for robots.txt and then never
// again. The check must not wait for every page.
func TestSilentHost(t *testing.T) {
	var requests atomic.Int32
	done := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/robots.txt" {
			requests.Add(1)
			<-done
		}
	}))
	defer server.Close()
	defer close(done)
	var reported []string
	client := quick(t, Options{Timeouts: Timeouts{Answer: 100 * time.Millisecond}, PerHost: 100})
	site := NewSite(client, func(text string) { reported = append(reported, text) })
	failed, skipped := 0, 0
	for range 3 * maxUnanswered {
		switch answer, err := site.Get(t.Context(), server.URL+"/page", 1); {
		case err != nil:
			failed++
		case answer.Skipped != "":
			skipped++
		}
	}
	if requests.Load() != maxUnanswered || failed != maxUnanswered || skipped != 2*maxUnanswered || len(reported) != 1 {
		t.Errorf("%d requests, %d failed, %d skipped, reported %q", requests.Load(), failed, skipped, reported)
	}
}
