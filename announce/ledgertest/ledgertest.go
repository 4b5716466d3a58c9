// Package ledgertest has the suite that every [announce.Ledger] passes.
package ledgertest

import (
	"context"
	"fmt"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/mapatools/mapa/announce"
)

const (
	channel = "indexnow"
	target  = "example.com"
)

// Run runs the suite. open returns an empty ledger, which is used until the test ends.
func Run(t *testing.T, open func(t *testing.T) announce.Ledger) {
	for _, test := range []struct {
		name string
		run  func(t *testing.T, l *ledger)
	}{
		{"Versions", testVersions},
		{"Refused", testRefused},
		{"Unknown", testUnknown},
		{"Cooldown", testCooldown},
		{"Lease", testLease},
		{"Quota", testQuota},
		{"QuotaResets", testQuotaResets},
		{"Channels", testChannels},
		{"Concurrent", testConcurrent},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(t, &ledger{open(t), t}) })
	}
}

// A ledger fails the test on errors.
type ledger struct {
	announce.Ledger
	t *testing.T
}

func batch(items ...announce.Item) *announce.Batch {
	return &announce.Batch{Channel: channel, Target: target, Kind: announce.KindURLs, Items: items, Lease: time.Hour}
}

func item(path, version string) announce.Item {
	return announce.Item{URL: "https://" + target + path, Version: version}
}

func (l *ledger) claim(b *announce.Batch) *announce.Claim {
	l.t.Helper()
	c, err := l.Claim(context.Background(), b)
	if err != nil {
		l.t.Fatal(err)
	}
	return c
}

func (l *ledger) settle(c *announce.Claim, o announce.Outcome) {
	l.t.Helper()
	if err := l.Settle(context.Background(), c, o); err != nil {
		l.t.Fatal(err)
	}
}

// want compares what a claim takes and leaves out.
func (l *ledger) want(c *announce.Claim, want announce.Claim) {
	l.t.Helper()
	got := *c
	got.ID, got.Until, want.ID, want.Until = 0, time.Time{}, 0, time.Time{}
	if !reflect.DeepEqual(got, want) {
		l.t.Errorf("got %+v, want %+v", got, want)
	}
}

func testVersions(_ *testing.T, l *ledger) {
	a, b := item("/a", "1"), item("/b", "1")
	l.settle(l.claim(batch(a)), announce.OutcomeSent)
	c := l.claim(batch(a, b))
	l.want(c, announce.Claim{Items: []announce.Item{b}, Known: 1})
	l.settle(c, announce.OutcomeSent)
	l.want(l.claim(batch(a, b)), announce.Claim{Known: 2})
	changed := item("/a", "2")
	l.want(l.claim(batch(changed)), announce.Claim{Items: []announce.Item{changed}})
	always := item("/c", "")
	l.settle(l.claim(batch(always)), announce.OutcomeSent)
	l.want(l.claim(batch(always)), announce.Claim{Items: []announce.Item{always}})
}

func testRefused(_ *testing.T, l *ledger) {
	a := item("/a", "1")
	l.settle(l.claim(batch(a)), announce.OutcomeRefused)
	l.want(l.claim(batch(a)), announce.Claim{Items: []announce.Item{a}})
}

func testUnknown(_ *testing.T, l *ledger) {
	a := item("/a", "1")
	l.settle(l.claim(batch(a)), announce.OutcomeUnknown)
	c := l.claim(batch(a))
	l.want(c, announce.Claim{Items: []announce.Item{a}, Repeated: 1})
	// The refusal of the second attempt says nothing about the first.
	l.settle(c, announce.OutcomeRefused)
	c = l.claim(batch(a))
	l.want(c, announce.Claim{Items: []announce.Item{a}, Repeated: 1})
	l.settle(c, announce.OutcomeSent)
	l.want(l.claim(batch(a)), announce.Claim{Known: 1})
}

func testCooldown(t *testing.T, l *ledger) {
	l.settle(l.claim(batch(item("/a", "1"))), announce.OutcomeSent)
	b := batch(item("/a", "2"))
	b.Cooldown = time.Hour
	c := l.claim(b)
	l.want(c, announce.Claim{Cooling: 1})
	if until := time.Until(c.Until); until <= 0 || until > time.Hour {
		t.Errorf("the cooldown ends in %v", until)
	}
	b.Cooldown = 0
	l.want(l.claim(b), announce.Claim{Items: b.Items})
}

func testLease(_ *testing.T, l *ledger) {
	a := item("/a", "1")
	l.claim(batch(a)) // never settled
	l.want(l.claim(batch(a)), announce.Claim{Busy: 1})
	short := batch(item("/b", "1"))
	short.Lease = 0
	l.claim(short)
	l.want(l.claim(short), announce.Claim{Items: short.Items, Repeated: 1})
}

func (l *ledger) setQuota(left int, resets time.Time) {
	l.t.Helper()
	err := l.SetQuota(context.Background(), announce.Quota{
		Channel: channel, Target: target, Kind: announce.KindURLs, Limit: 10, Left: left,
		Since: resets.Add(-24 * time.Hour), Resets: resets,
	})
	if err != nil {
		l.t.Fatal(err)
	}
}

func testQuota(t *testing.T, l *ledger) {
	l.settle(l.claim(batch(item("/before", "1"))), announce.OutcomeSent)
	resets := time.Now().Add(time.Hour).Truncate(time.Second)
	l.setQuota(2, resets)
	a, b, c := item("/a", "1"), item("/b", "1"), item("/c", "1")
	claim := l.claim(batch(a, b, c))
	l.want(claim, announce.Claim{Items: []announce.Item{a, b}, OverQuota: 1})
	if !claim.Until.Equal(resets) {
		t.Errorf("the quota resets at %v, want %v", claim.Until, resets)
	}
	l.settle(claim, announce.OutcomeSent)
	quotas, err := l.Quotas(context.Background())
	if err != nil || len(quotas) != 1 {
		t.Fatalf("quotas %v, error %v", quotas, err)
	}
	if q := quotas[0]; q.Used != 3 || q.Left != 0 || q.Limit != 10 || !q.Resets.Equal(resets) || q.Target != target {
		t.Errorf("got %+v", q)
	}
	other := batch(c)
	other.Target = "other.example"
	l.want(l.claim(other), announce.Claim{Items: []announce.Item{c}})
}

func testQuotaResets(t *testing.T, l *ledger) {
	l.setQuota(0, time.Now().Add(-time.Second))
	a := item("/a", "1")
	l.want(l.claim(batch(a)), announce.Claim{Items: []announce.Item{a}})
	if quotas, err := l.Quotas(context.Background()); err != nil || len(quotas) != 0 {
		t.Errorf("quotas %v, error %v", quotas, err)
	}
}

func testChannels(_ *testing.T, l *ledger) {
	a := item("/a", "1")
	l.settle(l.claim(batch(a)), announce.OutcomeSent)
	other := batch(a)
	other.Channel = "baidu"
	l.want(l.claim(other), announce.Claim{Items: []announce.Item{a}})
	feed := batch(a)
	feed.Kind = announce.KindFeed
	l.want(l.claim(feed), announce.Claim{Items: []announce.Item{a}})
}

// testConcurrent lets several goroutines send the same items: each goes out once.
func testConcurrent(t *testing.T, l *ledger) {
	const workers, items = 4, 20
	var all []announce.Item
	for i := range items {
		all = append(all, item(fmt.Sprintf("/%d", i), "1"))
	}
	var mutex sync.Mutex
	sent := map[string]int{}
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for from := 0; from < items; from += 5 {
				c, err := l.Claim(context.Background(), batch(all[from:from+5]...))
				if err != nil {
					t.Error(err)
					return
				}
				mutex.Lock()
				for _, claimed := range c.Items {
					sent[claimed.URL]++
				}
				mutex.Unlock()
				if c.ID == 0 {
					continue
				}
				if err := l.Settle(context.Background(), c, announce.OutcomeSent); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	if len(sent) != items {
		t.Errorf("%d of %d items were sent", len(sent), items)
	}
	for url, times := range sent {
		if times != 1 {
			t.Errorf("%s was sent %d times", url, times)
		}
	}
}
