package main

import (
	"net/http"
	"slices"
	"sync"
	"time"
)

// A counter counts how a checker treats the hosts.
type counter struct {
	hosts []hostCount
}

type hostCount struct {
	mutex    sync.Mutex
	inFlight int
	most     int // requests in flight
	robots   int // requests for robots.txt
	times    []time.Time
}

func newCounter(hosts int) *counter { return &counter{make([]hostCount, hosts)} }

// begin counts a request. The caller calls end after the answer.
func (c *counter) begin(host int, r *http.Request) (end func()) {
	h := &c.hosts[host]
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.inFlight++
	h.most = max(h.most, h.inFlight)
	h.times = append(h.times, time.Now())
	if r.URL.Path == "/robots.txt" {
		h.robots++
	}
	return func() {
		h.mutex.Lock()
		defer h.mutex.Unlock()
		h.inFlight--
	}
}

// A treatment is how a checker treated the hosts.
type treatment struct {
	requests, robots int
	atOnce           int // requests in flight to one host, at most
	perSecond        int // requests to one host within a second, at most
}

// take returns what was counted, and begins again.
func (c *counter) take() (t treatment) {
	for i := range c.hosts {
		h := &c.hosts[i]
		h.mutex.Lock()
		slices.SortFunc(h.times, time.Time.Compare)
		t.requests += len(h.times)
		t.robots += h.robots
		t.atOnce = max(t.atOnce, h.most)
		t.perSecond = max(t.perSecond, busiest(h.times))
		h.most, h.robots, h.times = h.inFlight, 0, nil
		h.mutex.Unlock()
	}
	return t
}

// busiest returns the largest number of times within a second. They are in order.
func busiest(times []time.Time) (most int) {
	first := 0
	for i, at := range times {
		for at.Sub(times[first]) >= time.Second {
			first++
		}
		most = max(most, i-first+1)
	}
	return most
}
