package access

import (
	"fmt"
	"math"
	"strconv"
)

// DefaultRate is the number of requests per second that the zero [Rate] means for
// hosts other than this machine.
const DefaultRate = 20

// Rate is the maximum number of requests per second to one host. The zero value is
// [DefaultRate], and no limit for a loopback address; PerSecond(0) means no limit.
type Rate struct {
	perSecond float64 // 0 means the default, negative no limit
	auto      bool
}

// PerSecond returns a Rate of n requests per second. 0 means no limit, and so does
// anything that is not a positive number.
func PerSecond(n float64) Rate {
	if !(n > 0) || math.IsInf(n, 1) {
		return Rate{perSecond: -1}
	}
	return Rate{perSecond: n}
}

// AutoRate returns a Rate that adapts to every host: it begins with [DefaultRate],
// grows while the latency of the host stays flat, and falls when it does not. The
// number of requests in flight bounds it.
func AutoRate() Rate { return Rate{auto: true} }

const autoText = "auto"

// ParseRate reads a number of requests per second, such as "5" or "0.5". "0" means
// no limit, and "auto" is [AutoRate].
func ParseRate(text string) (Rate, error) {
	if text == autoText {
		return AutoRate(), nil
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || !(n >= 0) {
		return Rate{}, fmt.Errorf("rate %q: use a number of requests per second, 0 for no limit, or auto", text)
	}
	return PerSecond(n), nil
}

// Limit returns the number of requests per second, or 0 for no limit, as for
// [AutoRate]. That of the zero Rate is DefaultRate.
func (r Rate) Limit() float64 {
	switch {
	case r.auto, r.perSecond < 0:
		return 0
	case r.perSecond == 0:
		return DefaultRate
	}
	return r.perSecond
}

// String returns the rate in the form that ParseRate reads.
func (r Rate) String() string {
	if r.auto {
		return autoText
	}
	return strconv.FormatFloat(r.Limit(), 'g', -1, 64)
}

// MarshalText implements [encoding.TextMarshaler].
func (r Rate) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler] by [ParseRate].
func (r *Rate) UnmarshalText(text []byte) error {
	rate, err := ParseRate(string(text))
	if err == nil {
		*r = rate
	}
	return err
}
