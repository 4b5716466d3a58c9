package fetch

import (
	"time"

	"github.com/mapatools/mapa/access"
)

// A RateChange reports that the rate of a host was changed, and why.
type RateChange struct {
	Host    string
	Reason  Reason
	Rate    float64       // requests per second from now on; 0 means no limit
	Status  int           // of the response, for ReasonOverloaded
	Latency time.Duration // the average, for ReasonSlow
}

// A Reason says why a rate changed.
type Reason int

// The reasons for a changed rate.
const (
	ReasonOverloaded Reason = iota + 1 // the host answers 429 or 503
	ReasonSlow                         // the latency of the host grows
	ReasonRecovered                    // the trouble is over, and the rate is what it was
)

// The parameters of the limiter.
const (
	minRate          = 0.5                    // requests per second; the rate is never reduced below it
	unlimitedRate    = 20                     // requests per second at which a host without a limit has recovered
	settleTime       = time.Second            // between two reductions, so that the first shows its effect
	recoveryTime     = 2 * time.Second        // without trouble, before a reduced rate grows
	growTime         = time.Second            // between two increases
	growFactor       = 1.5                    // by which each increase is larger than the one before
	reportTime       = 30 * time.Second       // between two reports of a rate that goes up and down
	throughputWindow = 500 * time.Millisecond // the minimum time to count responses over
)

// A limiter decides when the next request to one host may start. It is a token bucket
// whose rate is halved when there is evidence that the host is overloaded, and then
// grows back in steps that become larger. The caller passes the time, which must not go
// back.
type limiter struct {
	limit float64 // requests per second without trouble; 0 means no limit
	rate  float64 // requests per second now; 0 means no limit
	full  float64 // rate at which a reduced rate has recovered; 0 while it is not reduced
	step  float64 // by which a reduced rate grows next
	burst int     // requests that may start at once after a pause, at a rate that does not change

	next                     time.Time // when the bucket is full again without further requests
	reduced, grown, reported time.Time

	counted    int // good responses since countedAt; throughput is their rate before it
	countedAt  time.Time
	throughput float64

	evidence
	adapter *adapter // nil with a fixed limit
}

// newLimiter returns the limiter of a host.
func newLimiter(pace *pace, host string) limiter {
	if pace.rateOf(host) == access.AutoRate() {
		return limiter{rate: access.DefaultRate, burst: pace.perHost, adapter: &adapter{}}
	}
	limit := pace.limitOf(host)
	return limiter{limit: limit, rate: limit, burst: pace.perHost}
}

// reserve returns the time at which a request may start, and takes its token.
func (p *limiter) reserve(now time.Time, delay time.Duration) time.Time {
	interval, burst := delay, 1
	if p.rate > 0 {
		interval = max(delay, time.Duration(float64(time.Second)/p.rate))
	}
	if interval <= 0 {
		return now
	}
	if delay <= 0 && p.full == 0 && p.adapter == nil {
		burst = max(p.burst, 1)
	}
	at := now
	if turn := p.next.Add(-time.Duration(burst-1) * interval); turn.After(at) {
		at = turn
	}
	if p.next.Before(at) {
		p.next = at
	}
	p.next = p.next.Add(interval)
	return at
}

// refuse records a 429 or 503. known says that the URL was refused before. It returns
// the reason when the rate was reduced and that is worth a report.
func (p *limiter) refuse(now time.Time, known bool) Reason {
	if !p.addRefusal(known, p.limit > 0 || p.adapter != nil) || !p.reduce(now, minRate) {
		return 0
	}
	return p.report(now, ReasonOverloaded)
}

// answer records any other response. known says that the URL was refused before. It
// returns the reason when the rate was changed and that is worth a report.
func (p *limiter) answer(now time.Time, latency time.Duration, known bool) Reason {
	p.countAnswer(now)
	if p.addAnswer(known) && p.reduce(now, minRate) {
		p.addLatency(latency)
		return p.report(now, ReasonOverloaded)
	}
	return p.sample(now, latency)
}

// sample records the latency of a response, or the time after which there was none.
// Latency alone never reduces the rate below one request at a time, and it counts only
// when there is a limit: without one the caller wants the maximum.
func (p *limiter) sample(now time.Time, latency time.Duration) Reason {
	p.addLatency(latency)
	switch {
	case p.adapter != nil:
		p.rate = p.adapter.adapt(now, latency, p.rate)
	case p.limit > 0 && p.isSlow():
		if p.reduce(now, 1/p.latency.Seconds()) {
			return p.report(now, ReasonSlow)
		}
	case p.grow(now) && !p.reported.IsZero():
		p.reported = time.Time{}
		return ReasonRecovered
	}
	return 0
}

// report returns the reason, unless another reduction was reported shortly before.
func (p *limiter) report(now time.Time, reason Reason) Reason {
	if !p.reported.IsZero() && now.Sub(p.reported) < reportTime {
		return 0
	}
	p.reported = now
	return reason
}

// countAnswer counts a response for the throughput.
func (p *limiter) countAnswer(now time.Time) {
	if elapsed := now.Sub(p.countedAt); elapsed >= 2*throughputWindow {
		p.throughput = float64(p.counted) / elapsed.Seconds()
		p.countedAt, p.counted = now, 0
	}
	p.counted++
}

// recentRate returns the recent number of good responses per second.
func (p *limiter) recentRate(now time.Time) float64 {
	recent := float64(p.counted) / max(now.Sub(p.countedAt), throughputWindow).Seconds()
	return max(p.throughput, recent)
}

// reduce halves the recent rate of good responses, or the current rate when that is
// lower, and reports whether it did.
func (p *limiter) reduce(now time.Time, floor float64) bool {
	if now.Sub(p.reduced) < max(settleTime, p.latency) {
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
	switch {
	case p.adapter != nil:
		p.adapter.notice(p.rate)
	case p.full == 0 && p.limit > 0:
		p.full = p.limit
	case p.full == 0:
		p.full = max(current, unlimitedRate)
	}
	p.rate, p.step, p.reduced = reduced, max(reduced/8, minRate/2), now
	p.row, p.refusals = 0, 0 // what counts next is whether URLs are refused at this rate
	return true
}

// grow lets a reduced rate grow, and reports whether it has recovered.
func (p *limiter) grow(now time.Time) bool {
	if p.full == 0 || now.Sub(p.reduced) < recoveryTime || now.Sub(p.grown) < growTime {
		return false
	}
	p.rate += p.step
	p.step *= growFactor
	p.grown = now
	if p.rate < p.full {
		return false
	}
	p.rate, p.full = p.limit, 0
	return true
}

// restore forgets the refusals and ends a reduction. It returns the reason when that is
// worth a report.
func (p *limiter) restore() Reason {
	p.row, p.refusals = 0, 0
	if p.full == 0 {
		return 0
	}
	p.rate, p.full = p.limit, 0
	if p.reported.IsZero() {
		return 0
	}
	p.reported = time.Time{}
	return ReasonRecovered
}
