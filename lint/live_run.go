package lint

import (
	"cmp"
	"context"
	"sync"
)

// askSite applies the live rules: those about robots.txt, then those about pages.
func (r *run) askSite(ctx context.Context, deliver func(Finding) bool) error {
	t := &liveTeller{run: r, deliver: deliver, counts: map[liveCount]int{}}
	if !r.askRobots(ctx, t) {
		return nil
	}
	if len(r.plan.live) == 0 {
		return ctx.Err()
	}
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	queue := make(chan chan *encounter, 4*r.options.Concurrency)
	var reading error
	go func() {
		defer close(queue)
		reading = r.askPages(inner, queue)
	}()
	for answer := range queue {
		if e := <-answer; !t.stopped && ctx.Err() == nil {
			t.page(e)
		}
		if t.stopped {
			cancel()
		}
	}
	if t.stopped {
		return nil
	}
	if err := cmp.Or(ctx.Err(), reading); err != nil {
		return err
	}
	t.rest()
	return nil
}

// askPages puts the pages into the queue in their order, each already being asked
// for.
func (r *run) askPages(ctx context.Context, queue chan<- chan *encounter) error {
	slots := make(chan struct{}, r.options.Concurrency)
	var running sync.WaitGroup
	defer running.Wait()
	return r.roll.each(func(file uint32, page *listing) bool {
		select {
		case slots <- struct{}{}:
		case <-ctx.Done():
			return false
		}
		answer := make(chan *encounter, 1)
		running.Go(func() {
			defer func() { <-slots }()
			e := &encounter{run: r, ctx: ctx, file: file, page: page}
			e.judge()
			answer <- e
		})
		queue <- answer
		return true
	})
}

// A liveTeller counts and delivers what live rules find.
type liveTeller struct {
	*run
	deliver func(Finding) bool
	stopped bool
	counts  map[liveCount]int
	order   []liveCount // of first meeting
}

type liveCount struct {
	rule *Rule
	file string
}

// tell delivers a finding, or only counts it.
func (t *liveTeller) tell(f Finding) {
	if t.stopped {
		return
	}
	f.Severity = t.plan.severity[f.Rule]
	group := liveCount{f.Rule, f.File}
	if t.counts[group] == 0 {
		t.order = append(t.order, group)
	}
	t.counts[group]++
	if t.options.MaxPerRule < 0 || t.counts[group] <= t.options.MaxPerRule {
		t.stopped = !t.deliver(f)
	}
}

func (t *liveTeller) page(e *encounter) {
	for _, f := range e.found {
		f.File = t.set.files[e.file].location
		t.tell(f)
	}
}

// rest says what was only counted.
func (t *liveTeller) rest() {
	for _, group := range t.order {
		more := t.counts[group] - t.options.MaxPerRule
		if t.options.MaxPerRule < 0 || more <= 0 || t.stopped {
			continue
		}
		t.stopped = !t.deliver(Finding{
			Rule: group.rule, Severity: t.plan.severity[group.rule], File: group.file, Message: moreLikeThis(more), More: more,
		})
	}
}
