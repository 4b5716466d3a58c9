package fetch

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

// script is a fetcher that returns one status after the other; 0 drops the
// connection.
func script(statuses ...int) (Fetcher, *[]time.Duration) {
	var times []time.Duration
	start := time.Now()
	return fetcherFunc(func(_ context.Context, req *Request) (*Response, error) {
		times = append(times, time.Since(start))
		status := statuses[min(len(times), len(statuses))-1]
		if status == 0 {
			return nil, &Error{URL: req.URL, Kind: KindDropped}
		}
		return &Response{Status: status}, nil
	}), &times
}

func TestRetry(t *testing.T) {
	for name, test := range map[string]struct {
		statuses []int
		tries    int
		status   int
	}{
		"well":          {[]int{200}, 1, 200},
		"missing":       {[]int{404}, 1, 404},
		"broken":        {[]int{500}, 1, 500},
		"once busy":     {[]int{503, 200}, 2, 200},
		"once too many": {[]int{429, 200}, 2, 200},
		"idle":          {[]int{408, 200}, 2, 200},
		"gateway":       {[]int{502, 504, 200}, 3, 200},
		"always busy":   {[]int{503}, 3, 503},
		"dropped":       {[]int{0, 200}, 2, 200},
		"always drops":  {[]int{0}, 3, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				next, times := script(test.statuses...)
				r := &retry{next: next, Retry: (*Options)(nil).withDefaults().Retry}
				res, err := r.Fetch(t.Context(), &Request{URL: "http://shop.example/"})
				if len(*times) != test.tries {
					t.Errorf("%d tries, want %d", len(*times), test.tries)
				}
				if test.status == 0 {
					if !errors.Is(err, KindDropped) {
						t.Error(err)
					}
					return
				}
				if err != nil || res.Status != test.status || res.Tries != test.tries {
					t.Errorf("response %+v, error %v", res, err)
				}
				for i, wait := range []time.Duration{500 * time.Millisecond, time.Second}[:test.tries-1] {
					if got := (*times)[i+1] - (*times)[i]; got > wait || got < wait/2 {
						t.Errorf("wait %d of %v, want between %v and %v", i, got, wait/2, wait)
					}
				}
			})
		})
	}
}

// TestLateFailures wants timeouts not to be retried.
func TestLateFailures(t *testing.T) {
	for kind := KindInvalid; kind <= KindBadRedirect; kind++ {
		again := kind == KindDropped || kind == KindRefused || kind == KindDNS
		if isTemporary(nil, &Error{Kind: kind}) != again {
			t.Errorf("%v: tried again %t", kind, !again)
		}
	}
}

func TestBackoffBounds(t *testing.T) {
	for _, backoff := range []time.Duration{1, time.Second, math.MaxInt64} {
		r := &retry{Retry: Retry{Backoff: backoff}}
		for try := 1; try < 100; try++ {
			if wait := r.backoff(try); wait < 0 || wait > time.Minute {
				t.Fatalf("try %d waits %v", try, wait)
			}
		}
	}
}

func TestRetryAfterIsKept(t *testing.T) {
	for _, test := range []struct {
		after time.Duration
		tries int
	}{{20 * time.Second, 2}, {time.Minute, 2}, {61 * time.Second, 1}, {24 * time.Hour, 1}} {
		synctest.Test(t, func(t *testing.T) {
			start, tries := time.Now(), 0
			r := &retry{Retry: (*Options)(nil).withDefaults().Retry}
			r.next = fetcherFunc(func(context.Context, *Request) (*Response, error) {
				if tries++; tries == 1 {
					return &Response{Status: 503, RetryAfter: test.after}, nil
				}
				if time.Since(start) != test.after {
					t.Errorf("asked again after %v, not %v", time.Since(start), test.after)
				}
				return &Response{Status: 200}, nil
			})
			if _, err := r.Fetch(t.Context(), &Request{}); err != nil || tries != test.tries {
				t.Errorf("Retry-After %v: %d tries, error %v", test.after, tries, err)
			}
		})
	}
}

// TestStack tests the whole client: it waits for the date that a busy URL asks for.
func TestStack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var changes []RateChange
		asked := 0
		client := piped(t, Options{Retry: Retry{Tries: 3},
			OnRateChange: func(c RateChange) { changes = append(changes, c) }},
			func(conn net.Conn) {
				if asked++; asked > 1 {
					fmt.Fprint(conn, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 4\r\n\r\npage")
					return
				}
				until := time.Now().Add(20 * time.Second).UTC().Format(http.TimeFormat)
				fmt.Fprintf(conn, "HTTP/1.1 503 Busy\r\nRetry-After: %s\r\nConnection: close\r\n\r\n", until)
			})
		start := time.Now()
		res := get(t, client, Request{URL: "http://shop.example/"})
		if took := time.Since(start); took != 20*time.Second || res.Tries != 2 || string(res.Body) != "page" {
			t.Errorf("%d tries, body %q after %v", res.Tries, res.Body, took)
		}
		if len(changes) > 0 {
			t.Errorf("changes %+v after one refusal", changes)
		}
	})
}

// TestRetryAfterInTotal bounds the time that all tries wait for.
func TestRetryAfterInTotal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		r := &retry{Retry: (*Options)(nil).withDefaults().Retry}
		r.next = fetcherFunc(func(_ context.Context, req *Request) (*Response, error) {
			if req.Refused != (time.Since(start) > 0) {
				t.Errorf("after %v: refused %t", time.Since(start), req.Refused)
			}
			return &Response{Status: 429, RetryAfter: 25 * time.Second}, nil
		})
		res, err := r.Fetch(t.Context(), &Request{})
		if err != nil || res.Tries != 3 || time.Since(start) != 50*time.Second {
			t.Errorf("response %+v, error %v after %v", res, err, time.Since(start))
		}
	})
}

// TestRetryLater returns what the caller retries, and no broken connection.
func TestRetryLater(t *testing.T) {
	for status, tries := range map[int]int{429: 1, 502: 1, 503: 1, 504: 1, 408: 3, 0: 3} {
		synctest.Test(t, func(t *testing.T) {
			next, times := script(status)
			r := &retry{next: next, Retry: (*Options)(nil).withDefaults().Retry}
			if r.Fetch(t.Context(), &Request{RetryLater: true}); len(*times) != tries {
				t.Errorf("%d: %d tries, want %d", status, len(*times), tries)
			}
		})
	}
}

func TestRetryEndsWithContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		next, times := script(503)
		start := time.Now()
		res, err := (&retry{next: next, Retry: Retry{Tries: 3, Backoff: time.Minute}}).Fetch(ctx, &Request{})
		if err != nil || res.Status != 503 || len(*times) != 1 || time.Since(start) != 100*time.Millisecond {
			t.Errorf("response %+v, error %v after %v", res, err, time.Since(start))
		}
	})
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	const date, later = "Sun, 01 Mar 2026 11:00:00 GMT", "Sun, 01 Mar 2026 12:01:30 GMT"
	for _, test := range []struct {
		status      int
		value, date string
		want        time.Duration
	}{
		{503, "120", "", 2 * time.Minute},
		{429, " 120 ", "", 2 * time.Minute},
		{429, "0", "", 0},
		{503, "99999", "", 24 * time.Hour},
		{503, "99999999999999999999999", "", 24 * time.Hour},
		{503, later, "", 90 * time.Second},
		{503, later, date, 61*time.Minute + 30*time.Second},
		{503, "Sunday, 01-Mar-26 12:01:30 GMT", "", 90 * time.Second},
		{503, "Sun Mar  1 12:01:30 2026", "", 90 * time.Second},
		{503, "Sun, 01 Mar 2026 11:59:59 GMT", "", 0},
		{503, "Fri, 01 Mar 2999 00:00:00 GMT", "", 24 * time.Hour},
		{503, later, "yesterday", 90 * time.Second},
		{503, "", "", 0}, {503, "-5", "", 0}, {503, "+5", "", 0}, {503, "1.5", "", 0}, {503, "soon", "", 0},
		{200, "120", "", 0}, {301, "120", "", 0},
	} {
		answer := &http.Response{StatusCode: test.status, Header: http.Header{}}
		answer.Header.Set("Retry-After", test.value)
		answer.Header.Set("Date", test.date)
		if got := RetryAfter(answer.StatusCode, answer.Header, now); got != test.want {
			t.Errorf("%d, %q: %v, want %v", test.status, test.value, got, test.want)
		}
	}
}
