package crawl

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/mapatools/mapa/internal/fetch"
)

// robotsOnly answers every request with one robots.txt.
type robotsOnly string

func (r robotsOnly) Fetch(context.Context, *fetch.Request) (*fetch.Response, error) {
	return &fetch.Response{Status: http.StatusOK, Body: []byte(r)}, nil
}

func TestCrawlDelay(t *testing.T) {
	const site = "https://a.example"
	for lines, want := range map[string][2]time.Duration{ // of the site, and of another
		"":                                     {},
		"User-agent: *\nCrawl-delay: 5\n":      {5 * time.Second, 5 * time.Second},
		"User-agent: *\nCrawl-delay: 86400\n":  {24 * time.Hour, time.Minute},
		"User-agent: mapa\nCrawl-delay: 120\n": {2 * time.Minute, time.Minute},
	} {
		hosts := newHostTable(robotsOnly(lines), fetch.RobotsOptions{Site: site})
		own, other := hosts.rules(t.Context(), site).Delay, hosts.rules(t.Context(), "https://b.example").Delay
		if got := [2]time.Duration{own, other}; got != want {
			t.Errorf("%q: %v, want %v", lines, got, want)
		}
	}
}
