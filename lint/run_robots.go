package lint

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mapatools/mapa/robots"
)

const (
	maxHosts      = 100 // whose robots.txt is requested in one run
	maxTimeouts   = 10  // after which no more robots.txt is requested
	robotsTimeout = 15 * time.Second
	// maxRobots bounds the bytes of all robots.txt, which take several times as much
	// memory once they are parsed. After them no more is requested.
	maxRobots = 4 << 20
)

// robotsCache holds the robots.txt of the hosts of a run. Each is requested once.
type robotsCache struct {
	client   *http.Client
	mutex    sync.Mutex
	hosts    map[string]*robotsEntry
	timeouts atomic.Int32
	bytes    atomic.Int64
}

// checkRedirect follows as many redirects as RFC 9309 asks for, and sends no credentials
// that they name.
func checkRedirect(next *http.Request, via []*http.Request) error {
	next.URL.User = nil
	if len(via) > robots.MaxRedirects {
		return http.ErrUseLastResponse
	}
	return nil
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
	if c.timeouts.Load() >= maxTimeouts || c.bytes.Load() >= maxRobots {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, robotsTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil
	}
	defer func() {
		if ctx.Err() != nil {
			c.timeouts.Add(1)
		}
	}()
	response, err := c.client.Do(request)
	if err != nil {
		return nil
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil
	}
	text, err := io.ReadAll(io.LimitReader(response.Body, robots.ReadLimit+1))
	if err != nil {
		return nil
	}
	c.bytes.Add(int64(len(text)))
	file, err := robots.Parse(bytes.NewReader(text))
	if err != nil {
		return nil
	}
	return file
}
