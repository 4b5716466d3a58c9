package journal

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mapatools/mapa/crawl"
)

// A model is the servers as the protocol sees them at their worst: every request takes
// some time before and after it takes effect, its answer may get lost, and so may the
// request itself, or it arrives late; reads may be out of date; now and then nothing
// answers for a while. It runs by the simulated clock of a synctest bubble, and all
// chance comes from one seed.
type model struct {
	calm       bool // nothing gets lost, except by a fault
	mutex      sync.Mutex
	random     *rand.Rand
	fault      fault
	made       int // requests
	hook       func()
	hookAt     int // number of the request before which hook is called
	pages      int // requests for pages
	pageHook   func()
	pageHookAt int       // number of the request with which pageHook is called
	silent     time.Time // no request takes effect before
	requests   map[string]requester
	overlaps   []string
	committed  map[string]bool // by site and page
	late       sync.WaitGroup  // what goes on after its caller
}

// requester is who requested a site last.
type requester struct {
	worker   string
	takeover uint64 // sequence of its first record
}

func newModel(seed uint64) *model {
	return &model{
		random: rand.New(rand.NewPCG(seed, 1)), requests: map[string]requester{}, committed: map[string]bool{},
	}
}

func (m *model) below(limit time.Duration) time.Duration {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return time.Duration(m.random.Int64N(int64(limit))) + 1
}

func (m *model) chance(percent int) bool {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return !m.calm && m.random.IntN(100) < percent
}

// errModel is what a client sees of servers that do not answer.
var errModel = fmt.Errorf("no answer: %w", context.DeadlineExceeded)

// fault is a server that fails while it has a request, after which the others elect a leader.
type fault struct {
	at  int // number of the request, from 1
	how faultKind
}

type faultKind string

// What becomes of the request.
const (
	faultLost    faultKind = "lost"    // it does not take place
	faultUnheard faultKind = "unheard" // it takes place, and is not answered
	faultLate    faultKind = "late"    // it takes place when its sender has given up
)

// whenMade calls hook when a request is made.
func (m *model) whenMade(request int, hook func()) { m.hook, m.hookAt = hook, request }

// whenRequested calls hook when a page is requested.
func (m *model) whenRequested(page int, hook func()) { m.pageHook, m.pageHookAt = hook, page }

// electionTime is how long the servers of a model elect a leader.
const electionTime = 8 * time.Second

// isFaulty counts a request. It reports whether a server fails with it.
func (m *model) isFaulty() bool {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.made++
	if m.made == m.hookAt {
		m.hook()
	}
	if m.made != m.fault.at {
		return false
	}
	m.silent = time.Now().Add(electionTime)
	return true
}

// client is the connection of one worker.
type client struct {
	*model
	pause *pauser
}

// request lets an effect take place as a network does.
func (c client) request(ctx context.Context, effect func()) error {
	c.pause.wait()
	c.mutex.Lock()
	silent := time.Until(c.silent)
	c.mutex.Unlock()
	if silent > 0 {
		_ = wait(ctx, silent)
		return errModel
	}
	if err := wait(ctx, c.below(20*time.Millisecond)); err != nil {
		return err
	}
	how := faultKind("")
	if c.isFaulty() {
		how = c.fault.how
	}
	switch {
	case how == faultLost, c.chance(5): // it gets lost
		return wait(ctx, time.Hour)
	case how == faultLate:
		c.late.Go(func() {
			time.Sleep(answerTime + electionTime)
			effect()
		})
		return wait(ctx, time.Hour)
	case c.chance(5): // it arrives after its sender has given up
		c.late.Go(func() {
			time.Sleep(c.below(20 * time.Second))
			effect()
		})
		return wait(ctx, time.Hour)
	}
	effect()
	if how == faultUnheard || c.chance(5) { // the answer gets lost
		return wait(ctx, time.Hour)
	}
	err := wait(ctx, c.below(20*time.Millisecond))
	c.pause.wait()
	return err
}

// ask is request with an answer, which a late effect does not touch.
func ask[T any](ctx context.Context, c client, effect func() (T, error)) (T, error) {
	type answer struct {
		value T
		err   error
	}
	answers := make(chan answer, 1)
	err := c.request(ctx, func() {
		c.mutex.Lock()
		defer c.mutex.Unlock()
		value, err := effect()
		answers <- answer{value, err}
	})
	if err != nil {
		var none T
		return none, err
	}
	a := <-answers
	return a.value, a.err
}

func wait(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return errModel
	}
}

// pauser stops a process and lets it go on, as signals do.
type pauser struct {
	mutex sync.Mutex
	until time.Time
}

func (p *pauser) stop(d time.Duration) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.until = time.Now().Add(d)
}

func (p *pauser) wait() {
	p.mutex.Lock()
	left := time.Until(p.until)
	p.mutex.Unlock()
	if left > 0 {
		time.Sleep(left)
	}
}

// requested notes that a worker requests a page of a site. No owner may do so after a
// later one has, and no page may be requested after it was committed.
func (m *model) requested(site, worker string, takeover uint64, page crawl.ID) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.pages++
	if m.pages == m.pageHookAt {
		m.pageHook()
	}
	if m.committed[fmt.Sprint(site, page)] {
		m.overlaps = append(m.overlaps, fmt.Sprintf("%s requests page %d of %s, which was committed", worker, page, site))
	}
	if last := m.requests[site]; last.takeover > takeover {
		m.overlaps = append(m.overlaps, fmt.Sprintf("%s requests %s after %s took over", worker, site, last.worker))
	} else {
		m.requests[site] = requester{worker, takeover}
	}
}

const (
	modelSites   = 3
	modelPages   = 40
	modelWorkers = 3
	pagesACommit = 4
)

// crawlShard plays the crawl of a site: it continues with the first page that is not in
// the log, requests one page after the other, and commits some at a time. It reports
// false when the worker lost the shard.
func (m *model) crawlShard(ctx context.Context, s *Shard, name string, p *pauser) bool {
	begun, done := false, map[crawl.ID]bool{}
	err := s.Replay(ctx, func(crawl.Meta) error {
		begun, done = true, map[crawl.ID]bool{}
		return nil
	}, func(c crawl.Commit) error {
		for _, page := range c.Done {
			if done[page.ID] {
				return fmt.Errorf("page %d twice", page.ID)
			}
			done[page.ID] = true
		}
		return nil
	})
	if errors.Is(err, ErrCut) { // the site starts over
		begun, done, err = false, map[crawl.ID]bool{}, nil
	}
	if err != nil {
		return false
	}
	if !begun && s.Begin(ctx, crawl.Meta{Start: s.Meta().Start}) != nil {
		return false
	}
	var commit crawl.Commit
	flush := func() bool {
		err := s.Append(ctx, commit)
		m.mutex.Lock()
		for _, page := range commit.Done {
			m.committed[fmt.Sprint(s.Meta().Start, page.ID)] = err == nil
		}
		m.mutex.Unlock()
		commit = crawl.Commit{}
		return err == nil
	}
	for page := crawl.ID(1); page <= modelPages; page++ {
		if done[page] {
			continue
		}
		time.Sleep(m.below(2 * time.Second)) // the rate
		p.wait()
		if s.Held() != nil {
			return false
		}
		m.requested(s.Meta().Start, name, s.from, page)
		commit.Found = append(commit.Found, crawl.Link{ID: page})
		commit.Done = append(commit.Done, crawl.Page{ID: page, Status: 200})
		if len(commit.Done) == pagesACommit && !flush() {
			return false
		}
	}
	if len(commit.Done) > 0 && !flush() {
		return false
	}
	for {
		if urls, err := s.Offered(ctx); err != nil {
			return false
		} else if len(urls) == 0 {
			break
		}
	}
	return s.Close(ctx, ShardEnd{Progress: crawl.Progress{Pages: modelPages}}) == nil
}

// runModel plays a job with workers that are stopped, killed and cut off at random, and
// checks the log.
func runModel(t *testing.T, seed uint64) {
	m := newModel(seed)
	servers := m.submit(t, "job", modelSites)
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	var working sync.WaitGroup
	for i := range modelWorkers {
		p := &pauser{}
		own := *servers
		own.pause = p
		working.Go(func() { m.work(ctx, &own, fmt.Sprint("worker-", i), p, i > 0) })
	}
	m.late.Go(func() { // the servers elect a leader now and then
		for wait(ctx, m.below(2*time.Minute)) == nil {
			m.mutex.Lock()
			m.silent = time.Now().Add(time.Duration(m.random.Int64N(int64(8 * time.Second))))
			m.mutex.Unlock()
		}
	})
	working.Wait()
	if ctx.Err() != nil {
		t.Errorf("seed %d: the job did not end", seed)
	}
	cancel()
	m.late.Wait()
	if len(m.overlaps) > 0 {
		t.Errorf("seed %d: %v", seed, m.overlaps)
	}
	checkLogs(t, seed, servers.store.logs[testJournal])
}

// submit returns servers with a job.
func (m *model) submit(t *testing.T, name string, siteCount int) *modelServers {
	t.Helper()
	s := m.newServers()
	s.add(t, name, modelSitesOf(siteCount))
	return s
}

// modelSitesOf returns n sites.
func modelSitesOf(n int) []Site {
	sites := make([]Site, n)
	for i := range sites {
		sites[i] = Site{Start: fmt.Sprint("site-", i), Host: fmt.Sprint("site-", i)}
	}
	return sites
}

// add stores a job.
func (s *modelServers) add(t *testing.T, name string, sites []Site) {
	t.Helper()
	list, err := encodeSites(sites)
	if err != nil {
		t.Fatal(err)
	}
	job := modelJob(name, len(sites))
	value, err := json.Marshal(&job)
	if err != nil {
		t.Fatal(err)
	}
	log := newSharedStream()
	s.store.logs[job.journal()], s.store.states[job.journal()] = log, newSharedBucket()
	for _, data := range list {
		log.add(sitesSubject(job.journal()), data)
	}
	s.store.shared.add(jobKey(name), value)
}

// testJournal is the journal of the job of that name.
var testJournal = func() string { job := modelJob("job", 1); return job.journal() }()

// modelJob returns the job that add stores.
func modelJob(name string, sites int) Job {
	return Job{
		Name: name, State: JobRunning, Records: recordVersion, Sites: sites,
		Submission: (name + strings.Repeat("a", idLength))[:idLength],
	}
}

// work lets a worker claim and crawl until the job ends. A worker that may crash is
// stopped for a while, or crashes and comes back.
func (m *model) work(ctx context.Context, servers *modelServers, name string, p *pauser, crashes bool) {
	for life := 0; ctx.Err() == nil; life++ {
		alive, crash := context.WithCancel(ctx)
		if crashes && life < 3 {
			m.late.Go(func() {
				if wait(alive, m.below(time.Minute)) != nil {
					return
				}
				if m.chance(60) {
					p.stop(m.below(2 * leaseTime))
				} else {
					crash()
				}
			})
		}
		ended := m.live(alive, servers, fmt.Sprint(name, ".", life), p)
		crash()
		if ended {
			return
		}
		time.Sleep(m.below(20 * time.Second))
	}
}

// live is one life of a worker. It reports whether the job has ended.
func (m *model) live(ctx context.Context, servers *modelServers, name string, p *pauser) bool {
	w, err := newWorker(ctx, servers, WorkerOptions{Name: name, Job: "job"})
	if err != nil {
		return false
	}
	defer func() {
		w.giveUp()
		w.cancel() // a crash drops no lease
		w.keeping.Wait()
	}()
	for {
		shard, err := w.Claim(ctx)
		if err != nil {
			return ctx.Err() == nil
		}
		m.crawlShard(ctx, shard, name, p)
		if ctx.Err() == nil {
			_ = shard.Close(ctx, ShardEnd{Again: true}) // does nothing after another Close
		}
	}
}

// checkLogs reads every log as the results are read: each page once, none missing.
func checkLogs(t *testing.T, seed uint64, stream *sharedStream) {
	t.Helper()
	for site := range modelSites {
		pages, ends := map[crawl.ID]int{}, 0
		var commits commitReader
		var filter logFilter
		for _, m := range stream.subjects[logSubject(testJournal, site)] {
			r, err := decodeRecord(m.data)
			if err != nil {
				t.Fatal(err)
			}
			counts, afterGap := filter.counts(&r)
			if !counts {
				continue
			}
			if afterGap {
				t.Errorf("seed %d: records of site %d seem to be missing", seed, site)
			}
			c, complete, err := commits.add(&r)
			if err != nil {
				t.Fatal(err)
			}
			if complete && ends > 0 {
				t.Errorf("seed %d: a commit after the end of site %d", seed, site)
			}
			if r.kind == kindEnd {
				ends++
			}
			for _, page := range c.Done {
				pages[page.ID]++
			}
		}
		for page := crawl.ID(1); page <= modelPages; page++ {
			if pages[page] != 1 {
				t.Errorf("seed %d: page %d of site %d is in the log %d times", seed, page, site, pages[page])
			}
		}
		if ends == 0 {
			t.Errorf("seed %d: site %d has no end", seed, site)
		}
	}
}

// TestModel plays random schedules.
func TestModel(t *testing.T) {
	warmUp(t)
	seeds := uint64(100)
	if os.Getenv("MAPA_TORTURE") != "" {
		seeds = 10_000
	}
	for seed := range seeds {
		synctest.Test(t, func(t *testing.T) { runModel(t, seed) })
		if t.Failed() {
			return
		}
	}
}
