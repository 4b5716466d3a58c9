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

// TestStepsOfTries begins again at another address, where the first one does not answer.
func TestStepsOfTries(t *testing.T) {
	t.Parallel()
	l := newLiveUpdates(time.UnixMilli(1000))
	for _, again := range []app.Event{
		appcrawl.HTTPFallback{From: "https://example.com/", To: "http://example.com/"},
		appcrawl.HTTPFallback{From: "https://127.0.0.1/", To: "http://127.0.0.1/"},
		appcrawl.StartMoved{From: "https://example.com/", To: "https://www.example.com/"},
	} {
		l.event(app.Ended{})
		l.event(again)
		if step := l.last.Step; step != StepBegin {
			t.Errorf("after %q the step is %s", again, step)
		}
	}
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

// TestPace estimates the rate, and the end of a crawl once its queue shrinks or a limit of pages is
// near.
func TestPace(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		waiting func(second int) int
		total   int
		known   func(second int) bool
		left    time.Duration // after 60 seconds
	}{
		"a site that grows":  {func(s int) int { return 100 + 60*s }, 0, func(int) bool { return false }, 0},
		"a queue that stays": {func(int) int { return 500 }, 0, func(int) bool { return false }, 0},
		"a sitemap, then its pages": {
			func(s int) int { return 6000 - 50*s }, 0, func(s int) bool { return s > 0 }, time.Minute,
		},
		"growth, then the rest": {
			func(s int) int { return 60 * (30 - max(30-s, s-30)) }, 0, func(s int) bool { return s > 36 }, 0,
		},
		"a limit of pages": {
			func(s int) int { return 100 + 60*s }, 6000, func(s int) bool { return s > 0 }, time.Minute,
		},
	} {
		l, at := newLiveUpdates(time.UnixMilli(0)), time.UnixMilli(0)
		var u Update
		for second := range 61 {
			p := app.Progress{Progress: crawl.Progress{
				Pages: 50 * second, Requests: 50 * second, Waiting: c.waiting(second),
			}, Total: c.total}
			l.progressLocked(&u, &p, at)
			at = at.Add(time.Second)
			if known := u.Total > 0; known != c.known(second) && (second < 31 || second > 36) {
				t.Errorf("%s: after %d seconds the total is %d, left %v", name, second, u.Total, u.Left)
			}
			if u.Left > 0 && u.Step != StepVisit || u.Total == 0 && u.Left > 0 {
				t.Errorf("%s: %+v", name, u)
			}
		}
		if u.Rate < 49 || u.Rate > 51 || (u.Left-c.left).Abs() > 2*time.Second {
			t.Errorf("%s: rate %v, left %v, want %v", name, u.Rate, u.Left, c.left)
		}
	}
}

// TestStall estimates a site that answers every ten seconds, and nothing once it does not.
func TestStall(t *testing.T) {
	t.Parallel()
	var c pace
	at := time.UnixMilli(0)
	for second := range 300 {
		p := app.Progress{Progress: crawl.Progress{Requests: min(second, 200) / 10, Waiting: 100 - min(second, 200)/10}}
		c.measure(&p, at.Add(time.Duration(second)*time.Second))
		left, _ := c.estimate(&p)
		switch {
		case second > 20 && second <= 200 && (left < 750*time.Second || left > 1000*time.Second):
			t.Errorf("after %d seconds, %v are left", second, left)
		case second > 231 && left+time.Duration(c.rate) != 0:
			t.Errorf("%d seconds after the last answer, %v are left, at %v requests per second", second-200, left, c.rate)
		}
	}
}

// TestSteps says what a crawl does.
func TestSteps(t *testing.T) {
	t.Parallel()
	l := newLiveUpdates(time.UnixMilli(0))
	for i, c := range []struct {
		event app.Event
		want  Step
	}{
		{app.Progress{}, StepBegin}, {progress(1), StepFind}, {app.Ended{}, StepWrite},
	} {
		if l.event(c.event); l.last.Step != c.want {
			t.Errorf("step %d is %s, want %s", i, l.last.Step, c.want)
		}
	}
}

// TestPaused keeps what is known of a crawl while it is paused, and knows it once when it goes on.
func TestPaused(t *testing.T) {
	t.Parallel()
	web := newSite(t, 100)
	web.broken.Store(true)
	web.gate = make(chan struct{})
	s, _ := start(t, Options{Folder: t.TempDir()})
	id := request(t, s, web.URL).ID
	<-web.reached
	first := func() Update {
		for u, err := range s.Watch(t.Context(), id, 0) {
			if err != nil {
				t.Fatal(err)
			}
			return u
		}
		return Update{}
	}
	if _, err := s.Pause(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if u := first(); u.State != StatePaused || len(u.Depths) != 2 || u.Left != 0 {
		t.Errorf("of a paused crawl is shown %+v", u)
	}
	close(web.gate)
	if _, err := s.Resume(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if c := ended(t, s, id); c.Counts.Broken != 10 {
		t.Errorf("%+v", c.Counts)
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if len(s.live) != 0 {
		t.Error("the updates of a crawl that has ended are kept")
	}
}

// TestProblemOnce has a problem once, although a crawl that goes on reports it again.
func TestProblemOnce(t *testing.T) {
	t.Parallel()
	l := newLiveUpdates(time.UnixMilli(0))
	for range 3 {
		l.event(broken(1))
	}
	if len(l.problems) != 1 {
		t.Errorf("problems %v", l.problems)
	}
}
