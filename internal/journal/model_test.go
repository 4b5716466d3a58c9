package journal

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path"
	"slices"
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
	calm      bool // nothing gets lost
	mutex     sync.Mutex
	random    *rand.Rand
	streams   map[string]*modelStream
	buckets   map[string]*modelBucket
	silent    time.Time // no request takes effect before
	requests  map[string]requester
	overlaps  []string
	committed map[string]bool // by site and page
	late      sync.WaitGroup  // what goes on after its caller
}

// requester is who requested a site last.
type requester struct {
	worker   string
	takeover uint64 // sequence of its first record
}

func newModel(seed uint64) *model {
	return &model{
		random: rand.New(rand.NewPCG(seed, 1)), streams: map[string]*modelStream{}, buckets: map[string]*modelBucket{},
		requests: map[string]requester{}, committed: map[string]bool{},
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

var errModel = errors.New("no answer")

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
	switch {
	case c.chance(5): // it gets lost
		return wait(ctx, time.Hour)
	case c.chance(5): // it arrives after its sender has given up
		c.late.Go(func() {
			time.Sleep(c.below(20 * time.Second))
			effect()
		})
		return wait(ctx, time.Hour)
	}
	effect()
	if c.chance(5) { // the answer gets lost
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

// modelStream is a stream and its subjects.
type modelStream struct {
	client
	shared *sharedStream
}

type sharedStream struct {
	sequence uint64
	subjects map[string][]message
	ids      map[string]bool
}

// publish stores some messages twice, as servers do that have accepted two attempts before
// they could store either.
func (s *modelStream) publish(ctx context.Context, subject string, data []byte, last uint64) (uint64, error) {
	isRepeated := s.chance(5)
	return ask(ctx, s.client, func() (uint64, error) {
		all := s.shared.subjects[subject]
		if len(all) > 0 && all[len(all)-1].sequence != last || len(all) == 0 && last != 0 {
			return 0, errConflict
		}
		sequence := s.shared.add(subject, data)
		if isRepeated {
			s.shared.add(subject, data)
		}
		return sequence, nil
	})
}

func (s *sharedStream) add(subject string, data []byte) uint64 {
	s.sequence++
	s.subjects[subject] = append(s.subjects[subject], message{s.sequence, slices.Clone(data)})
	return s.sequence
}

func (s *modelStream) offer(ctx context.Context, subject string, data []byte, id string) error {
	_, err := ask(ctx, s.client, func() (any, error) {
		if !s.shared.ids[id] {
			s.shared.ids[id] = true
			s.shared.add(subject, data)
		}
		return nil, nil
	})
	return err
}

func (s *modelStream) last(ctx context.Context, subject string) (message, error) {
	old := s.chance(10)
	return ask(ctx, s.client, func() (m message, err error) {
		all := s.shared.subjects[subject]
		if old && len(all) > 0 {
			all = all[:len(all)-1]
		}
		if len(all) > 0 {
			m = all[len(all)-1]
		}
		return m, nil
	})
}

func (s *modelStream) next(ctx context.Context, subject string, after uint64) (message, error) {
	return ask(ctx, s.client, func() (message, error) {
		for _, m := range s.shared.subjects[subject] {
			if m.sequence > after {
				return m, nil
			}
		}
		return message{}, nil
	})
}

func (s *modelStream) purge(ctx context.Context, subject string, to uint64) error {
	_, err := ask(ctx, s.client, func() (any, error) {
		s.shared.subjects[subject] = slices.DeleteFunc(s.shared.subjects[subject], func(m message) bool {
			return m.sequence <= to
		})
		return nil, nil
	})
	return err
}

func (s *modelStream) counts(ctx context.Context, pattern string) (map[string]uint64, error) {
	return ask(ctx, s.client, func() (map[string]uint64, error) {
		counts := map[string]uint64{}
		for subject, all := range s.shared.subjects {
			if ok, _ := path.Match(pattern, subject); ok && len(all) > 0 {
				counts[subject] = uint64(len(all))
			}
		}
		return counts, nil
	})
}

// modelBucket is a bucket. Watchers learn of changes late, now and then much later, each in
// order.
type modelBucket struct {
	client
	shared *sharedBucket
}

type sharedBucket struct {
	revision uint64
	values   map[string]entry
	history  []entry
}

func (b *modelBucket) get(ctx context.Context, key string) (entry, error) {
	return ask(ctx, b.client, func() (entry, error) {
		if e := b.shared.values[key]; e.value != nil {
			return e, nil
		}
		return entry{key: key}, nil
	})
}

func (b *modelBucket) put(ctx context.Context, key string, value []byte, revision uint64) (uint64, error) {
	return b.write(ctx, key, slices.Clone(value), revision)
}

func (b *modelBucket) remove(ctx context.Context, key string, revision uint64) error {
	_, err := b.write(ctx, key, nil, revision)
	return err
}

func (b *modelBucket) write(ctx context.Context, key string, value []byte, expected uint64) (uint64, error) {
	return ask(ctx, b.client, func() (uint64, error) {
		present := b.shared.values[key]
		if present.value == nil && expected != 0 || present.value != nil && present.revision != expected {
			return 0, errConflict
		}
		return b.shared.add(key, value), nil
	})
}

func (b *sharedBucket) add(key string, value []byte) uint64 {
	b.revision++
	e := entry{key, value, b.revision}
	b.values[key] = e
	b.history = append(b.history, e)
	return e.revision
}

func (b *modelBucket) watch(ctx context.Context, pattern string, changed func(entry)) error {
	at := 0
	pass := func() {
		b.mutex.Lock()
		news := slices.Clone(b.shared.history[at:])
		at = len(b.shared.history)
		b.mutex.Unlock()
		for _, e := range news {
			if ok, _ := path.Match(strings.ReplaceAll(pattern, ">", "*"), e.key); ok {
				changed(e)
			}
		}
	}
	pass()
	b.late.Go(func() {
		for wait(ctx, b.below(2*time.Second)) == nil {
			if b.chance(2) { // what the watcher hears from is cut off
				_ = wait(ctx, b.below(2*leaseTime))
			}
			b.pause.wait()
			pass()
		}
	})
	return nil
}

func (b *modelBucket) newest(ctx context.Context) (uint64, error) {
	return ask(ctx, b.client, func() (uint64, error) { return b.shared.revision, nil })
}

// modelServers are the servers of one worker.
type modelServers struct {
	client
	stream *sharedStream
	states *sharedBucket
	shared *sharedBucket
	lease  *sharedBucket
}

func (s *modelServers) leases() bucket { return &modelBucket{s.client, s.lease} }
func (s *modelServers) jobs() bucket   { return &modelBucket{s.client, s.shared} }
func (s *modelServers) open(context.Context, string) (stream, bucket, error) {
	return &modelStream{s.client, s.stream}, &modelBucket{s.client, s.states}, nil
}

// requested notes that a worker requests a page of a site. No owner may do so after a
// later one has, and no page may be requested after it was committed.
func (m *model) requested(site, worker string, takeover uint64, page crawl.ID) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
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
func (m *model) crawlShard(ctx context.Context, s crawl.Shard, name string, p *pauser) bool {
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
		m.requested(s.Meta().Start, name, s.(*shard).from, page)
		commit.Done = append(commit.Done, crawl.Page{ID: page, Status: 200})
		if len(commit.Done) == pagesACommit && !flush() {
			return false
		}
	}
	if len(commit.Done) > 0 && !flush() {
		return false
	}
	return s.Close(ctx, crawl.ShardEnd{Progress: crawl.Progress{Pages: modelPages}}) == nil
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
	checkLogs(t, seed, servers.stream)
}

// submit returns servers with a job.
func (m *model) submit(t *testing.T, name string, siteCount int) *modelServers {
	t.Helper()
	sites := make([]Site, siteCount)
	for i := range sites {
		sites[i] = Site{Start: fmt.Sprint("site-", i), Host: fmt.Sprint("site-", i)}
	}
	list, err := encodeSites(sites)
	if err != nil {
		t.Fatal(err)
	}
	value, err := json.Marshal(&Job{Name: name, State: JobRunning, Records: recordVersion, Sites: siteCount})
	if err != nil {
		t.Fatal(err)
	}
	stream := &sharedStream{subjects: map[string][]message{}, ids: map[string]bool{}}
	for _, data := range list {
		stream.add(sitesSubject(name), data)
	}
	newBucket := func() *sharedBucket { return &sharedBucket{values: map[string]entry{}} }
	jobs := newBucket()
	jobs.add(jobKey(name), value)
	return &modelServers{client{m, &pauser{}}, stream, newBucket(), jobs, newBucket()}
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
			_ = shard.Close(ctx, crawl.ShardEnd{Again: true}) // does nothing after another Close
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
		for _, m := range stream.subjects[logSubject("job", site)] {
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
	// The channels of the compressor must not belong to a bubble.
	if _, err := codec().DecodeAll(codec().EncodeAll(nil, nil), nil); err != nil {
		t.Fatal(err)
	}
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
