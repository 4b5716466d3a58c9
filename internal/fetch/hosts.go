package fetch

import (
	"container/list"
	"sync"
)

// maxHosts is the number of hosts in the table. The host that was used longest ago
// is evicted first, but never one that is in use.
const maxHosts = 4096

// hostTable is a bounded table of hosts and their rates.
type hostTable struct {
	pace pace

	mu     sync.Mutex
	byName map[string]*list.Element // of *host
	recent list.List                // most recently used first
}

func newHostTable(pace pace) *hostTable {
	return &hostTable{pace: pace, byName: make(map[string]*list.Element)}
}

// acquire returns the host with a name and keeps it in the table
// until release.
func (t *hostTable) acquire(name string) *host {
	t.mu.Lock()
	defer t.mu.Unlock()
	if element := t.byName[name]; element != nil {
		t.recent.MoveToFront(element)
		h := element.Value.(*host)
		h.users++
		return h
	}
	h := t.newHost(name)
	h.users = 1
	t.byName[name] = t.recent.PushFront(h)
	t.evictLocked()
	return h
}

func (t *hostTable) release(h *host) {
	t.mu.Lock()
	defer t.mu.Unlock()
	h.users--
	t.evictLocked()
}

func (t *hostTable) newHost(name string) *host {
	h := &host{name: name, turn: make(chan struct{}, 1), limiter: newLimiter(&t.pace, name)}
	if t.pace.perHost > 0 {
		h.slots = make(chan struct{}, t.pace.perHost)
	}
	return h
}

// evictLocked removes one unused host when the table is over its bound.
func (t *hostTable) evictLocked() {
	if len(t.byName) <= maxHosts {
		return
	}
	for element := t.recent.Back(); element != nil; element = element.Prev() {
		if h := element.Value.(*host); h.users == 0 {
			t.recent.Remove(element)
			delete(t.byName, h.name)
			return
		}
	}
}
