package crawl

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"sync"

	"github.com/mapatools/mapa/internal/extract"
	"github.com/mapatools/mapa/internal/fetch"
	"github.com/mapatools/mapa/internal/urlnorm"
)

// maxHosts bounds how many hosts the table keeps.
const maxHosts = 1024

// A hostTable keeps what the crawl knows about every host before it requests the
// first page: the robots.txt, and the page that the host shows for missing ones.
type hostTable struct {
	fetcher fetch.Fetcher
	robots  *fetch.Robots
	start   string // the origin of the site itself
	mutex   sync.Mutex
	missing map[string]*missingPage // by folder
}

// A missingPage is what a site shows with status 200 for pages that do not exist.
type missingPage struct {
	ready  chan struct{} // closed when digest is set
	digest uint64        // 0 when the host answers as it should
}

func newHostTable(fetcher fetch.Fetcher, options fetch.RobotsOptions) *hostTable {
	options.CapDelay = true
	return &hostTable{
		fetcher: fetcher,
		robots:  fetch.NewRobots(fetcher, &options),
		start:   options.Site,
		missing: map[string]*missingPage{},
	}
}

// rules returns what the robots.txt of an origin asks for. The file is requested
// once.
func (t *hostTable) rules(ctx context.Context, origin string) *fetch.Rules {
	return t.robots.Rules(ctx, origin)
}

// missingDigest requests a page that cannot exist, once for each folder, and
// returns the digest of what the host shows for it with status 200, or 0.
func (t *hostTable) missingDigest(ctx context.Context, folder string) uint64 {
	page, isNew := t.missingPage(folder)
	if isNew {
		page.digest = t.requestMissing(ctx, folder)
		close(page.ready)
	}
	<-page.ready
	return page.digest
}

// missingPage returns the missing page of a folder, and whether the caller has to request
// it.
func (t *hostTable) missingPage(folder string) (page *missingPage, isNew bool) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if page = t.missing[folder]; page != nil {
		return page, false
	}
	if len(t.missing) >= maxHosts {
		t.evictLocked()
	}
	page = &missingPage{ready: make(chan struct{})}
	t.missing[folder] = page
	return page, true
}

// evictLocked makes room for one more host. Hosts of other sites are seldom needed
// twice.
func (t *hostTable) evictLocked() {
	for folder := range t.missing {
		if urlnorm.Origin(folder) != t.start {
			delete(t.missing, folder)
			return
		}
	}
}

func (t *hostTable) requestMissing(ctx context.Context, folder string) uint64 {
	var random [12]byte
	rand.Read(random[:])
	address := folder + hex.EncodeToString(random[:])
	rules := t.rules(ctx, urlnorm.Origin(folder))
	if !rules.Verdict(address).Allowed {
		return 0
	}
	response, err := t.fetcher.Fetch(ctx, &fetch.Request{URL: address, Delay: rules.Delay})
	if err != nil || !hasContent(response.Status) || response.Skipped {
		return 0
	}
	var scanner extract.Scanner
	page := scanner.Scan(response.Body, response.Header.Get("Content-Type"), extract.Options{})
	if page.Words == 0 {
		return 0
	}
	return page.Digest
}
