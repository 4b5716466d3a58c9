package fetch

import "time"

// A RateChange reports that the rate of a host was changed, and why.
type RateChange struct {
	Host    string
	Reason  Reason
	Rate    float64       // requests per second from now on; 0 means no limit
	Until   time.Time     // no request is sent before; zero when the host is not paused
	Status  int           // of the response, for ReasonOverloaded
	Latency time.Duration // the average, for ReasonSlow
}

// A Reason says why a rate changed.
type Reason int

// The reasons for a changed rate.
const (
	ReasonOverloaded Reason = iota + 1 // the host answered 429 or 503
	ReasonSlow                         // the latency of the host grows
	ReasonRecovered                    // the trouble is over; the rate grows again
)

// The parameters of the limiter.
const (
	minRate          = 0.1                    // requests per second; the rate is never reduced below it
	unlimitedRate    = 20                     // requests per second at which a host without a limit has recovered
	settleTime       = time.Second            // between two changes, so that the first shows its effect
	recoveryTime     = 10 * time.Second       // without trouble, before the rate grows again
	minSlowLatency   = time.Second            // a lower average latency is never too slow
	slowFactor       = 4                      // nor is one below this multiple of the host's best
	minSamples       = 8                      // samples before the average is used
	maxRefusals      = 0.3                    // share of 503 that means an overloaded host: three in a row
	minGood          = 2                      // good responses between two refusals of one page that mean a broken page
	throughputWindow = 500 * time.Millisecond // the minimum time to count responses over
)

// A limiter decides when the next request to one host may start. It is a token
// bucket whose rate is halved in trouble and grows again by half. The caller passes
// the time, which must not go back.
type limiter struct {
	limit float64 // requests per second without trouble; 0 means no limit
	rate  float64 // requests per second now; 0 means no limit
	full  float64 // rate at which a reduced rate has recovered; 0 while it is not reduced
	burst int     // requests that may start at once after a pause

	next   time.Time // when the bucket is full again without further requests
	paused time.Time
	// pausedOnce is set by the first pause. From then on, refusals pause the host only
	// when they are more than isolated ones, which may come from broken pages.
	pausedOnce bool
	changed    time.Time

	latency, best time.Duration // moving average, and its slowly growing minimum
	samples       int
	refusals      float64 // moving share of 429 and 503

	good       int // responses that were neither 429 nor 503
	counted    int // responses since countedAt; throughput is their rate before it
	countedAt  time.Time
	throughput float64
}

// reserve returns the time at which a request may start, and takes its token.
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

// countAnswer counts a response for the throughput.
func (p *limiter) countAnswer(now time.Time) {
	if elapsed := now.Sub(p.countedAt); elapsed >= 2*throughputWindow {
		p.throughput = float64(p.counted) / elapsed.Seconds()
		p.countedAt, p.counted = now, 0
	}
	p.counted++
}

// recentRate returns the recent number of responses per second.
func (p *limiter) recentRate(now time.Time) float64 {
	recent := float64(p.counted) / max(now.Sub(p.countedAt), throughputWindow).Seconds()
	return max(p.throughput, recent)
}

// overload reduces the rate after a 429 or 503 and pauses for as long as it asks.
// insists is false for a 503 that may come from one broken page: several in a row
// are needed to reduce the rate. It reports whether the change is worth reporting.
func (p *limiter) overload(now time.Time, insists bool, pause time.Duration) bool {
	p.refusals += (1 - p.refusals) / 8
	changed := (insists || p.refusals > maxRefusals) && p.reduce(now, minRate)
	until := now.Add(pause)
	isolated := p.refusals <= maxRefusals
	if pause <= 0 || !until.After(p.paused) || isolated && p.pausedOnce {
		return changed
	}
	p.pausedOnce = true
	changed = changed || until.Sub(p.paused) > settleTime // else workers that fail together would all report it
	p.paused = until
	return changed
}

// refusesPage reports whether the host refuses this request again while it answers
// others: the page is broken, and a lower rate would not help.
func (p *limiter) refusesPage(req *Request) bool {
	return req.refused.url == req.URL && p.good-req.refused.good >= minGood
}

// sample adds the latency of a response and returns the reason when it changed the
// rate. Latency alone never reduces the rate below one request at a time, and it
// counts only when there is a limit: without one the caller wants the maximum.
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

// reduce halves the recent rate, or the current one when that is lower, and reports
// whether it did.
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
