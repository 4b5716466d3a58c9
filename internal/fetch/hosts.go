package fetch

import (
	"container/list"
	"sync"
)

// maxHosts is how many hosts are remembered; the one not asked for longest is
// forgotten first, and never one that is being asked.
const maxHosts = 4096

// hostTable is a bounded table of hosts.
type hostTable struct {
	rate Rate

	mu     sync.Mutex
	byName map[string]*list.Element // of *host
	recent list.List                // most recently asked first
}

func newHostTable(rate Rate) *hostTable {
	return &hostTable{rate: rate, byName: make(map[string]*list.Element)}
}

// acquire gives the host of that name, new where it is unknown, and keeps it
// until leave.
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
	h := &host{name: name, limiter: limiter{limit: t.rate.PerSecond, rate: t.rate.PerSecond, burst: t.rate.PerHost}}
	if t.rate.PerHost > 0 {
		h.slots = make(chan struct{}, t.rate.PerHost)
	}
	return h
}

// evictLocked brings the table back to its bound, one step at a time.
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
