package http1

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// maxRetryAfter keeps sums of durations from overflowing.
const maxRetryAfter = 24 * time.Hour

// RetryAfter returns how long a response asks to wait, which it gives in seconds or as a date
// (RFC 9110 section 10.2.3). A date is compared with the Date of the response, or else with
// now. RetryAfter returns 0 for a header without a valid Retry-After, and at most a day.
func RetryAfter(header http.Header, now time.Time) time.Duration {
	value := strings.TrimSpace(header.Get("Retry-After"))
	if value != "" && strings.Trim(value, "0123456789") == "" {
		seconds, err := strconv.Atoi(value)
		if err != nil || seconds > int(maxRetryAfter/time.Second) {
			return maxRetryAfter
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
	return min(max(until.Sub(now), 0), maxRetryAfter)
}
