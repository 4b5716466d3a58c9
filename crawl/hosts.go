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
	missing missingPages
}

// missingPages has a page for missing ones of each folder.
type missingPages struct {
	start string // the origin of the site itself
	mutex sync.Mutex
	pages map[string]*missingPage // by folder
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
		missing: missingPages{start: options.Site},
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
	return t.missing.digest(folder, func() uint64 {
		if response := t.requestMissing(ctx, folder); response != nil {
			return digestOf(response.Body, response.Header.Get("Content-Type"))
		}
		return 0
	})
}

// digest returns the digest of the missing page of a folder, which find finds once.
func (m *missingPages) digest(folder string, find func() uint64) uint64 {
	page, isNew := m.page(folder)
	if isNew {
		page.digest = find()
		close(page.ready)
	}
	<-page.ready
	return page.digest
}

// page returns the missing page of a folder, and whether the caller has to find it.
func (m *missingPages) page(folder string) (page *missingPage, isNew bool) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if page = m.pages[folder]; page != nil {
		return page, false
	}
	if m.pages == nil {
		m.pages = map[string]*missingPage{}
	}
	if len(m.pages) >= maxHosts {
		m.evictLocked()
	}
	page = &missingPage{ready: make(chan struct{})}
	m.pages[folder] = page
	return page, true
}

// evictLocked makes room for one more host. Hosts of other sites are seldom needed
// twice.
func (m *missingPages) evictLocked() {
	for folder := range m.pages {
		if urlnorm.Origin(folder) != m.start {
			delete(m.pages, folder)
			return
		}
	}
}

// requestMissing requests a page that cannot exist. It returns nil unless the host sends one
// that is read.
func (t *hostTable) requestMissing(ctx context.Context, folder string) *fetch.Response {
	var random [12]byte
	rand.Read(random[:])
	address := folder + hex.EncodeToString(random[:])
	rules := t.rules(ctx, urlnorm.Origin(folder))
	if !rules.Verdict(address).Allowed {
		return nil
	}
	response, err := t.fetcher.Fetch(ctx, &fetch.Request{URL: address, Delay: rules.Delay})
	if err != nil || !hasContent(response.Status) || response.Skipped {
		return nil
	}
	return response
}

// digestOf returns the digest of the text of an HTML document, or 0 without text.
func digestOf(body []byte, contentType string) uint64 {
	var scanner extract.Scanner
	page := scanner.Scan(body, contentType, extract.Options{})
	if page.Words == 0 {
		return 0
	}
	return page.Digest
}
