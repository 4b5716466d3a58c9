package fetch

import (
	"cmp"
	"time"
)

// The parameters of a rate that adapts itself.
const (
	firstStep     = 10                    // requests per second by which the rate grows
	minStep       = 1                     // after trouble, the smallest step,
	stepShare     = 20                    // which is the rate in trouble divided by this
	adaptTime     = time.Second           // between two changes
	latencyFactor = 2                     // by which latency may differ and still be flat,
	latencyNoise  = 20 * time.Millisecond // and what it may differ by in addition
	backOff       = 0.75                  // of the rate that is left when latency grows
	usedShare     = 0.75                  // of the rate that must be used before it grows
)

// An adapter finds the highest rate that does not slow a host down: it grows in
// equal steps while the latency stays flat, and falls by a factor when it does not
// (additive increase, multiplicative decrease, as in RFC 5681). It does not grow when
// the caller does not use it, such as by its number of requests at once.
type adapter struct {
	step  float64   // 0 means firstStep
	began time.Time // when the current window began
	sum   time.Duration
	count int
	best  time.Duration // slowly growing minimum of the windows' averages; 0 before the first
}

// adapt records the latency of a response and returns the rate from now on.
func (a *adapter) adapt(now time.Time, latency time.Duration, rate float64) float64 {
	if a.began.IsZero() {
		a.began = now
	}
	a.sum += latency
	a.count++
	elapsed := now.Sub(a.began)
	if elapsed < adaptTime || a.count < minSamples {
		return rate
	}
	average, answered := a.sum/time.Duration(a.count), float64(a.count)/elapsed.Seconds()
	*a = adapter{step: a.step, began: now, best: a.best}
	if a.best == 0 || average < a.best {
		a.best = average
	}
	flat := average <= latencyFactor*a.best+latencyNoise
	a.best += a.best / 64
	switch {
	case !flat:
		a.notice(rate)
		return max(min(rate, answered)*backOff, minRate)
	case answered >= rate*usedShare:
		return rate + cmp.Or(a.step, firstStep)
	}
	return rate
}

// notice lowers the step after an error at this rate.
func (a *adapter) notice(rate float64) { a.step = max(rate/stepShare, minStep) }
