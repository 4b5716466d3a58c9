package fetch

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// drip answers with a header and then a block of bytes at an interval.
func drip(every time.Duration, bytes int) func(net.Conn) {
	return func(conn net.Conn) {
		fmt.Fprint(conn, "HTTP/1.1 200 OK\r\n\r\n")
		for block := strings.Repeat("x", bytes); ; time.Sleep(every) {
			if _, err := fmt.Fprint(conn, block); err != nil {
				return
			}
		}
	}
}

// hang answers with the beginning of a response and then nothing, until the client
// disconnects.
func hang(start string) func(net.Conn) {
	return func(conn net.Conn) {
		fmt.Fprint(conn, start)
		conn.Read(make([]byte, 1))
	}
}

func TestDeadlines(t *testing.T) {
	short := Timeouts{Answer: 7 * time.Second, Idle: 5 * time.Second, Total: time.Minute, Speed: 100}
	for name, test := range map[string]struct {
		timeouts Timeouts
		answer   func(net.Conn)
		kind     Kind
		after    time.Duration
	}{
		"silence":       {short, hang(""), KindAnswerTimeout, 7 * time.Second},
		"half a header": {short, hang("HTTP/1.1 200 OK\r\nA"), KindAnswerTimeout, 7 * time.Second},
		"header only":   {short, hang("HTTP/1.1 200 OK\r\n\r\n"), KindIdleTimeout, 5 * time.Second},
		"half a body": {short, hang("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), KindIdleTimeout,
			5 * time.Second},
		"unwanted body":     {short, hang("HTTP/1.1 404 Not Found\r\nContent-Length: 9\r\n\r\nabc"), 0, 5 * time.Second},
		"drip":              {short, drip(time.Second, 1), KindTooSlow, 20 * time.Second},
		"just too slow":     {short, drip(time.Second, 95), KindTooSlow, 20 * time.Second},
		"just fast enough":  {short, drip(time.Second, 110), KindTotalTimeout, time.Minute},
		"any speed":         {Timeouts{Total: time.Minute, Speed: -1}, drip(time.Second, 1), KindTotalTimeout, time.Minute},
		"default answer":    {Timeouts{}, hang(""), KindAnswerTimeout, 30 * time.Second},
		"default idle":      {Timeouts{}, hang("HTTP/1.1 200 OK\r\n\r\n"), KindIdleTimeout, 15 * time.Second},
		"default total":     {Timeouts{}, drip(time.Second, 5000), KindTotalTimeout, 2 * time.Minute},
		"only slow at last": {short, fastThenSlow, KindTooSlow, 40 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client := piped(t, Options{Timeouts: test.timeouts}, test.answer)
				start := time.Now()
				_, err := client.Fetch(t.Context(), &Request{URL: "http://shop.example/", AnyType: true})
				if took := time.Since(start); took != test.after {
					t.Errorf("it took %v, want %v", took, test.after)
				}
				if failed, ok := errors.AsType[*Error](err); ok != (test.kind != 0) || ok && failed.Kind != test.kind {
					t.Errorf("error %v, want %v", err, test.kind)
				}
			})
		})
	}
}

// fastThenSlow is fast on average for minutes, so only a window detects it.
func fastThenSlow(conn net.Conn) {
	fmt.Fprint(conn, "HTTP/1.1 200 OK\r\n\r\n"+strings.Repeat("x", 1<<16))
	for {
		time.Sleep(time.Second)
		if _, err := fmt.Fprint(conn, "x"); err != nil {
			return
		}
	}
}

// TestNoDeadlines has no timeouts.
func TestNoDeadlines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		none := Timeouts{Answer: -1, Idle: -1, Total: -1, Speed: -1}
		client := piped(t, Options{Timeouts: none}, func(conn net.Conn) {
			time.Sleep(time.Hour)
			fmt.Fprint(conn, "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n")
			time.Sleep(time.Hour)
			fmt.Fprint(conn, "late")
		})
		res := get(t, client, Request{URL: "http://shop.example/"})
		if string(res.Body) != "late" || res.Latency != time.Hour || res.Duration != 2*time.Hour {
			t.Errorf("body %q, latency %v, duration %v", res.Body, res.Latency, res.Duration)
		}
	})
}

func TestHandshakeDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		options := Options{Timeouts: Timeouts{Handshake: 3 * time.Second}}
		options.Dial = func(context.Context, string, string) (net.Conn, error) {
			ours, theirs := net.Pipe()
			go func() {
				for buffer := make([]byte, 512); ; {
					if _, err := theirs.Read(buffer); err != nil {
						return
					}
				}
			}()
			return ours, nil
		}
		_, err := quick(t, options).Fetch(t.Context(), &Request{URL: "https://shop.example/"})
		if !errors.Is(err, KindHandshakeTimeout) {
			t.Error(err)
		}
	})
}

func TestCanceled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := piped(t, Options{Retry: Retry{Tries: 3}}, hang(""))
		for name, end := range map[string]func() (context.Context, context.CancelFunc){
			"cancel":   func() (context.Context, context.CancelFunc) { return context.WithCancel(t.Context()) },
			"deadline": func() (context.Context, context.CancelFunc) { return context.WithTimeout(t.Context(), time.Second) },
		} {
			ctx, cancel := end()
			time.AfterFunc(2*time.Second, cancel)
			_, err := client.Fetch(ctx, &Request{URL: "http://shop.example/"})
			if !errors.Is(err, KindCanceled) || !errors.Is(err, ctx.Err()) {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}
