package fetch

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mapatools/mapa/access"
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
		}), pace{rate: access.PerSecond(5), perHost: 8})
		workers(t, p, 64, 100*time.Second, "http://shop.example/")
		if asked < 490 || asked > 510 || most > 8 {
			t.Errorf("%d requests in 100 s, %d at once", asked, most)
		}
	})
}

func TestPoliteTimeouts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var slow bool
		var last RateChange
		p := newPolite(fetcherFunc(func(context.Context, *Request) (*Response, error) {
			if !slow {
				return &Response{Status: 200, Latency: time.Millisecond}, nil
			}
			time.Sleep(30 * time.Second)
			return nil, &Error{Kind: KindAnswerTimeout}
		}), pace{perHost: 8, onChange: func(c RateChange) { last = c }})
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
				return &Response{Status: 503}, nil
			}
			return &Response{Status: 200}, nil
		}), pace{rate: access.PerSecond(20), perHost: 1})
		for range 3 * minRow {
			p.Fetch(t.Context(), &Request{URL: "http://busy.example/"})
		}
		time.Sleep(time.Hour)
		start := time.Now()
		fetch := func(address string) {
			for range 2 {
				p.Fetch(t.Context(), &Request{URL: address})
			}
		}
		fetch("http://shop.example/")
		fetch("http://busy.example:8080/")
		if took := time.Since(start); took > time.Second {
			t.Errorf("others waited %v", took)
		}
		fetch("https://Busy.example:443/")
		if took := time.Since(start); took < time.Second {
			t.Errorf("the same host by another scheme waited %v", took)
		}
	})
}

func TestPoliteCanceled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPolite(fetcherFunc(func(ctx context.Context, req *Request) (*Response, error) {
			<-ctx.Done()
			return nil, &Error{Kind: KindCanceled, Err: ctx.Err()}
		}), pace{perHost: 1})
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
	table := newHostTable(pace{perHost: 1})
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
