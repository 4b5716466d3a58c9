package fetch

import (
	"testing"
	"time"
)

// a limiter and a clock that only the test moves.
type pacing struct {
	limiter
	now time.Time
}

func newPacing(limit float64, burst int) *pacing {
	return &pacing{limiter: limiter{limit: limit, rate: limit, burst: burst}, now: time.Unix(1e9, 0)}
}

// ask moves the clock to the next request and returns the wait.
func (p *pacing) ask(delay time.Duration) time.Duration {
	at := p.reserve(p.now, delay)
	wait := at.Sub(p.now)
	p.now = at
	return wait
}

// answer moves the clock by the latency of the host.
func (p *pacing) answer(latency time.Duration) Reason {
	p.now = p.now.Add(latency)
	p.countAnswer(p.now)
	return p.sample(p.now, latency)
}

// run sends requests one after the other for a duration, and counts them.
func (p *pacing) run(duration, latency time.Duration) (asked int) {
	for end := p.now.Add(duration); p.now.Before(end); asked++ {
		p.ask(0)
		p.answer(latency)
	}
	return asked
}

func TestTokenBucket(t *testing.T) {
	p := newPacing(20, 8)
	for i := range 8 {
		if wait := p.ask(0); wait != 0 {
			t.Errorf("request %d of the burst waits %v", i, wait)
		}
	}
	for i := range 20 {
		if wait := p.ask(0); wait != 50*time.Millisecond {
			t.Errorf("request %d after the burst waits %v", i, wait)
		}
	}
	p.now = p.now.Add(time.Hour)
	burst := 0
	for ; p.ask(0) == 0; burst++ {
	}
	if burst != 8 {
		t.Errorf("%d at once after a long rest", burst)
	}
}

func TestNoRate(t *testing.T) {
	p := newPacing(0, 8)
	for range 10000 {
		if wait := p.ask(0); wait != 0 {
			t.Fatalf("it waits %v", wait)
		}
	}
}

func TestCrawlDelay(t *testing.T) {
	for _, limit := range []float64{0, 20} {
		p := newPacing(limit, 8)
		p.ask(3 * time.Second)
		for range 5 {
			if wait := p.ask(3 * time.Second); wait != 3*time.Second {
				t.Errorf("rate %v: it waits %v", limit, wait)
			}
		}
	}
	p := newPacing(0.2, 1)
	p.ask(time.Second)
	if wait := p.ask(time.Second); wait != 5*time.Second {
		t.Errorf("a delay shorter than the rate asks for: it waits %v", wait)
	}
}

func TestOverload(t *testing.T) {
	for _, limit := range []float64{0, 20} {
		p := newPacing(limit, 1)
		before := float64(p.run(5*time.Second, 50*time.Millisecond)) / 5
		if !p.overload(p.now, true, 0) {
			t.Fatal("no change")
		}
		if p.rate < before*0.4 || p.rate > before*0.6 {
			t.Errorf("limit %v: %v a second after %v", limit, p.rate, before)
		}
		if p.overload(p.now, true, 0) {
			t.Error("a second change before the first could work")
		}
		for range 100 {
			p.now = p.now.Add(2 * time.Second)
			p.overload(p.now, true, 0)
		}
		if p.rate != minRate {
			t.Errorf("limit %v: %v a second at worst", limit, p.rate)
		}
		for range 60 {
			p.run(recoveryTime, 50*time.Millisecond)
		}
		if p.rate != limit || p.full != 0 {
			t.Errorf("limit %v: %v a second after recovery", limit, p.rate)
		}
	}
}

// TestBrokenPages has pages that always answer 503, which must not reduce the rate
// while others succeed.
func TestBrokenPages(t *testing.T) {
	p := newPacing(20, 1)
	for i := range 1000 {
		p.ask(0)
		if i%10 == 0 {
			p.overload(p.now, false, 0)
		} else {
			p.answer(time.Millisecond)
		}
	}
	if p.rate != 20 {
		t.Errorf("%v a second", p.rate)
	}
	for i := range 3 {
		if changed := p.overload(p.now, false, 0); changed != (i == 2) {
			t.Errorf("refusal %d in a row: change %t", i+1, changed)
		}
	}
}

func TestPause(t *testing.T) {
	p := newPacing(0, 8)
	p.ask(0)
	if !p.overload(p.now, true, 30*time.Second) {
		t.Error("no change")
	}
	if p.overload(p.now, true, 30*time.Second) || p.overload(p.now, true, 10*time.Second) {
		t.Error("the same pause twice")
	}
	if wait := p.ask(0); wait != 30*time.Second {
		t.Errorf("it waits %v", wait)
	}
	if wait := p.ask(0); wait == 0 {
		t.Error("all come back at once")
	}
}

func TestSlowing(t *testing.T) {
	p := newPacing(20, 1)
	p.run(10*time.Second, 100*time.Millisecond)
	if p.rate != 20 {
		t.Fatalf("%v a second while all is well", p.rate)
	}
	said := 0
	for range 30 {
		p.ask(0)
		if p.answer(4*time.Second) == ReasonSlow {
			said++
		}
	}
	if said == 0 || p.rate > 1 || p.rate < 1/p.latency.Seconds()-0.01 {
		t.Errorf("said %d times, %v a second at a latency of %v", said, p.rate, p.latency)
	}
	for range 60 {
		p.run(recoveryTime, 100*time.Millisecond)
	}
	if p.rate != 20 {
		t.Errorf("%v a second after recovery", p.rate)
	}
}

// TestAlwaysSlow has a site with a constant high latency.
func TestAlwaysSlow(t *testing.T) {
	p := newPacing(20, 1)
	p.run(10*time.Minute, 3*time.Second)
	if p.rate != 20 {
		t.Errorf("%v a second", p.rate)
	}
	p = newPacing(20, 1)
	for range 10 {
		p.run(5*time.Second, 10*time.Millisecond)
		p.run(5*time.Second, 200*time.Millisecond)
	}
	if p.rate != 20 {
		t.Errorf("%v a second for a site whose pages differ", p.rate)
	}
}

// TestIsolatedRefusals has pages that refuse requests among others that do not. Only the
// first may pause the host.
func TestIsolatedRefusals(t *testing.T) {
	p, now := limiter{}, time.Now()
	for i := range 10 {
		p.overload(now, true, time.Minute)
		if paused := p.paused.After(now); paused != (i == 0) {
			t.Errorf("refusal %d: paused %t", i, paused)
		}
		now = now.Add(2 * time.Minute)
		for range 20 {
			p.sample(now, time.Millisecond)
		}
	}
	for range 4 {
		p.overload(now, true, time.Minute)
	}
	if !p.paused.After(now) {
		t.Error("a host that refuses everything is not paused")
	}
}
