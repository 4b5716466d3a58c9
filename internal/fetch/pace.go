package fetch

import "time"

// A RateChange tells that a host's rate was changed, and why.
type RateChange struct {
	Host    string
	Reason  Reason
	Rate    float64       // requests a second from now on; 0 is no limit
	Until   time.Time     // no request before; zero where the host is not paused
	Status  int           // of the answer, for Overloaded
	Latency time.Duration // the average, for Slowing
}

// A Reason is why a rate changed.
type Reason int

// The reasons.
const (
	ReasonOverloaded Reason = iota + 1 // the host answered 429 or 503
	ReasonSlow                         // the host answers ever later
	ReasonRecovered                    // neither any more; the rate goes up again
)

// What pace goes by.
const (
	minRate          = 0.1                    // requests a second; no reduction goes below
	unlimitedRate    = 20                     // requests a second at which a host without a limit has none again
	settleTime       = time.Second            // a change shows its effect before the next one
	recoveryTime     = 10 * time.Second       // without trouble, before the rate goes up again
	minSlowLatency   = time.Second            // an average latency below it is never trouble
	slowFactor       = 4                      // nor one below this multiple of the host's best
	minSamples       = 8                      // samples before an average means anything
	maxRefusals      = 0.3                    // share of 503 that means the host and not the page: three in a row
	minGood          = 2                      // good answers between two refusals of one page that mean the page and not the host
	throughputWindow = 500 * time.Millisecond // the least time to count answers over
)

// limiter decides when the next request to one host may start: a token bucket
// whose rate halves in trouble and grows again by half. It knows no clock; now
// is given and must not go back.
type limiter struct {
	limit float64 // requests a second when all is well; 0 is no limit
	rate  float64 // requests a second now; 0 is no limit
	full  float64 // rate at which limit holds again, once reduced; 0 while it holds
	burst int     // requests that may start at once after a rest

	next    time.Time // when the bucket is full again, were nothing asked
	paused  time.Time
	changed time.Time

	latency, best time.Duration // moving average, and its slowly forgotten minimum
	samples       int
	refusals      float64 // moving share of 429 and 503

	good       int // answers that were neither 429 nor 503
	counted    int // answers since countedAt, and their rate before it
	countedAt  time.Time
	throughput float64
}

// reserve gives the time at which the request may start, and takes that place.
func (p *limiter) reserve(now time.Time, delay time.Duration) time.Time {
	at := now
	if p.paused.After(at) {
		at = p.paused
	}
	interval, burst := delay, 1
	if p.rate > 0 {
		interval = max(delay, time.Duration(float64(time.Second)/p.rate))
	}
	if interval <= 0 {
		return at
	}
	if delay <= 0 && p.full == 0 {
		burst = max(p.burst, 1)
	}
	if turn := p.next.Add(-time.Duration(burst-1) * interval); turn.After(at) {
		at = turn
	}
	if p.next.Before(at) {
		p.next = at
	}
	p.next = p.next.Add(interval)
	return at
}

// countAnswer counts an answer.
func (p *limiter) countAnswer(now time.Time) {
	if elapsed := now.Sub(p.countedAt); elapsed >= 2*throughputWindow {
		p.throughput = float64(p.counted) / elapsed.Seconds()
		p.countedAt, p.counted = now, 0
	}
	p.counted++
}

// recentRate gives the answers a second that the host gave in the last moments.
func (p *limiter) recentRate(now time.Time) float64 {
	recent := float64(p.counted) / max(now.Sub(p.countedAt), throughputWindow).Seconds()
	return max(p.throughput, recent)
}

// overload slows down for a 429 or 503, and pauses for as long as it asks. One
// that does not insist may be a page that is out of order for good: it takes
// several in a row to mean the host.
func (p *limiter) overload(now time.Time, insists bool, pause time.Duration) bool {
	p.refusals += (1 - p.refusals) / 8
	changed := (insists || p.refusals > maxRefusals) && p.reduce(now, minRate)
	until := now.Add(pause)
	if pause <= 0 || !until.After(p.paused) {
		return changed
	}
	changed = changed || until.Sub(p.paused) > settleTime // else workers that failed together would all say so
	p.paused = until
	return changed
}

// refusesPage reports whether the host refuses this request once more while it
// answers others: the page is out of order, and slowness would not mend it.
func (p *limiter) refusesPage(req *Request) bool {
	return req.refused.url == req.URL && p.good-req.refused.good >= minGood
}

// sample takes up how long an answer took and says what it changed. Slowing
// alone never brings the rate below one request at a time, and counts only where
// there is a rate: whoever asks for none wants the host at its limit.
func (p *limiter) sample(now time.Time, latency time.Duration) Reason {
	p.samples++
	p.refusals -= p.refusals / 8
	if p.samples == 1 {
		p.latency = latency
	}
	p.latency += (latency - p.latency) / 8
	if p.samples <= minSamples || p.latency < p.best {
		p.best = p.latency
	}
	p.best += p.best / 128
	if p.limit > 0 && p.latency > minSlowLatency && p.latency > slowFactor*p.best {
		if p.reduce(now, 1/p.latency.Seconds()) {
			return ReasonSlow
		}
		return 0
	}
	if p.recover(now) {
		return ReasonRecovered
	}
	return 0
}

// reduce halves what the host had lately, or its rate where that is less.
func (p *limiter) reduce(now time.Time, floor float64) bool {
	if now.Sub(p.changed) < max(settleTime, p.latency) {
		return false
	}
	current := p.recentRate(now)
	if p.rate > 0 {
		current = min(current, p.rate)
	}
	reduced := max(current/2, floor, minRate)
	if p.rate > 0 && reduced >= p.rate {
		return false
	}
	if p.full == 0 {
		p.full = p.limit
		if p.limit == 0 {
			p.full = max(current, unlimitedRate)
		}
	}
	p.rate, p.changed = reduced, now
	return true
}

func (p *limiter) recover(now time.Time) bool {
	if p.full == 0 || now.Sub(p.changed) < recoveryTime || now.Before(p.paused) {
		return false
	}
	p.rate *= 1.5
	p.changed = now
	if p.rate >= p.full {
		p.rate, p.full = p.limit, 0
	}
	return true
}
