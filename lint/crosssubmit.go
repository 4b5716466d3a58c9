package lint

import (
	"context"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mapatools/mapa/robots"
	"github.com/mapatools/mapa/source"
)

const (
	mostHosts     = 100 // whose robots.txt is asked for in one run
	mostSilent    = 10  // that may let the run wait in vain
	robotsTimeout = 15 * time.Second
)

// A proof knows the robots.txt of the hosts of a run, each asked for once.
type proof struct {
	mutex  sync.Mutex
	hosts  map[string]*asked
	silent atomic.Int32
}

type asked struct {
	once sync.Once
	file *robots.File // nil where there is none
}

// namedBy reports whether the robots.txt of a page's host names the sitemap, or
// the index that lists it, which allows it to list the page
// (https://www.sitemaps.org/protocol.html#sitemaps_cross_submits).
func (v *visit) namedBy(page *url.URL) bool {
	if v.file.Response == nil || isPrivate(page.Hostname()) && !isPrivate(v.scope.origin.Hostname()) {
		return false // nobody outside makes this machine ask its own network
	}
	if v.file.Index == robotsOf(page) {
		return true
	}
	file := v.robots(page)
	if file == nil {
		return false
	}
	for _, line := range file.Sitemaps() {
		if line.Value == v.file.Location || line.Value == v.file.Address() || line.Value == v.file.Index {
			return true
		}
	}
	return false
}

func robotsOf(page *url.URL) string { return page.Scheme + "://" + page.Host + "/robots.txt" }

// robots returns the robots.txt of a page's host, or nil where there is none and
// when the run has asked more hosts than anybody needs.
func (c *fileCheck) robots(page *url.URL) *robots.File {
	address := robotsOf(page)
	p := &c.proof
	p.mutex.Lock()
	if p.hosts == nil {
		p.hosts = map[string]*asked{}
	}
	host := p.hosts[address]
	if host == nil {
		if len(p.hosts) == mostHosts {
			p.mutex.Unlock()
			return nil
		}
		host = &asked{}
		p.hosts[address] = host
	}
	p.mutex.Unlock()
	host.once.Do(func() { host.file = p.fetch(c.ctx, address, &c.options.Source) })
	return host.file
}

func (p *proof) fetch(ctx context.Context, address string, options *source.Options) *robots.File {
	if p.silent.Load() >= mostSilent {
		return nil
	}
	client := options.Client
	if client == nil {
		client = http.DefaultClient
	}
	ctx, cancel := context.WithTimeout(ctx, robotsTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil
	}
	request.Header.Set("User-Agent", options.UserAgent)
	defer func() {
		if ctx.Err() != nil {
			p.silent.Add(1)
		}
	}()
	response, err := client.Do(request)
	if err != nil {
		return nil
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil
	}
	file, err := robots.Parse(response.Body)
	if err != nil {
		return nil
	}
	return file
}
