package fetch

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// maxRetryAfter is all that a day-old crawl could care about; it also
// keeps sums of durations from overflowing.
const maxRetryAfter = 24 * time.Hour

// retryAfter reads how long a 429 or 503 asks to stay away, in seconds or as a
// date (RFC 9110 section 10.2.3). A date is taken against the server's own
// clock where it shows one.
func retryAfter(answer *http.Response, now time.Time) time.Duration {
	if !overloaded(answer.StatusCode) {
		return 0
	}
	value := strings.TrimSpace(answer.Header.Get("Retry-After"))
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
	if date, err := http.ParseTime(answer.Header.Get("Date")); err == nil {
		now = date
	}
	return min(max(until.Sub(now), 0), maxRetryAfter)
}

// overloaded says whether a status asks for fewer requests.
func overloaded(status int) bool {
	return status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable
}
