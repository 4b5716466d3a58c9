package run

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
	maxHosts      = 100 // whose robots.txt is requested in one run
	maxTimeouts   = 10  // after which no more robots.txt is requested
	robotsTimeout = 15 * time.Second
)

// robotsCache holds the robots.txt of the hosts of a run. Each is requested once.
type robotsCache struct {
	options  *source.Options
	mutex    sync.Mutex
	hosts    map[string]*robotsEntry
	timeouts atomic.Int32
}

type robotsEntry struct {
	once sync.Once
	file *robots.File // nil without one
}

// get returns the robots.txt of a page's host, or nil without one and when
// the run has requested maxHosts.
func (c *robotsCache) get(ctx context.Context, page *url.URL) *robots.File {
	address := page.Scheme + "://" + page.Host + "/robots.txt"
	host := c.host(address)
	if host == nil {
		return nil
	}
	host.once.Do(func() { host.file = c.fetch(ctx, address) })
	return host.file
}

func (c *robotsCache) host(address string) *robotsEntry {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	host := c.hosts[address]
	if host == nil && len(c.hosts) < maxHosts {
		if c.hosts == nil {
			c.hosts = map[string]*robotsEntry{}
		}
		host = &robotsEntry{}
		c.hosts[address] = host
	}
	return host
}

func (c *robotsCache) fetch(ctx context.Context, address string) *robots.File {
	if c.timeouts.Load() >= maxTimeouts {
		return nil
	}
	client := c.options.Client
	if client == nil {
		client = http.DefaultClient
	}
	ctx, cancel := context.WithTimeout(ctx, robotsTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil
	}
	request.Header.Set("User-Agent", c.options.UserAgent)
	defer func() {
		if ctx.Err() != nil {
			c.timeouts.Add(1)
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
