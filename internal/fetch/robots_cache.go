package fetch

import (
	"container/list"
	"strings"
	"sync"
	"time"

	"github.com/mapatools/mapa/robots"
)

// The cache is bounded in origins and in bytes: a robots.txt may have half a
// megabyte, which takes several times as much when it is parsed. Usual files take
// some kilobytes.
const (
	maxCachedOrigins = 8192
	maxCachedBytes   = 8 << 20
)

// rulesCache keeps the rules of the origins that were used last.
type rulesCache struct {
	site string // never evicted, and not counted

	mutex    sync.Mutex
	byOrigin map[string]*list.Element // of *rulesEntry
	recent   list.List                // most recently used first
	bytes    int                      // of all entries but the site's
}

// rulesEntry is the place of one origin, from the start of the request on.
type rulesEntry struct {
	origin   string
	previous *Rules        // of an older file, or nil
	done     chan struct{} // closed when rules is set, or the request was canceled

	rules   *Rules // nil after a canceled request
	fetched time.Time
	bytes   int
}

// enter returns the entry of an origin. When fetches is true the entry is new, and
// the caller must pass it to keep or drop.
func (c *rulesCache) enter(origin string, now time.Time) (entry *rulesEntry, fetches bool) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	element := c.byOrigin[origin]
	if element == nil {
		entry = &rulesEntry{origin: origin, done: make(chan struct{})}
		c.byOrigin[origin] = c.recent.PushFront(entry)
		return entry, true
	}
	c.recent.MoveToFront(element)
	entry = element.Value.(*rulesEntry)
	if entry.rules == nil || now.Sub(entry.fetched) < robots.MaxAge {
		return entry, false
	}
	c.bytes -= entry.bytes
	entry = &rulesEntry{origin: origin, done: make(chan struct{}), previous: entry.rules}
	element.Value = entry
	return entry, true
}

// keep stores the rules of an entry and evicts the origins not used for longest.
func (c *rulesCache) keep(entry *rulesEntry, rules *Rules) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	defer close(entry.done)
	entry.rules, entry.fetched = rules, time.Now()
	entry.previous = nil
	if entry.origin != c.site {
		entry.bytes = rules.size() + 2*len(entry.origin)
		c.bytes += entry.bytes
	}
	element := c.recent.Back()
	for element != c.recent.Front() && (len(c.byOrigin) > maxCachedOrigins || c.bytes > maxCachedBytes) {
		oldest := element.Value.(*rulesEntry)
		element = element.Prev()
		if oldest.rules != nil && oldest.origin != c.site {
			c.removeLocked(oldest)
		}
	}
}

// drop removes the entry of a canceled request.
func (c *rulesCache) drop(entry *rulesEntry) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.removeLocked(entry)
	close(entry.done)
}

func (c *rulesCache) removeLocked(entry *rulesEntry) {
	c.recent.Remove(c.byOrigin[entry.origin])
	delete(c.byOrigin, entry.origin)
	c.bytes -= entry.bytes
}

// size is about how many bytes of memory the rules hold.
func (r *Rules) size() int {
	const fixed = 512 // the entry, its place in the table, and the structs
	size := fixed + r.Group.Size()
	for _, address := range r.Sitemaps {
		size += 16 + len(address)
	}
	return size
}

// sitemapsOf returns the values of the Sitemap lines, without holding the file.
func sitemapsOf(file *robots.File) []string {
	var found []string
	for line := range file.Lines() {
		if line.Kind == robots.KindSitemap && line.Value != "" {
			found = append(found, strings.Clone(line.Value))
		}
	}
	return found
}
