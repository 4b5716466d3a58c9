package crawl

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"sync"
	"time"

	"github.com/mapatools/mapa/internal/fetch"
	"github.com/mapatools/mapa/internal/urlnorm"
)

const (
	defaultConcurrency = 8
	mostUnsaved        = 500 // pages that a kill may cost
	commitPages        = mostUnsaved / 2
	commitEvery        = time.Second
	mostTexts          = 100 // bytes of a link's text that are kept
)

// Why a crawl could not begin. Errors wrap these together with what the network
// or the site said.
var (
	ErrStart       = errors.New("the start page cannot be fetched")
	ErrForbidden   = errors.New("robots.txt forbids the start page")
	ErrStopped     = errors.New("the crawl was stopped before its end")
	ErrOutage      = errors.New("the site stopped answering")
	errStartScheme = errors.New("not an http or https address")
)

// A MovedError says that the start address leads to another site.
type MovedError struct{ To string }

// Error names the other site's address.
func (e *MovedError) Error() string { return "the start page redirects to another site: " + e.To }

// Run crawls until nothing is left, a limit is reached or ctx ends. It finishes the
// store when nothing is left to do, and never closes it. The error is nil when the crawl is done or has reached a limit, and
// ErrStopped or ErrSilent when it was cut off. Everything fetched is in the store
// then, and another Run goes on with what was cut off or has reached the limit of
// time. It asks again for the addresses that a silent site gave no answer for.
// Another error says why nothing, or no more, could be done.
func Run(ctx context.Context, store Store, options Options) (Progress, error) {
	c, err := newCrawler(store, options)
	if err != nil {
		return Progress{}, err
	}
	defer c.client.Close()
	err = c.run(ctx)
	progress := c.progress()
	if err == nil && progress.Limit != LimitTime {
		err = store.Finish(context.WithoutCancel(ctx))
	}
	return progress, errors.Join(err, c.pages.file.close(), c.checks.file.close())
}

// A crawler is one run. What is below mutex changes; the rest does not.
type crawler struct {
	options   Options
	start     string
	territory *territory
	tracking  *urlnorm.Parameters // left out of every address
	strip     *urlnorm.Parameters // left out of every key: a session may have to be sent
	session   *urlnorm.Parameters // of strip, those that carry a session
	client    *fetch.Client
	hosts     *hostTable
	store     Store
	commits   chan Commit
	handing   sync.Mutex // commits go to the writer in the order in which they are made
	began     time.Time

	mutex     sync.Mutex
	wake      *sync.Cond
	seen      *seenSet
	trapper   *trapper
	pages     frontier    // of the site
	checks    frontier    // assets and other sites
	held      map[ID]Link // met by nofollow links only, so far
	redirects map[ID]hop
	last      ID
	working   int
	silence   silence
	taken     int          // pages of the site that this run asked for
	given     []SeedSource // by ID, while the crawl is seeded
	seeded    bool         // a run before had all that the crawl begins with
	stopped   bool         // take nothing more
	failed    error
	pending   Commit
	writing   int // pages that are handed over and not kept yet
	tally     Progress
}

// A Progress is how far a crawl is.
type Progress struct {
	Pages     int // fetched, of the site
	Listed    int
	Found     int // addresses met
	Waiting   int // of them, to be fetched
	Broken    int
	Redirects int
	Blocked   int // by robots.txt
	Sessions  int // links that carry a session identifier, which makes no difference
	Crowded   int // pages with too many links whose first one beyond is known, so that no address tells of it
	Requests  int
	Bytes     int64 // of bodies, as sent
	Elapsed   time.Duration
	Limit     string // the limit that ended the crawl: LimitPages, LimitTime or LimitBytes; mostly empty
	// Unanswered are the addresses that went without an answer when the site
	// stopped giving any; they wait.
	Unanswered int
	Resumed    bool
}

func newCrawler(store Store, options Options) (*crawler, error) {
	if options.Access.Concurrency <= 0 {
		options.Access.Concurrency = defaultConcurrency
	}
	options.Traps = options.Traps.withDefaults()
	base, err := urlnorm.NewBase([]byte(options.Start))
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrStart, options.Start, errStartScheme)
	}
	start, err := url.Parse(base.String())
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrStart, err)
	}
	client, err := fetch.New(options.fetchOptions(start))
	if err != nil {
		return nil, err
	}
	c := &crawler{
		options:   options,
		start:     base.String(),
		territory: newTerritory(start, base.String(), options.Scope),
		client:    client,
		hosts:     newHostTable(client, start.Scheme+"://"+start.Host, options.IgnoreRobots),
		store:     store,
		commits:   make(chan Commit),
		began:     time.Now(),
		seen:      newSeenSet(),
		trapper:   newTrapper(options.Traps, time.Now()),
		held:      map[ID]Link{},
		redirects: map[ID]hop{},
		pages:     frontier{file: spill{folder: options.Scratch}},
		checks:    frontier{file: spill{folder: options.Scratch}},
	}
	if reason, detail := c.territory.judge([]byte(c.start)); reason != ReasonListed {
		client.Close()
		return nil, fmt.Errorf("%w: %s: it is left out itself: %s", ErrStart, c.start, detail)
	}
	c.tracking = urlnorm.NewParameters(urlnorm.TrackingParameters()...)
	c.session = urlnorm.NewParameters(urlnorm.SessionParameters()...)
	c.strip = urlnorm.PageParameters(options.StripParameters...)
	c.wake = sync.NewCond(&c.mutex)
	return c, nil
}

func (c *crawler) run(ctx context.Context) error {
	if err := c.replay(ctx); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	beginning, begun := context.WithCancel(ctx)
	defer begun()
	if c.options.Limits.Time > 0 {
		timer := time.AfterFunc(c.options.Limits.Time, func() {
			c.reach(LimitTime)
			begun() // what the crawl begins with may not come to its end
		})
		defer timer.Stop()
	}
	stop := context.AfterFunc(ctx, c.stop)
	defer stop()

	var writing sync.WaitGroup
	writing.Go(func() { c.write(cancel) })
	var ticking sync.WaitGroup
	done := make(chan struct{})
	ticking.Go(func() { c.tick(done) })

	if c.seeded {
		c.resume(beginning)
	} else {
		c.seed(beginning)
	}
	var working sync.WaitGroup
	for range c.options.Access.Concurrency {
		working.Go(func() { newWorker(c).work(ctx, &c.pages) })
	}
	if c.options.Assets || c.options.External {
		for range max(2, c.options.Access.Concurrency/2) {
			working.Go(func() { newWorker(c).work(ctx, &c.checks) })
		}
	}
	working.Wait()
	c.probe(ctx, 1)
	close(done)
	ticking.Wait()
	c.hand(true)
	close(c.commits)
	writing.Wait()
	return c.outcome(ctx)
}

// outcome says how the run ended.
func (c *crawler) outcome(ctx context.Context) error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	switch {
	case c.failed != nil:
		return c.failed
	case ctx.Err() != nil:
		return ErrStopped
	case c.silence.gone:
		return ErrOutage
	}
	return nil
}

// take returns the next address of a queue, or waits for one. It reports false
// when there will be none.
func (c *crawler) take(queue *frontier) (item, bool) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for {
		if c.stopped {
			return item{}, false
		}
		if limit := c.options.Limits.Pages; limit > 0 && c.taken >= limit && queue == &c.pages && queue.count > 0 {
			c.limit(LimitPages)
			return item{}, false
		}
		next, ok := item{}, false
		if c.working+len(c.pending.Done)+c.writing+len(c.silence.missed) < mostUnsaved {
			var err error
			if next, ok, err = queue.pop(); err != nil {
				c.broke(err)
				return item{}, false
			}
		}
		if ok {
			c.working++
			if next.role == RolePage {
				c.taken++
			}
			return next, true
		}
		if c.working == 0 && c.pages.count == 0 && c.checks.count == 0 {
			c.stopped = true
			c.wake.Broadcast()
			return item{}, false
		}
		c.wake.Wait()
	}
}

// stop lets the workers finish what they have and take nothing more.
func (c *crawler) stop() {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.stopped = true
	c.wake.Broadcast()
}

func (c *crawler) reach(limit string) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.limit(limit)
}

func (c *crawler) limit(name string) {
	if !c.stopped {
		c.tally.Limit = name
		c.stopped = true
		c.wake.Broadcast()
	}
}

// fail ends the crawl for a reason that lies outside of it.
func (c *crawler) fail(err error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.broke(err)
}

// broke is fail for those who hold the lock.
func (c *crawler) broke(err error) {
	if c.failed == nil {
		c.failed = err
	}
	c.stopped = true
	c.wake.Broadcast()
}

// hand gives what is pending to the writer when there is enough of it, or when
// it must.
func (c *crawler) hand(now bool) {
	if !c.due(now) {
		return
	}
	c.handing.Lock()
	defer c.handing.Unlock()
	if !c.due(now) {
		return
	}
	c.mutex.Lock()
	commit := c.pending
	c.writing += len(commit.Done)
	c.pending = Commit{Done: make([]Page, 0, commitPages), Found: make([]Link, 0, commitPages)}
	c.mutex.Unlock()
	c.commits <- commit
}

func (c *crawler) due(now bool) bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	done, found := len(c.pending.Done), len(c.pending.Found)+len(c.pending.Seeds)
	return done >= commitPages || now && done+found > 0
}

// write commits. When the store fails the crawl ends, and what comes after is
// dropped.
func (c *crawler) write(cancel context.CancelFunc) {
	broken := false
	for commit := range c.commits {
		if broken {
			continue
		}
		// A commit is not given up half-way: the context is the writer's own.
		if err := c.store.Append(context.Background(), commit); err != nil {
			broken = true
			c.fail(err)
			cancel()
		}
		c.written(len(commit.Done))
	}
}

// written lets the workers that waited for the store go on.
func (c *crawler) written(pages int) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.writing -= pages
	c.wake.Broadcast()
}

// tick commits what lies around and reports progress.
func (c *crawler) tick(done <-chan struct{}) {
	ticker := time.NewTicker(commitEvery)
	defer ticker.Stop()
	for {
		select {
		case <-done:
			return
		case <-ticker.C:
			c.hand(true)
			if c.options.OnProgress != nil {
				c.options.OnProgress(c.progress())
			}
		}
	}
}

func (c *crawler) progress() Progress {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	p := c.tally
	p.Found, p.Waiting = int(c.last), c.pages.count+c.checks.count+len(c.silence.missed)
	if c.silence.gone {
		p.Unanswered = len(c.silence.missed)
	}
	p.Elapsed = time.Since(c.began)
	return p
}

func whyOf(change fetch.RateChange) string {
	switch change.Reason {
	case fetch.ReasonOverloaded:
		return fmt.Sprintf("it answers %d", change.Status)
	case fetch.ReasonSlow:
		return fmt.Sprintf("it takes %v to answer", change.Latency.Round(time.Millisecond))
	}
	return "it has recovered"
}

// fetchOptions translate Access.
func (o *Options) fetchOptions(start *url.URL) *fetch.Options {
	a := o.Access
	options := &fetch.Options{UserAgent: a.UserAgent, Cookies: a.Cookies, Proxy: a.Proxy}
	header := a.Header.Clone()
	if a.User != "" {
		if header == nil {
			header = map[string][]string{}
		}
		header.Set("Authorization", basicAuthorization(a.User))
	}
	if len(header) > 0 {
		options.Headers = []fetch.OriginHeader{{Origin: start.Scheme + "://" + start.Host, Header: header}}
	}
	if a.PublicOnly {
		options.Guard = &fetch.Guard{}
	}
	options.Rate.PerSecond = a.Rate
	options.Rate.PerHost = a.Concurrency
	if slowed := o.OnRateChange; slowed != nil {
		options.Rate.OnChange = func(change fetch.RateChange) { slowed(change.Host, change.Rate, whyOf(change)) }
	}
	return options
}
