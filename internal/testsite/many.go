package testsite

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Many is a server of many small sites, each at a loopback address of its own, so that
// their hosts differ. It counts the requests for every page and is safe for concurrent
// use.
type Many struct {
	Sites, Pages int           // pages of each site
	Pause        time.Duration // before each answer
	// Hidden gives each site one page more, which only the site before it links to.
	Hidden bool
	// Net is the first number of the addresses, 127 when it is 0. A network that routes
	// another one to this machine reaches the sites from outside.
	Net int
	// Held, when positive, is the number of requests for pages of each site after which
	// answers wait for Release or HoldAt.
	Held int

	mutex    sync.Mutex
	held     int64
	released chan struct{}
	answered []atomic.Int64 // by site
	server   *http.Server
	port     int
	clients  []atomic.Value  // by site, the address of who requested it last
	turns    []atomic.Int64  // by site
	requests []atomic.Uint32 // by site and page
}

// Start serves the sites until Close.
func (m *Many) Start() error {
	listener, err := net.Listen("tcp4", "0.0.0.0:0")
	if err != nil {
		return err
	}
	m.port = listener.Addr().(*net.TCPAddr).Port
	m.requests = make([]atomic.Uint32, m.Sites*(m.Pages+1))
	m.clients, m.turns = make([]atomic.Value, m.Sites), make([]atomic.Int64, m.Sites)
	m.answered, m.released, m.held = make([]atomic.Int64, m.Sites), make(chan struct{}), int64(m.Held)
	m.server = &http.Server{Handler: m}
	go m.server.Serve(listener) //nolint:errcheck // it always returns an error
	return nil
}

// Close stops the server.
func (m *Many) Close() error { return m.server.Close() }

// Release lets the answers go that Held has kept back.
func (m *Many) Release() { m.HoldAt(0) }

// HoldAt lets them go and replaces Held.
func (m *Many) HoldAt(held int) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	close(m.released)
	m.held, m.released = int64(held), make(chan struct{})
}

// holding returns the present value of Held, and what is closed when that changes.
func (m *Many) holding() (held int64, changed <-chan struct{}) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return m.held, m.released
}

// Host returns the host of a site, from 0.
func (m *Many) Host(site int) string {
	site++
	return fmt.Sprintf("%d.%d.%d.%d:%d", cmp.Or(m.Net, 127), 1+site>>16, site>>8&255, site&255, m.port)
}

// URL returns the start of a site.
func (m *Many) URL(site int) string { return "http://" + m.Host(site) + "/" }

// Listed returns the URLs that the sitemap of a site lists.
func (m *Many) Listed(site int) []string {
	urls := []string{m.URL(site)}
	for page := 1; page < m.Pages; page++ {
		urls = append(urls, fmt.Sprintf("http://%s/page-%d", m.Host(site), page))
	}
	if m.Hidden {
		urls = append(urls, fmt.Sprintf("http://%s/page-%d", m.Host(site), m.Pages))
	}
	return urls
}

// Again returns the number of requests for pages of a site beyond the first of each.
func (m *Many) Again(site int) (again int) {
	for page := range m.Pages + 1 {
		again += max(0, int(m.requests[site*(m.Pages+1)+page].Load())-1)
	}
	return again
}

// Requested returns the number of pages of a site that were requested.
func (m *Many) Requested(site int) (pages int) {
	for page := range m.Pages + 1 {
		pages += min(1, int(m.requests[site*(m.Pages+1)+page].Load()))
	}
	return pages
}

// Turns returns how often the requests for a site came from another address than the one
// before.
func (m *Many) Turns(site int) int { return int(m.turns[site].Load()) }

// siteOf returns the site of a host, or -1.
func (m *Many) siteOf(host string) int {
	var first, high, middle, low, port int
	if _, err := fmt.Sscanf(host, "%d.%d.%d.%d:%d", &first, &high, &middle, &low, &port); err != nil {
		return -1
	}
	site := (high-1)<<16 + middle<<8 + low - 1
	if site >= m.Sites {
		return -1
	}
	return site
}

// waitWhileHeld waits until the answer with a number may be sent.
func (m *Many) waitWhileHeld(ctx context.Context, number int64) {
	for held, changed := m.holding(); held > 0 && number > held; held, changed = m.holding() {
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}

// ServeHTTP answers with a page that links to the three below it.
func (m *Many) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	site := m.siteOf(r.Host)
	page, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/page-"))
	known := err == nil && page > 0 && (page < m.Pages || m.Hidden && page == m.Pages)
	if site < 0 || r.URL.Path != "/" && !known {
		http.NotFound(w, r)
		return
	}
	m.requests[site*(m.Pages+1)+page].Add(1)
	if client, _, err := net.SplitHostPort(r.RemoteAddr); err == nil {
		if before := m.clients[site].Swap(client); before != nil && before != client {
			m.turns[site].Add(1)
		}
	}
	m.waitWhileHeld(r.Context(), m.answered[site].Add(1))
	if m.Pause > 0 {
		select {
		case <-time.After(m.Pause):
		case <-r.Context().Done():
		}
	}
	w.Header().Set("Content-Type", "text/html")
	fmt.Fprintf(w, "<title>Page %d of site %d</title><p>This is page %d of site %d.</p>", page, site, page, site)
	for below := 3*page + 1; below <= 3*page+3 && below < m.Pages; below++ {
		fmt.Fprintf(w, "<a href='/page-%d'>page %d</a>", below, below)
	}
	if m.Hidden && page == m.Pages-1 {
		fmt.Fprintf(w, "<a href='http://%s/page-%d'>the next site</a>", m.Host((site+1)%m.Sites), m.Pages)
	}
}
