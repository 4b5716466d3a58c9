package crawl

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/mapatools/mapa/internal/extract"
	"github.com/mapatools/mapa/internal/fetch"
	"github.com/mapatools/mapa/robots"
)

// productToken is what robots.txt calls the crawler (RFC 9309, section 2.2.1).
const productToken = "Mapa"

// mostHosts bounds what is remembered of other sites: a robots.txt may have half
// a megabyte.
const mostHosts = 1024

// longestDelay bounds the Crawl-delay of hosts other than the start's: that of a
// site which is only linked to could hold up the whole crawl for days.
const longestDelay = time.Minute

// A hostTable knows the robots.txt and the page for missing pages of every host,
// and asks for each once.
type hostTable struct {
	fetcher fetch.Fetcher
	start   string // the origin of the site itself
	ignore  bool   // robots.txt
	mutex   sync.Mutex
	hosts   map[string]*host
}

// A host is what is known of one before its first page is asked for.
type host struct {
	robotsOnce  sync.Once
	file        *robots.File
	group       *robots.Group
	delay       time.Duration
	down        error // why robots.txt could not be asked for
	withheld    bool  // robots.txt could not be asked for, or the server failed to deliver it
	missingOnce sync.Once
	missing     uint64 // digest of the page that stands for missing ones; 0 is none
}

func newHostTable(fetcher fetch.Fetcher, start string, ignore bool) *hostTable {
	return &hostTable{fetcher: fetcher, start: start, ignore: ignore, hosts: map[string]*host{}}
}

func (t *hostTable) get(origin string) *host {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	h := t.hosts[origin]
	if h != nil {
		return h
	}
	if len(t.hosts) >= mostHosts {
		t.forgetOne()
	}
	h = &host{}
	t.hosts[origin] = h
	return h
}

// forgetOne makes room: hosts of other sites are seldom asked for twice.
func (t *hostTable) forgetOne() {
	for origin := range t.hosts {
		if origin != t.start {
			delete(t.hosts, origin)
			return
		}
	}
}

// rules returns the host with its robots.txt, which is asked for once.
func (t *hostTable) rules(ctx context.Context, origin string) *host {
	h := t.get(origin)
	h.robotsOnce.Do(func() {
		h.file, h.withheld, h.down = t.fetchRobots(ctx, origin)
		h.group = h.file.Group(productToken)
		if h.delay, _ = h.group.CrawlDelay(); origin != t.start {
			h.delay = min(h.delay, longestDelay)
		}
		if t.ignore {
			h.group = robots.AllowAll("robots.txt is ignored, as asked").Group(productToken)
		}
	})
	return h
}

func (t *hostTable) fetchRobots(ctx context.Context, origin string) (file *robots.File, withheld bool, down error) {
	follower := fetch.Follow(t.fetcher, robots.MaxRedirects)
	response, err := follower.Fetch(ctx, &fetch.Request{URL: origin + "/robots.txt", Limit: robots.ReadLimit + 1, AnyType: true})
	switch {
	case errors.Is(err, fetch.TooManyRedirects), errors.Is(err, fetch.RedirectLoop), errors.Is(err, fetch.BadRedirect):
		return robots.AllowAll("robots.txt redirects without end"), false, nil
	case err != nil:
		return robots.Unreachable(err), true, err
	}
	return robots.FromResponse(response.Status, bytes.NewReader(response.Body)), response.Status >= 500, nil
}

// missingDigest asks once for an address that cannot exist and returns the
// digest of what the host shows with status 200 in its place, or 0.
func (t *hostTable) missingDigest(ctx context.Context, origin string) uint64 {
	h := t.rules(ctx, origin)
	h.missingOnce.Do(func() {
		var random [12]byte
		rand.Read(random[:])
		path := "/" + hex.EncodeToString(random[:])
		if !h.group.Verdict(path).Allowed {
			return
		}
		response, err := t.fetcher.Fetch(ctx, &fetch.Request{URL: origin + path, Delay: h.delay})
		if err != nil || response.Status != http.StatusOK || response.Skipped {
			return
		}
		var scanner extract.Scanner
		if page := scanner.Scan(response.Body, response.Header.Get("Content-Type"), extract.Options{}); page.Words > 0 {
			h.missing = page.Digest
		}
	})
	return h.missing
}
