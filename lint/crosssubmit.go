package lint

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/mapatools/mapa/robots"
)

const (
	mostHosts     = 100 // whose robots.txt is asked for in one run
	robotsTimeout = 15 * time.Second
)

// A proof knows which sitemaps the hosts of a run name in their robots.txt.
type proof struct {
	mutex sync.Mutex
	hosts map[string]*named
}

type named struct {
	once     sync.Once
	sitemaps map[string]bool
}

// namedBy reports whether the robots.txt of a page's host names the sitemap, or
// the index that lists it, which allows it to list the page
// (https://www.sitemaps.org/protocol.html#sitemaps_cross_submits).
func (v *visit) namedBy(page *url.URL) bool {
	if v.file.Response == nil {
		return false
	}
	site := page.Scheme + "://" + page.Host + "/robots.txt"
	if v.file.Index == site {
		return true
	}
	sitemaps := v.proof.ask(v.ctx, site, v.options.Source.Client, v.options.Source.UserAgent)
	return sitemaps[v.file.Location] || sitemaps[v.file.Address()] || sitemaps[v.file.Index]
}

// ask returns the sitemaps that a robots.txt names; none when there are more
// hosts than anybody needs.
func (p *proof) ask(ctx context.Context, address string, client *http.Client, userAgent string) map[string]bool {
	p.mutex.Lock()
	if p.hosts == nil {
		p.hosts = map[string]*named{}
	}
	n := p.hosts[address]
	if n == nil {
		if len(p.hosts) == mostHosts {
			p.mutex.Unlock()
			return nil
		}
		n = &named{}
		p.hosts[address] = n
	}
	p.mutex.Unlock()
	n.once.Do(func() { n.sitemaps = fetchRobots(ctx, address, client, userAgent) })
	return n.sitemaps
}

func fetchRobots(ctx context.Context, address string, client *http.Client, userAgent string) map[string]bool {
	if client == nil {
		client = http.DefaultClient
	}
	ctx, cancel := context.WithTimeout(ctx, robotsTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil
	}
	request.Header.Set("User-Agent", userAgent)
	response, err := client.Do(request)
	if err != nil {
		return nil
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil
	}
	file, err := robots.Parse(io.LimitReader(response.Body, 1<<20))
	if err != nil {
		return nil
	}
	sitemaps := map[string]bool{}
	for _, line := range file.Sitemaps() {
		sitemaps[line.Value] = true
	}
	return sitemaps
}
