package fetch

import (
	"net/http"
	"time"

	"github.com/mapatools/mapa/internal/http1"
)

// RetryAfter returns how long a 429 or 503 asks to wait, as [http1.RetryAfter] reads it. It
// returns 0 for a response that does not ask for it, and at most a day.
func RetryAfter(status int, header http.Header, now time.Time) time.Duration {
	if !overloaded(status) {
		return 0
	}
	return http1.RetryAfter(header, now)
}

// overloaded reports whether a status asks for fewer requests.
func overloaded(status int) bool {
	return status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable
}
