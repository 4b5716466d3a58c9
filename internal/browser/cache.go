package browser

import (
	"context"
	"fmt"
	"mime"
	"net/http"
	"strings"
	"sync"
)

const (
	maxCached      = 64 << 20 // bytes of all answers
	maxCachedEntry = 8 << 20
)

// A cache keeps scripts and style sheets for the run, so that all pages share one request. The
// oldest give way to new ones.
type cache struct {
	mu      sync.Mutex
	entries map[string]*cached
	order   []string
	size    int
}

// A cached answer is complete when ready is closed; it has no status when it cannot be kept.
type cached struct {
	ready  chan struct{}
	status int
	header http.Header
	body   []byte
}

// cacheKey is what requests for the same answer have in common. isOwn says that the request carries what the user
// gives for its origin, whose answer no page of another origin may see.
func cacheKey(r *http.Request, isOwn bool) string {
	return fmt.Sprintf("%s\n%s\n%t", r.URL, r.Header.Get("Origin"), isOwn)
}

// claim returns the answer to a request, or nil when the caller has to get it and call settle. It
// waits for a caller that does so already.
func (c *cache) claim(ctx context.Context, key string) *cached {
	for {
		c.mu.Lock()
		entry := c.entries[key]
		if entry == nil {
			if c.entries == nil {
				c.entries = map[string]*cached{}
			}
			c.entries[key] = &cached{ready: make(chan struct{})}
			c.mu.Unlock()
			return nil
		}
		c.mu.Unlock()
		select {
		case <-entry.ready:
		case <-ctx.Done():
			return &cached{status: http.StatusGatewayTimeout}
		}
		if entry.status != 0 {
			return entry
		}
	}
}

// settle stores the answer that was claimed; one without a status is forgotten.
func (c *cache) settle(key string, answer cached) {
	c.mu.Lock()
	defer c.mu.Unlock()
	entry := c.entries[key]
	defer close(entry.ready)
	if answer.status == 0 {
		delete(c.entries, key)
		return
	}
	entry.status, entry.header, entry.body = answer.status, answer.header, answer.body
	c.order = append(c.order, key)
	c.size += len(answer.body)
	for c.size > maxCached {
		oldest := c.order[0]
		c.size -= len(c.entries[oldest].body)
		delete(c.entries, oldest)
		c.order = c.order[1:]
	}
}

// isScriptOrStyle reports whether an answer is a script or a style sheet.
func isScriptOrStyle(header http.Header) bool {
	mediaType, _, _ := mime.ParseMediaType(header.Get("Content-Type"))
	return mediaType == "text/css" || mediaType == "text/javascript" || mediaType == "application/javascript" ||
		mediaType == "application/x-javascript"
}

// isShared reports whether the answer to a request may be one that another page got.
func isShared(r *http.Request, to destination) bool {
	return (to == forScript || to == forStyle) && r.Method == http.MethodGet &&
		r.Header.Get("Authorization") == "" && r.Header.Get("Range") == ""
}

// isShareable reports whether an answer may be given to other pages.
func isShareable(answer *http.Response) bool {
	vary := strings.ToLower(strings.Join(answer.Header.Values("Vary"), ","))
	return answer.StatusCode == http.StatusOK && isScriptOrStyle(answer.Header) &&
		!strings.Contains(vary, "*") && !strings.Contains(vary, "cookie")
}
