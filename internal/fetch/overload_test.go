package fetch

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mapatools/mapa/access"
)

// A loadedHost answers so many requests a second and refuses further ones with 503. Its
// latency grows with its load.
type loadedHost struct {
	mu       sync.Mutex
	capacity func(since time.Duration) float64
	start    time.Time
	asked    []time.Time
	refused  int
}

const idleLatency = 50 * time.Millisecond

func (h *loadedHost) Fetch(context.Context, *Request) (*Response, error) {
	h.mu.Lock()
	now := time.Now()
	capacity := h.capacity(now.Sub(h.start))
	h.asked = append(h.asked, now)
	load := float64(h.countLocked(now.Add(-time.Second), now)) / capacity
	if load > 1 {
		h.refused++
	}
	h.mu.Unlock()
	if load > 1 {
		time.Sleep(5 * time.Millisecond)
		return &Response{Status: 503}, nil
	}
	latency := time.Duration(float64(idleLatency) * (1 + 4*load*load*load))
	time.Sleep(latency)
	return &Response{Status: 200, Latency: latency}, nil
}

// countLocked returns how many requests came after one time and until another.
func (h *loadedHost) countLocked(from, to time.Time) (count int) {
	for i := len(h.asked) - 1; i >= 0 && h.asked[i].After(from); i-- {
		if !h.asked[i].After(to) {
			count++
		}
	}
	return count
}

// perSecond returns the requests per second of a part of the run.
func (h *loadedHost) perSecond(from, to time.Duration) float64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return float64(h.countLocked(h.start.Add(from), h.start.Add(to))) / (to - from).Seconds()
}

// ask has workers ask for different URLs until the run is over.
func (h *loadedHost) ask(t *testing.T, pace pace, duration time.Duration) {
	h.start = time.Now()
	next := &retry{next: newPolite(h, pace), Retry: (*Options)(nil).withDefaults().Retry}
	ctx, cancel := context.WithTimeout(t.Context(), duration)
	defer cancel()
	var all sync.WaitGroup
	for worker := range pace.perHost {
		all.Go(func() {
			for i := 0; ctx.Err() == nil; i++ {
				next.Fetch(ctx, &Request{URL: fmt.Sprintf("http://shop.example/%d-%d", worker, i)})
			}
		})
	}
	all.Wait()
}

// TestOverloadedHost gives a host that is overloaded for a while relief within seconds,
// and its full rate soon after.
func TestOverloadedHost(t *testing.T) {
	const before, during, after = 30 * time.Second, 60 * time.Second, 40 * time.Second
	for name, test := range map[string]struct {
		pace              pace
		capacity, reduced float64
	}{
		"limited":   {pace{rate: access.PerSecond(20), perHost: 16}, 100, 5},
		"unlimited": {pace{rate: access.PerSecond(0), perHost: 16}, 1000, 20},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := &loadedHost{capacity: func(since time.Duration) float64 {
					if since > before && since < before+during {
						return test.reduced
					}
					return test.capacity
				}}
				h.ask(t, test.pace, before+during+after)
				full := h.perSecond(5*time.Second, before)
				if relieved := h.perSecond(before+5*time.Second, before+during); relieved > 2*test.reduced {
					t.Errorf("%.1f requests per second for a host that answers %v", relieved, test.reduced)
				}
				if got := h.perSecond(before+during+20*time.Second, before+during+after); got < 0.95*full {
					t.Errorf("%.1f requests per second after recovery, %.1f before", got, full)
				}
			})
		})
	}
}

// TestAuto finds the rate from which the latency of a host grows.
func TestAuto(t *testing.T) {
	for _, capacity := range []float64{30, 300} {
		synctest.Test(t, func(t *testing.T) {
			h := &loadedHost{capacity: func(time.Duration) float64 { return capacity }}
			h.ask(t, pace{rate: access.AutoRate(), perHost: 64}, 2*time.Minute)
			got := h.perSecond(time.Minute, 2*time.Minute)
			if got < 0.4*capacity || got > capacity || h.refused > len(h.asked)/15 {
				t.Errorf("%.1f requests per second for a host that answers %v; %d of %d refused",
					got, capacity, h.refused, len(h.asked))
			}
		})
	}
}

// TestAutoUnused does not let a rate grow that the caller does not use.
func TestAutoUnused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &loadedHost{capacity: func(time.Duration) float64 { return 1e6 }}
		polite := newPolite(h, pace{rate: access.AutoRate(), perHost: 2})
		h.start = time.Now()
		workers(t, polite, 2, time.Minute, "http://shop.example/")
		if host := polite.hosts.acquire("shop.example"); host.limiter.rate > 70 {
			t.Errorf("%v requests per second, and 40 are used", host.limiter.rate)
		}
	})
}

func TestLoopback(t *testing.T) {
	for host, want := range map[string]bool{
		"localhost": true, "localhost:8080": true, "LOCALHOST": true, "shop.localhost": true, "localhost.": true,
		"127.0.0.1": true, "127.1.2.3:80": true, "[::1]": true, "[::1]:8080": true, "[::ffff:127.0.0.1]": true,
		"localhost.example": false, "notlocalhost": false, "128.0.0.1": false, "10.0.0.1:80": false, "[::2]": false,
		"": false, "shop.example": false,
	} {
		if IsLoopback(host) != want {
			t.Errorf("IsLoopback(%q) is not %t", host, want)
		}
		own := pace{rate: access.PerSecond(1), rates: map[string]access.Rate{host: access.PerSecond(3)}}
		if limit := own.limitOf(host); limit != 3 || own.limitOf("other.example") != 1 {
			t.Errorf("%q: %v requests per second in place of 3", host, limit)
		}
		if limit := (&pace{}).limitOf(host); (limit == 0) != want || limit != 0 && limit != access.DefaultRate {
			t.Errorf("%q: %v requests per second", host, limit)
		}
	}
}

// TestRatesByHost gives the http and https URLs of a host one rate.
func TestRatesByHost(t *testing.T) {
	client, err := New(&Options{Rates: map[string]access.Rate{
		"https://A.example:443/x": access.PerSecond(2), "http://b.example:8080": access.AutoRate(),
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	pace := client.polite.pace
	a, b := pace.rateOf("a.example"), pace.rateOf("b.example:8080")
	if a != access.PerSecond(2) || b != access.AutoRate() {
		t.Errorf("%v and %v", a, b)
	}
	if adapts := newLimiter(&pace, "b.example:8080").adapter != nil; !adapts {
		t.Error("the rate of a host does not adapt to it")
	}
	if _, err := New(&Options{Rates: map[string]access.Rate{"a.example": {}}}); err == nil {
		t.Error("a host without a scheme is taken for an origin")
	}
}

func TestIsPrivate(t *testing.T) {
	for host, want := range map[string]bool{
		"localhost:8080": true, "shop.localhost": true, "127.0.0.1": true, "[::1]:80": true, "10.0.0.1:80": true,
		"192.168.1.1": true, "[fd00::1]": true, "[fe80::1]:80": true, "169.254.169.254": true, "[::ffff:10.0.0.1]:80": true,
		"example.com": false, "93.184.216.34:80": false, "[2606:4700::1]": false, "10.0.0.1.example": false, "0.0.0.0": false,
	} {
		if IsPrivate(host) != want {
			t.Errorf("%q is not %t", host, want)
		}
	}
}
