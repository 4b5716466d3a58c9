package fetch

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// maxRetryAfter bounds a Retry-After, so that sums of durations cannot overflow.
const maxRetryAfter = 24 * time.Hour

// RetryAfter returns how long a 429 or 503 asks to wait, which it gives in seconds or
// as a date (RFC 9110 section 10.2.3). A date is compared with the Date of the
// response, or else with now. It returns 0 for a response that does not ask for it, and at
// most a day.
func RetryAfter(status int, header http.Header, now time.Time) time.Duration {
	if !overloaded(status) {
		return 0
	}
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

// overloaded reports whether a status asks for fewer requests.
func overloaded(status int) bool {
	return status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable
}
