package service

import (
	"cmp"
	"context"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app"
	appcrawl "github.com/mapatools/mapa/internal/app/crawl"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/jobs"
)

// An Update is what changed of a crawl that is watched.
type Update struct {
	// Number grows with every update of the crawl, also after a restart of the server.
	Number   uint64
	State    State
	Counts   Counts
	Position int           // in the queue, from 1; 0 when it is not queued
	Rate     float64       // requests per second
	URL      string        // that was requested last
	Left     time.Duration // until the end, as estimated; 0 is unknown
	Total    int64         // pages at the end, as estimated; 0 is unknown
	Step     Step          // of a crawl that runs
	Depths   []int64       // pages found, by depth; not to be changed
	Problems []Problem     // new ones since the update before; not to be changed
	Notice   string        // something that the user should know, or empty
}

// A Step is what a crawl does.
type Step string

// The steps of a crawl, in their order.
const (
	StepBegin Step = "begin" // requests robots.txt and the start
	StepFind  Step = "find"  // finds more pages than it visits
	StepVisit Step = "visit" // visits the pages that are left
	StepWrite Step = "write" // writes its results
)

// A Problem is a broken URL.
type Problem struct {
	URL    string
	Status int          // 0 without a response
	Reason crawl.Reason // one of crawl.BrokenReasons
	On     string       // the first page that links to it, or empty
}

const (
	keptUpdates  = 60  // of a crawl: a minute
	keptProblems = 500 // of a crawl, the first ones
	maxShown     = 300 // bytes of a URL or a text in an update
)

// A liveUpdates has the last updates of a crawl, which all who watch it share. It grows no
// further than keptUpdates and keptProblems.
type liveUpdates struct {
	watchers int // counted by Service.mutex

	mutex    sync.Mutex
	number   uint64
	last     Update   // without Problems
	updates  []Update // the newest last
	problems []Problem
	fresh    []Problem // of problems, not in an update yet
	changed  chan struct{}

	pace pace
}

// newLiveUpdates returns the updates of a crawl. Their numbers begin with the time, so that they
// grow although earlier ones are forgotten.
func newLiveUpdates(now time.Time) *liveUpdates {
	return &liveUpdates{number: uint64(now.UnixMilli()), changed: make(chan struct{})}
}

// begin takes a crawl as it is, unless something newer is known.
func (l *liveUpdates) begin(c *Crawl) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.last.State == "" || c.State.Ended() && !l.last.State.Ended() {
		l.publishLocked(func(u *Update) {
			u.State, u.Counts, u.Position, u.URL = c.State, c.Counts, c.Position, shortened(c.URL)
		})
	}
}

// ran reports whether the crawl ran and has not ended: what it found is kept while it is paused.
func (l *liveUpdates) ran() bool {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.last.Step != "" && !l.last.State.Ended()
}

func (l *liveUpdates) counts() Counts {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.last.Counts
}

// publish adds an update, which change makes of the last one.
func (l *liveUpdates) publish(change func(*Update)) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.publishLocked(change)
}

func (l *liveUpdates) publishLocked(change func(*Update)) {
	l.last.Notice = ""
	change(&l.last)
	l.number++
	l.last.Number = l.number
	update := l.last
	update.Problems, l.fresh = l.fresh, nil
	if len(l.updates) == keptUpdates {
		l.updates = slices.Delete(l.updates, 0, 1)
	}
	l.updates = append(l.updates, update)
	close(l.changed)
	l.changed = make(chan struct{})
}

// since returns the updates after a number, and a channel that is closed when there are
// more. Where the number is not among the last ones, it is one update with all problems.
func (l *liveUpdates) since(after uint64) ([]Update, <-chan struct{}) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if after == l.number {
		return nil, l.changed
	}
	at := slices.IndexFunc(l.updates, func(u Update) bool { return u.Number == after+1 })
	if at >= 0 {
		return slices.Clone(l.updates[at:]), l.changed
	}
	all := l.last
	all.Number, all.Problems = l.number, slices.Clone(l.problems)
	return []Update{all}, l.changed
}

// event takes an event of the crawl.
func (l *liveUpdates) event(e app.Event) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	switch e := e.(type) {
	case appcrawl.PageFetched:
		l.last.URL = e.URL // shortened when it is published
	case appcrawl.PagesFound:
		l.last.Depths = e.Depths
	case appcrawl.BrokenFound:
		problem := Problem{shortened(e.URL), e.Status, e.Reason, shortened(e.On)}
		if len(l.problems) < keptProblems && !slices.Contains(l.problems, problem) { // a crawl that goes on has it again
			l.problems, l.fresh = append(l.problems, problem), append(l.fresh, problem)
		}
	case appcrawl.StartMoved, appcrawl.HTTPFallback: // the crawl begins again
		l.publishLocked(func(u *Update) { u.Step = StepBegin })
		l.noticeLocked(e.In(catalog.For(catalog.English)))
	case app.Notice, app.RateChange:
		l.noticeLocked(e.In(catalog.For(catalog.English)))
	case app.Ended:
		l.publishLocked(func(u *Update) { u.Step, u.Rate, u.Left = StepWrite, 0, 0 })
	case app.Progress:
		l.publishLocked(func(u *Update) { l.progressLocked(u, &e, time.Now()) })
	}
}

func (l *liveUpdates) noticeLocked(text string) {
	if text != "" {
		l.publishLocked(func(u *Update) { u.Notice = shortened(text) })
	}
}

// progressLocked records the progress of the crawl.
func (l *liveUpdates) progressLocked(u *Update, p *app.Progress, now time.Time) {
	u.URL, u.Counts = shortened(cmp.Or(p.Reading, u.URL)), countsOf(p)
	l.pace.measure(p, now)
	u.Step, u.Rate = StepFind, l.pace.rate
	u.Left, u.Total = l.pace.estimate(p)
	switch {
	case p.Requests == 0 && p.Pages == 0:
		u.Step = StepBegin
	case u.Total > 0:
		u.Step = StepVisit
	}
}

func countsOf(p *app.Progress) Counts {
	return Counts{
		Pages: int64(p.Pages), Listed: int64(p.Listed), Broken: int64(p.Broken), Redirects: int64(p.Redirects),
		Waiting: int64(p.Waiting), Blocked: int64(p.Blocked), Bytes: p.Bytes,
	}
}

// Watch yields the updates of a crawl after a number: first what is known, then each as it
// comes, until the crawl has ended or ctx ends. A number that is not known anymore, such
// as 0, leads to one update with everything so far. The error is [ErrNotFound] when there
// is no such crawl. Watchers of one crawl share its updates, so that each costs little.
func (s *Service) Watch(ctx context.Context, id string, after uint64) iter.Seq2[Update, error] {
	return func(yield func(Update, error) bool) {
		l, release, err := s.watched(ctx, id)
		if err != nil {
			yield(Update{}, err)
			return
		}
		defer release()
		for {
			updates, changed := l.since(after)
			for _, u := range updates {
				if !yield(u, nil) || u.State.Ended() {
					return
				}
				after = u.Number
			}
			if len(updates) > 0 {
				continue // more may have come
			}
			select {
			case <-ctx.Done():
				return
			case <-changed:
			}
		}
	}
}

// watched returns the updates of a crawl for one who watches it until release is called.
func (s *Service) watched(ctx context.Context, id string) (*liveUpdates, func(), error) {
	s.mutex.Lock()
	l := s.live[id]
	if l == nil {
		l = newLiveUpdates(s.now())
		s.live[id] = l
	}
	l.watchers++ // from now on it receives what changes
	s.mutex.Unlock()
	release := func() { s.unwatch(id, l) }
	c, err := s.crawl(ctx, id)
	if err != nil {
		release()
		return nil, nil, err
	}
	l.begin(c)
	return l, release, nil
}

// unwatch forgets the updates of a crawl that did not run and that nobody watches.
func (s *Service) unwatch(id string, l *liveUpdates) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	l.watchers--
	if l.watchers == 0 && s.running[id] == nil && s.live[id] == l && !l.ran() {
		delete(s.live, id)
	}
}

// liveOfLocked returns the updates of a crawl that begins to run.
func (s *Service) liveOfLocked(c *jobs.Crawl) *liveUpdates {
	l := s.live[c.ID]
	if l == nil {
		l = newLiveUpdates(s.now())
		s.live[c.ID] = l
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.last.Counts, l.last.Step, l.last.Total, l.pace = c.Counts, StepBegin, 0, pace{}
	return l
}

// announceState publishes the state of a crawl to those who watch it.
func (s *Service) announceState(c *jobs.Crawl) {
	s.mutex.Lock()
	l := s.live[c.ID]
	if l != nil && c.State.Ended() {
		delete(s.live, c.ID)
	}
	s.mutex.Unlock()
	if l != nil {
		l.publish(func(u *Update) { u.State, u.Counts, u.Position, u.Rate, u.Left = c.State, c.Counts, 0, 0, 0 })
	}
}

// announcePositions publishes the places in the queue to those who watch.
func (s *Service) announcePositions() {
	s.mutex.Lock()
	watched, order := maps.Clone(s.live), maps.Clone(s.order)
	s.mutex.Unlock()
	for id, l := range watched {
		l.mutex.Lock()
		if position := order[id]; l.last.State == StateQueued && l.last.Position != position {
			l.publishLocked(func(u *Update) { u.Position = position })
		}
		l.mutex.Unlock()
	}
}

// shortened bounds a text that a site chose.
func shortened(text string) string {
	if len(text) <= maxShown {
		return text
	}
	return strings.ToValidUTF8(text[:maxShown], "") + "…"
}
