// Package retryafter parses the Retry-After header of HTTP responses.
package retryafter

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Max is the longest time that Parse returns, so that sums of durations cannot overflow.
const Max = 24 * time.Hour

// Parse returns how long a response asks to wait, which it gives in seconds or as a date
// (RFC 9110 section 10.2.3). A date is compared with the Date of the response, or else with
// now. Parse returns 0 for a header without a valid Retry-After, and at most Max.
func Parse(header http.Header, now time.Time) time.Duration {
	value := strings.TrimSpace(header.Get("Retry-After"))
	if value != "" && strings.Trim(value, "0123456789") == "" {
		seconds, err := strconv.Atoi(value)
		if err != nil || seconds > int(Max/time.Second) {
			return Max
		}
		return time.Duration(seconds) * time.Second
	}
	until, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	if date, err := http.ParseTime(header.Get("Date")); err == nil {
		now = date
	}
	return min(max(until.Sub(now), 0), Max)
}
