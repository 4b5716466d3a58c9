package fetch

import (
	"slices"
	"testing"
	"time"
)

// pacing is a limiter and a clock that only the test moves.
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

// respond moves the clock by the latency of the host.
func (p *pacing) respond(latency time.Duration) Reason {
	p.now = p.now.Add(latency)
	return p.answer(p.now, latency, false)
}

// refuseAll refuses as many different URLs as mean an overloaded host.
func (p *pacing) refuseAll() (reason Reason) {
	for range minRow {
		reason = max(reason, p.refuse(p.now, false))
	}
	return reason
}

// run sends requests one after the other for a duration, and counts them.
func (p *pacing) run(duration, latency time.Duration) (asked int) {
	for end := p.now.Add(duration); p.now.Before(end); asked++ {
		p.ask(0)
		p.respond(latency)
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
		if p.refuseAll() != ReasonOverloaded {
			t.Fatal("no change")
		}
		if p.rate < before*0.4 || p.rate > before*0.6 {
			t.Errorf("limit %v: %v a second after %v", limit, p.rate, before)
		}
		reduced := p.rate
		if p.refuseAll(); p.rate != reduced {
			t.Error("a second change before the first could work")
		}
		for range 10 {
			p.now = p.now.Add(2 * time.Second)
			p.refuseAll()
		}
		if p.rate != minRate {
			t.Errorf("limit %v: %v a second at worst", limit, p.rate)
		}
		p.run(20*time.Second, 50*time.Millisecond)
		if p.rate != limit || p.full != 0 {
			t.Errorf("limit %v: %v a second after recovery", limit, p.rate)
		}
	}
}

// TestReports reports that a rate was reduced and that it has recovered, and not every
// step of a rate that goes up and down.
func TestReports(t *testing.T) {
	p := newPacing(20, 1)
	began := p.now
	var reports []Reason
	for second := range 29 {
		for range 10 {
			p.ask(0)
			if reason := p.respond(20 * time.Millisecond); reason != 0 {
				reports = append(reports, reason)
			}
		}
		if second%3 == 2 {
			if reason := p.refuseAll(); reason != 0 {
				reports = append(reports, reason)
			}
		}
	}
	for range 1000 {
		p.ask(0)
		if reason := p.respond(20 * time.Millisecond); reason != 0 {
			reports = append(reports, reason)
		}
	}
	reduced, most := len(reports)-1, int(p.now.Sub(began)/reportTime)+1
	if reduced < 1 || reduced > most || slices.Index(reports, ReasonRecovered) != reduced {
		t.Errorf("reports %v in %v", reports, p.now.Sub(began))
	}
}

// TestEvidence says which refusals show that the host is overloaded.
func TestEvidence(t *testing.T) {
	const latency = 50 * time.Millisecond
	for name, test := range map[string]struct {
		happens func(p *pacing)
		reduced bool
	}{
		"one URL in ten is refused": {func(p *pacing) {
			for i := range 1000 {
				if i%10 == 0 {
					p.refuse(p.now, false)
				} else {
					p.respond(latency)
				}
			}
		}, false},
		"refused URLs are refused again": {func(p *pacing) {
			for range 3 * minRow {
				p.refuse(p.now, true)
			}
		}, false},
		"one refused URL is answered": {func(p *pacing) {
			p.refuse(p.now, false)
			p.respond(latency)
			p.answer(p.now, latency, true)
		}, false},
		"refused URLs are answered": {func(p *pacing) {
			for range 4 {
				p.refuse(p.now, false)
			}
			p.respond(latency)
			p.answer(p.now, latency, true)
		}, true},
		"only different URLs": {func(p *pacing) { p.refuseAll() }, true},
		"refusals and more latency": {func(p *pacing) {
			for range 8 {
				p.respond(10 * latency)
				p.refuse(p.now, false)
			}
		}, true},
		"more latency alone": {func(p *pacing) {
			for range 16 {
				p.respond(10 * latency)
			}
		}, false},
	} {
		p := newPacing(20, 1)
		p.run(10*time.Second, latency)
		if test.happens(p); (p.full != 0) != test.reduced {
			t.Errorf("%s: %v requests per second", name, p.rate)
		}
	}
}

// TestRestore ends a reduction whose reason was the refused URLs.
func TestRestore(t *testing.T) {
	p := newPacing(20, 1)
	p.run(10*time.Second, 50*time.Millisecond)
	p.refuseAll()
	if p.restore() != ReasonRecovered || p.rate != 20 || p.refuse(p.now.Add(time.Minute), false) != 0 {
		t.Errorf("%v requests per second", p.rate)
	}
	if p.restore() != 0 {
		t.Error("restored twice")
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
		if p.respond(4*time.Second) == ReasonSlow {
			said++
		}
	}
	if said == 0 || p.rate > 1 || p.rate < 1/p.latency.Seconds()-0.01 {
		t.Errorf("said %d times, %v a second at a latency of %v", said, p.rate, p.latency)
	}
	p.run(time.Minute, 100*time.Millisecond)
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
