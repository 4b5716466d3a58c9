package web

import (
	"math"
	"net/http"
	"sync"
	"time"
)

// maxNetworks is the number of networks that a rate remembers.
const maxNetworks = 10_000

// A rate limits how often each network does something: some times at once, and one more
// time after every interval. There is no limit for all networks together, by which one of
// them could lock out the others.
type rate struct {
	most     int
	interval time.Duration
	refusal  string

	mutex    sync.Mutex
	networks map[string]time.Time // when its count will be zero
}

// newLogins returns the rate of passwords.
func newLogins() *rate {
	return &rate{most: 5, interval: 30 * time.Second, refusal: "too many wrong passwords: wait before the next"}
}

// try counts an attempt of a network, before its outcome is known: many at the same time
// are not more than one after the other. The error says how long the network has to wait.
func (l *rate) try(network string, now time.Time) error {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	zero, known := l.networks[network]
	if !known && len(l.networks) >= maxNetworks {
		l.forgetLocked(now)
	}
	if zero.Before(now) {
		zero = now
	}
	if wait := zero.Sub(now) - time.Duration(l.most-1)*l.interval; wait > 0 {
		seconds := time.Duration(math.Ceil(wait.Seconds())) * time.Second
		return &statusError{
			status: http.StatusTooManyRequests, code: "limit", detail: l.refusal, retryAfter: seconds,
		}
	}
	if l.networks == nil {
		l.networks = map[string]time.Time{}
	}
	l.networks[network] = zero.Add(l.interval)
	return nil
}

// forget removes the count of a network.
func (l *rate) forget(network string) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	delete(l.networks, network)
}

// forgetLocked removes the networks whose count is zero, and all when there are still
// too many.
func (l *rate) forgetLocked(now time.Time) {
	for network, zero := range l.networks {
		if zero.Before(now) {
			delete(l.networks, network)
		}
	}
	if len(l.networks) >= maxNetworks {
		clear(l.networks)
	}
}
