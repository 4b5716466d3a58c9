package service

import (
	"fmt"
	"testing"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app"
	appcrawl "github.com/mapatools/mapa/internal/app/crawl"
)

func broken(n int) appcrawl.BrokenFound {
	return appcrawl.BrokenFound{URL: fmt.Sprintf("https://example.com/%d", n), Status: 404,
		Reason: crawl.ReasonClientError}
}

func progress(pages int) app.Progress {
	return app.Progress{Progress: crawl.Progress{Pages: pages, Requests: pages, Waiting: 10}}
}

// TestUpdates resumes by number: whoever reads on gets every problem once, and whoever
// was away for too long gets all of them in one update.
func TestUpdates(t *testing.T) {
	t.Parallel()
	l := newLiveUpdates(time.UnixMilli(1000))
	var after uint64
	seen, fresh := 0, map[string]int{}
	read := func() {
		updates, _ := l.since(after)
		for _, u := range updates {
			if u.Number <= after {
				t.Fatalf("number %d after %d", u.Number, after)
			}
			after = u.Number
			seen++
			for _, p := range u.Problems {
				fresh[p.URL]++
			}
		}
	}
	for i := range 200 {
		l.event(broken(i))
		l.event(progress(i))
		if i%3 == 0 {
			read()
		}
	}
	read()
	if updates, _ := l.since(after); len(updates) != 0 || seen != 200 || len(fresh) != 200 {
		t.Errorf("%d updates, %d problems, %d more", seen, len(fresh), len(updates))
	}
	for url, n := range fresh {
		if n != 1 {
			t.Errorf("%s came %d times", url, n)
		}
	}
	for _, away := range []uint64{0, 1001, after - keptUpdates - 1, after + 5} {
		updates, _ := l.since(away)
		first := updates[0]
		if len(updates) != 1 || len(first.Problems) != 200 || first.Counts.Pages != 199 || first.Number != after {
			t.Errorf("after %d: %d updates, the first with %d problems", away, len(updates), len(updates[0].Problems))
		}
	}
}

// TestUpdatesBound keeps no more of a crawl than the bounds, whatever the site does.
func TestUpdatesBound(t *testing.T) {
	t.Parallel()
	l := newLiveUpdates(time.UnixMilli(0))
	for i := range 10 * keptProblems {
		l.event(broken(i))
		l.event(app.Notice{Text: string(make([]byte, 10*maxShown))})
	}
	if len(l.updates) != keptUpdates || len(l.problems) != keptProblems || len(l.updates[0].Notice) > maxShown+10 {
		t.Errorf("%d updates, %d problems, a notice of %d bytes", len(l.updates), len(l.problems), len(l.updates[0].Notice))
	}
}

// TestRate estimates the rate and the time that is left.
func TestRate(t *testing.T) {
	t.Parallel()
	l := newLiveUpdates(time.UnixMilli(0))
	at := time.UnixMilli(0)
	var u Update
	for i := range 20 {
		p := progress(i * 50)
		l.progressLocked(&u, &p, at)
		at = at.Add(time.Second)
	}
	if u.Rate < 49 || u.Rate > 51 || u.Left != 0 {
		t.Errorf("rate %v, left %v", u.Rate, u.Left)
	}
	p := progress(20 * 50)
	p.Waiting, p.Total = 100_000, 1500
	l.progressLocked(&u, &p, at)
	if u.Left != 10*time.Second {
		t.Errorf("left %v", u.Left)
	}
}
