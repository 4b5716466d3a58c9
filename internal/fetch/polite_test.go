package fetch

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// workers runs count workers on the fetcher for a duration.
func workers(t *testing.T, fetcher Fetcher, count int, duration time.Duration, address string) {
	ctx, cancel := context.WithTimeout(t.Context(), duration)
	defer cancel()
	var all sync.WaitGroup
	for range count {
		all.Go(func() {
			for ctx.Err() == nil {
				fetcher.Fetch(ctx, &Request{URL: address})
			}
		})
	}
	all.Wait()
}

func TestPoliteRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		asked, now, most := 0, 0, 0
		p := newPolite(fetcherFunc(func(context.Context, *Request) (*Response, error) {
			mu.Lock()
			asked, now = asked+1, now+1
			most = max(most, now)
			mu.Unlock()
			time.Sleep(time.Second)
			mu.Lock()
			now--
			mu.Unlock()
			return &Response{Status: 200, Latency: time.Second}, nil
		}), Rate{PerSecond: 5, PerHost: 8})
		workers(t, p, 64, 100*time.Second, "http://shop.example/")
		if asked < 490 || asked > 510 || most > 8 {
			t.Errorf("%d requests in 100 s, %d at once", asked, most)
		}
	})
}

// TestPoliteRetryAfter answers 429 once and wants no request before the time.
func TestPoliteRetryAfter(t *testing.T) {
	for _, test := range []struct{ asks, pause time.Duration }{
		{20 * time.Second, 20 * time.Second}, {time.Hour, time.Minute},
	} {
		synctest.Test(t, func(t *testing.T) {
			var mu sync.Mutex
			var changes []RateChange
			start, asked := time.Now(), 0
			rate := (*Options)(nil).withDefaults().Rate
			rate.OnChange = func(c RateChange) {
				mu.Lock()
				changes = append(changes, c)
				mu.Unlock()
			}
			p := newPolite(fetcherFunc(func(context.Context, *Request) (*Response, error) {
				mu.Lock()
				defer mu.Unlock()
				asked++
				since := time.Since(start)
				if asked == 11 {
					start = time.Now()
					return &Response{Status: 429, RetryAfter: test.asks}, nil
				}
				if asked > 11 && since < test.pause {
					t.Errorf("a request after %v", since)
				}
				return &Response{Status: 200}, nil
			}), rate)
			workers(t, p, 16, 90*time.Second, "http://shop.example/")
			if len(changes) < 2 {
				t.Fatalf("changes %v", changes)
			}
			first := changes[0]
			if first.Reason != ReasonOverloaded || first.Status != 429 || first.Host != "shop.example" ||
				first.Rate <= 0 || first.Rate > 10 || !first.Until.Equal(start.Add(test.pause)) {
				t.Errorf("first change %+v", first)
			}
			if next := changes[1]; next.Reason != ReasonRecovered || next.Rate <= first.Rate || !next.Until.IsZero() {
				t.Errorf("next change %+v", next)
			}
		})
	}
}

// TestPoliteRefusedPage has one page that is always broken, which must reduce the
// rate for the others no more than once.
func TestPoliteRefusedPage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		reduced := 0
		rate := (*Options)(nil).withDefaults().Rate
		rate.OnChange = func(c RateChange) {
			mu.Lock()
			defer mu.Unlock()
			if c.Reason == ReasonOverloaded {
				reduced++
			}
		}
		p := newPolite(fetcherFunc(func(_ context.Context, req *Request) (*Response, error) {
			if req.URL == "http://shop.example/out-of-order" {
				return &Response{Status: 503, RetryAfter: 2 * time.Second}, nil
			}
			return &Response{Status: 200}, nil
		}), rate)
		go workers(t, p, 4, 30*time.Second, "http://shop.example/")
		request := &Request{URL: "http://shop.example/out-of-order"}
		for range 3 {
			p.Fetch(t.Context(), request)
			time.Sleep(3 * time.Second)
		}
		if reduced != 1 {
			t.Errorf("slowed down %d times", reduced)
		}
		time.Sleep(time.Minute)
	})
}

func TestPoliteTimeouts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var slow bool
		var last RateChange
		rate := (*Options)(nil).withDefaults().Rate
		rate.OnChange = func(c RateChange) { last = c }
		p := newPolite(fetcherFunc(func(context.Context, *Request) (*Response, error) {
			if !slow {
				return &Response{Status: 200, Latency: time.Millisecond}, nil
			}
			time.Sleep(30 * time.Second)
			return nil, &Error{Kind: KindAnswerTimeout}
		}), rate)
		for i := range 40 {
			slow = i > 20
			p.Fetch(t.Context(), &Request{URL: "http://shop.example/"})
		}
		if last.Reason != ReasonSlow || last.Latency < time.Second || last.Rate > 5 {
			t.Errorf("last change %+v", last)
		}
	})
}

// TestPoliteHosts wants the rate of one host not to affect another.
func TestPoliteHosts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPolite(fetcherFunc(func(_ context.Context, req *Request) (*Response, error) {
			if req.URL == "http://busy.example/" {
				return &Response{Status: 503, RetryAfter: time.Minute}, nil
			}
			return &Response{Status: 200}, nil
		}), (*Options)(nil).withDefaults().Rate)
		start := time.Now()
		for _, address := range []string{"http://busy.example/", "http://shop.example/", "http://busy.example:8080/"} {
			p.Fetch(t.Context(), &Request{URL: address})
		}
		if took := time.Since(start); took != 0 {
			t.Errorf("others waited %v", took)
		}
		p.Fetch(t.Context(), &Request{URL: "https://Busy.example:443/"})
		if took := time.Since(start); took != time.Minute {
			t.Errorf("the same host by another scheme waited %v", took)
		}
	})
}

func TestPoliteCanceled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPolite(fetcherFunc(func(ctx context.Context, req *Request) (*Response, error) {
			<-ctx.Done()
			return nil, &Error{Kind: KindCanceled, Err: ctx.Err()}
		}), Rate{PerHost: 1})
		workers(t, p, 5, time.Second, "http://shop.example/")
		p.next = fetcherFunc(func(context.Context, *Request) (*Response, error) { return &Response{Status: 200}, nil })
		if _, err := p.Fetch(t.Context(), &Request{URL: "http://shop.example/"}); err != nil {
			t.Error("a slot was lost:", err)
		}
		p.Fetch(t.Context(), &Request{URL: "http://shop.example/", Delay: time.Hour})
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		_, err := p.Fetch(ctx, &Request{URL: "http://shop.example/", Delay: time.Hour})
		if !errors.Is(err, KindCanceled) || !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		if len(p.hosts.byName["shop.example"].Value.(*host).slots) != 0 {
			t.Error("a slot is still taken")
		}
	})
}

func TestHostsAreBounded(t *testing.T) {
	table := newHostTable(Rate{PerHost: 1})
	kept := table.acquire("kept.example")
	for i := range 3 * maxHosts {
		table.release(table.acquire(fmt.Sprintf("%d.example", i)))
	}
	if len(table.byName) != maxHosts || table.recent.Len() != maxHosts {
		t.Errorf("%d hosts, %d in order", len(table.byName), table.recent.Len())
	}
	if table.acquire("kept.example") != kept {
		t.Error("a host was forgotten while it was asked")
	}
	if table.byName["0.example"] != nil || table.byName[fmt.Sprintf("%d.example", 3*maxHosts-1)] == nil {
		t.Error("it was not the oldest that were forgotten")
	}
}
