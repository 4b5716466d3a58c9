package web

import (
	"sync"
	"time"
)

// A network may try maxAttempts passwords at once, and one more after every attemptTime.
// There is no limit for all networks together: it would let any of them lock out the
// owner.
const (
	maxAttempts = 5
	attemptTime = 30 * time.Second
	maxNetworks = 10_000
)

// attempts counts the wrong passwords of each network. The counts fall with time.
type attempts struct {
	mutex    sync.Mutex
	networks map[string]time.Time // when its count will be zero
}

func newAttempts() *attempts { return &attempts{networks: map[string]time.Time{}} }

// try counts an attempt as wrong, before the password is compared: many at the same time
// are not more than one after the other. It returns how long the network has to wait, 0
// when it may try now.
func (a *attempts) try(network string, now time.Time) time.Duration {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	zero, known := a.networks[network]
	if !known && len(a.networks) >= maxNetworks {
		a.forgetLocked(now)
	}
	if zero.Before(now) {
		zero = now
	}
	if wait := zero.Sub(now) - (maxAttempts-1)*attemptTime; wait > 0 {
		return wait
	}
	a.networks[network] = zero.Add(attemptTime)
	return 0
}

// succeed forgets the attempts of a network that knows the password.
func (a *attempts) succeed(network string) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	delete(a.networks, network)
}

// forgetLocked removes the networks whose count is zero, and all when there are still
// too many.
func (a *attempts) forgetLocked(now time.Time) {
	for network, zero := range a.networks {
		if zero.Before(now) {
			delete(a.networks, network)
		}
	}
	if len(a.networks) >= maxNetworks {
		clear(a.networks)
	}
}
