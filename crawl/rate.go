package crawl

import (
	"fmt"
	"math"
	"strconv"
)

// DefaultRate is the number of requests per second and host that the zero [Rate]
// means.
const DefaultRate = 20

// Rate is the maximum number of requests per second to one host. The zero value
// is [DefaultRate]; PerSecond(0) means no limit.
type Rate struct {
	perSecond float64 // 0 is the default, negative is no limit
}

// PerSecond returns a Rate of n requests per second. 0 means no limit, and so does
// anything that is not a positive number.
func PerSecond(n float64) Rate {
	if !(n > 0) || math.IsInf(n, 1) {
		return Rate{-1}
	}
	return Rate{n}
}

// ParseRate reads a number of requests per second, such as "5" or "0.5". "0" means
// no limit.
func ParseRate(text string) (Rate, error) {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || !(n >= 0) {
		return Rate{}, fmt.Errorf("rate %q: use a number of requests per second, or 0 for no limit", text)
	}
	return PerSecond(n), nil
}

// Limit returns the number of requests per second, or 0 for no limit.
func (r Rate) Limit() float64 {
	switch {
	case r.perSecond == 0:
		return DefaultRate
	case r.perSecond < 0:
		return 0
	}
	return r.perSecond
}

// String returns the rate in the form that ParseRate reads.
func (r Rate) String() string { return strconv.FormatFloat(r.Limit(), 'g', -1, 64) }

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
