package hostile

import (
	"net/http"
	"strings"
	"time"
)

// statusBehaviours answer with statuses that ask a client to come back.
var statusBehaviours = []Behaviour{
	{Name: "status-408", Does: "answers the second request on a connection with 408 and closes it",
		answer: func(x *exchange) {
			if x.nth > 1 {
				x.reply(http.StatusRequestTimeout, "Connection: close\r\n", "")
				x.ended = true
				return
			}
			x.ordinary()
		}},
	{Name: "status-429", Does: "answers every page but the home page with 429",
		answer: refusing(http.StatusTooManyRequests, "")},
	{Name: "status-429-soon", Does: "answers every page with 429 and asks for a second's wait",
		answer: refusing(http.StatusTooManyRequests, "Retry-After: 1\r\n")},
	{Name: "status-429-start", Does: "answers everything with 429", answer: func(x *exchange) {
		x.reply(http.StatusTooManyRequests, textType, "no")
	}},
	{Name: "status-503", Does: "answers every page with 503", answer: refusing(http.StatusServiceUnavailable, "")},
	{Name: "status-503-later", Does: "answers every page with 503 and asks for a wait of 31 years",
		answer: refusing(http.StatusServiceUnavailable, "Retry-After: 999999999\r\n")},
	{Name: "status-503-overflow", Does: "asks for a wait that overflows an integer",
		answer: refusing(http.StatusServiceUnavailable, "Retry-After: 99999999999999999999\r\n")},
	{Name: "status-999", Does: "answers with statuses outside the standard", answer: odd(func(x *exchange) {
		x.reply(999, htmlType, document("odd"))
	})},
	{Name: "restart", Does: "restarts after 20 requests and is away for 3 seconds", Deadline: 40 * time.Second,
		answer: func(x *exchange) {
			if x.number == 20 {
				x.Server.restart(3 * time.Second)
				x.ended = true
				return
			}
			x.ordinary(pages(60)...)
		}},
	{Name: "resets", Does: "resets every fifth connection", answer: func(x *exchange) {
		if x.number%5 == 0 {
			x.ended = true
			return
		}
		x.ordinary(pages(40)...)
	}},
}

// refusing makes a site whose pages all have one status.
func refusing(status int, header string) func(*exchange) {
	return func(x *exchange) {
		if strings.HasPrefix(x.path, "/page-") {
			x.reply(status, header+textType, "no")
			return
		}
		x.ordinary(pages(30)...)
	}
}
