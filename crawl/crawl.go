package crawl

import (
	"context"
	"errors"
	"sync"
	"time"
)

const (
	// flushInterval is how often pending results are written and progress is reported.
	flushInterval = time.Second
	// timeGrace is how long requests under way may take after Limits.Time.
	timeGrace = 2 * time.Second
)

// Run crawls until nothing is left, a limit is reached or ctx ends. It finishes the
// store when nothing is left to do, and never closes it.
//
// The error is nil when the crawl is done or has reached a limit. It is ErrStopped
// or ErrOutage when the crawl was interrupted, and an [*UnrenderedError] when pages
// could not be rendered. The store then holds everything that
// was fetched, and another Run continues; it also continues after Limits.Time. After
// an outage it requests the URLs without an answer again. Any other error says why
// the crawl could not begin or go on.
//
// Only options.Start is required.
func Run(ctx context.Context, store Store, options *Options) (Progress, error) {
	site, err := newSite(options)
	if err != nil {
		return Progress{}, err
	}
	defer site.client.Close()
	c := newCrawler(site, store)
	err = c.run(ctx)
	progress := c.progress()
	if err == nil && progress.Limit != LimitTime {
		finishing, cancel := c.limitFinish(context.WithoutCancel(ctx))
		err = store.Finish(finishing)
		cancel()
	}
	return progress, errors.Join(err, c.close())
}

// crawler starts and ends the goroutines of a run.
type crawler struct{ committer }

func newCrawler(site *site, store Store) *crawler {
	return &crawler{committer{state: newState(site), store: store, batches: make(chan batch)}}
}

func (c *crawler) run(ctx context.Context) error {
	if err := c.replay(ctx); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	seeding, requesting, end := c.limitTime(ctx)
	defer end()
	stop := context.AfterFunc(ctx, c.stop)
	defer stop()

	var writing, ticking sync.WaitGroup
	writing.Go(func() { c.write(cancel) })
	done := make(chan struct{})
	ticking.Go(func() { c.tick(done) })
	if c.seeded {
		c.checkRobots(seeding)
	} else {
		c.seed(seeding)
	}
	c.requestAll(ctx, requesting)
	c.lookAgain(requesting)
	if c.askVanished(requesting) {
		c.requestAll(ctx, requesting)
	}
	refused, asked := c.askAgents(requesting)
	c.endRetries()
	close(done)
	ticking.Wait()
	c.flush(true)
	close(c.batches)
	writing.Wait()
	if asked && c.options.OnAgents != nil {
		c.options.OnAgents(refused)
	}
	return c.outcome(ctx)
}

// limitTime returns the contexts of the seeds and of the requests for pages, which end
// with ctx and after Limits.Time. end releases both.
func (c *crawler) limitTime(ctx context.Context) (seeding, requesting context.Context, end func()) {
	seeding, endSeeding := context.WithCancel(ctx)
	requesting, endRequests := context.WithCancel(ctx)
	var timers []*time.Timer
	if limit := c.options.Limits.Time; limit > 0 {
		timers = append(timers,
			time.AfterFunc(limit, func() {
				c.reachLimit(LimitTime)
				endSeeding() // a list of seeds may never end
			}),
			time.AfterFunc(limit+timeGrace, endRequests)) // pages under way wait for the next run
	}
	return seeding, requesting, func() {
		for _, timer := range timers {
			timer.Stop()
		}
		endSeeding()
		endRequests()
	}
}

// limitFinish returns the context in which the store is finished: soon after Limits.Time
// there is no time left for more than has to be.
func (c *crawler) limitFinish(ctx context.Context) (context.Context, context.CancelFunc) {
	limit := c.options.Limits.Time
	if limit <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, max(time.Until(c.began.Add(limit+timeGrace)), time.Second))
}

// requestAll lets workers request what is in the queues, until nothing is left.
func (c *crawler) requestAll(ctx, requesting context.Context) {
	var working sync.WaitGroup
	for again := true; again; again = c.beginRetries() || c.addOffered(ctx) {
		c.startWorkers(requesting, &working)
		working.Wait()
		c.probe(requesting, 1)
	}
}

// startWorkers starts the workers, which end when nothing is left but pages without an
// answer.
func (c *crawler) startWorkers(ctx context.Context, working *sync.WaitGroup) {
	for range c.options.Concurrency {
		working.Go(func() { c.work(ctx) })
	}
	if c.options.Checks.Assets || c.options.Checks.External || c.checks.count() > 0 { // an earlier run may have found some
		working.Go(func() { c.check(ctx, working) })
	}
}

// work processes pages until there are no more.
func (c *crawler) work(ctx context.Context) {
	r := newRequester(c.state)
	for {
		next, ok := c.takeItem(true)
		if !ok {
			return
		}
		c.complete(ctx, r, next)
	}
}

// check processes the URLs that are only checked, until there are no more. Each has a goroutine:
// one for each request that may be in flight would be woken by every page.
func (c *crawler) check(ctx context.Context, working *sync.WaitGroup) {
	places := make(chan struct{}, checksAtOnce(c.options.Concurrency))
	for {
		places <- struct{}{}
		next, ok := c.takeItem(false)
		if !ok {
			return
		}
		working.Go(func() {
			c.complete(ctx, newRequester(c.state), next)
			<-places
		})
	}
}

// complete processes an item, and does what is due then.
func (c *crawler) complete(ctx context.Context, r *requester, next item) {
	r.process(ctx, next)
	c.flush(false)
	c.probe(ctx, outageThreshold)
}

// tick writes pending results and reports progress once per flushInterval.
func (c *crawler) tick(done <-chan struct{}) {
	ticker := time.NewTicker(flushInterval)
	defer ticker.Stop()
	for {
		select {
		case <-done:
			return
		case <-ticker.C:
			c.flush(true)
			c.checkDelay(0)
			if c.options.OnProgress != nil {
				c.options.OnProgress(c.progress())
			}
		}
	}
}

// outcome returns the error of the run.
func (c *crawler) outcome(ctx context.Context) error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	switch {
	case c.failed != nil:
		return c.failed
	case ctx.Err() != nil:
		return ErrStopped
	case c.unrendered != nil && c.tally.Limit == LimitNone:
		return c.unrendered
	case c.outage.refused != 0:
		return &RefusedError{c.outage.refused}
	case c.outage.detected:
		return ErrOutage
	}
	return nil
}
