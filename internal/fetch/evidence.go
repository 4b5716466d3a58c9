package fetch

import "time"

// What counts as evidence.
const (
	minRow          = 24          // refused URLs in a row that mean an overloaded host
	minRefusals     = 0.05        // share of refused URLs below which refusals are incidents
	refusalWeight   = 32          // responses that the share is averaged over
	minSlowLatency  = time.Second // a lower average latency is never too slow
	slowFactor      = 4           // nor is one below this multiple of the host's best
	minSamples      = 8           // samples before the average is used
	loadedLatencies = 4           // minSlowLatency is divided by this where URLs are refused too
)

// evidence says whether a host refuses requests because it is overloaded, or URLs are
// refused whatever the load. The host is overloaded when
//
//   - nothing but refusals of different URLs came for a while,
//   - URLs are refused, and one that was refused before is answered now, or
//   - URLs are refused while the latency grows.
//
// URLs that are refused again and again while others are answered are at fault
// themselves, however many they are.
type evidence struct {
	row      int     // refused URLs since the last other response
	refusals float64 // moving share of refused URLs

	latency, best time.Duration // moving average, and its slowly growing minimum
	samples       int
}

// addRefusal records a 429 or 503, and reports whether the host is overloaded. known
// says that the URL was refused before. The latency counts only where it is meant to be
// flat.
func (e *evidence) addRefusal(known, flat bool) bool {
	if known {
		return false
	}
	e.row++
	e.refusals += (1 - e.refusals) / refusalWeight
	return e.row >= minRow || flat && e.refusals > minRefusals && e.exceeds(minSlowLatency/loadedLatencies)
}

// addAnswer records any other response, and reports whether the host is overloaded.
// known says that the URL was refused before.
func (e *evidence) addAnswer(known bool) bool {
	e.row = 0
	e.refusals -= e.refusals / refusalWeight
	return known && e.refusals > minRefusals
}

// addLatency records how long a response took.
func (e *evidence) addLatency(latency time.Duration) {
	e.samples++
	if e.samples == 1 {
		e.latency = latency
	}
	e.latency += (latency - e.latency) / 8
	if e.samples <= minSamples || e.latency < e.best {
		e.best = e.latency
	}
	e.best += e.best / 128
}

// isSlow reports whether the latency has grown so much that the host must be overloaded.
func (e *evidence) isSlow() bool { return e.exceeds(minSlowLatency) }

func (e *evidence) exceeds(latency time.Duration) bool {
	return e.latency > latency && e.latency > slowFactor*e.best
}
