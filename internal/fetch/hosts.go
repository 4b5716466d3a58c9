package fetch

import (
	"container/list"
	"sync"
)

// maxHosts is how many hosts are remembered; the one not asked for longest is
// forgotten first, and never one that is being asked.
const maxHosts = 4096

// hosts is a bounded table of hosts.
type hosts struct {
	rate Rate

	mu     sync.Mutex
	byName map[string]*list.Element // of *host
	recent list.List                // most recently asked first
}

func newHosts(rate Rate) *hosts {
	return &hosts{rate: rate, byName: make(map[string]*list.Element)}
}

// enter gives the host of that name, new where it is unknown, and keeps it
// until leave.
func (t *hosts) enter(name string) *host {
	t.mu.Lock()
	defer t.mu.Unlock()
	if element := t.byName[name]; element != nil {
		t.recent.MoveToFront(element)
		h := element.Value.(*host)
		h.users++
		return h
	}
	h := t.build(name)
	h.users = 1
	t.byName[name] = t.recent.PushFront(h)
	t.forget()
	return h
}

func (t *hosts) leave(h *host) {
	t.mu.Lock()
	defer t.mu.Unlock()
	h.users--
	t.forget()
}

func (t *hosts) build(name string) *host {
	h := &host{name: name, pace: pace{limit: t.rate.PerSecond, rate: t.rate.PerSecond, burst: t.rate.PerHost}}
	if t.rate.PerHost > 0 {
		h.slots = make(chan struct{}, t.rate.PerHost)
	}
	return h
}

// forget brings the table back to its bound, one step at a time.
func (t *hosts) forget() {
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
