package journal

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/mapatools/mapa/crawl"
)

// A damage is what a member of the account does to a job, by accident or not.
type damage struct {
	do func(s *modelServers)
	// want is the state that the job ends in, JobDone unless it is set. "deleted" means
	// that the job is gone.
	want JobState
	said string // in a notice of the worker, or in the error of who follows the job
}

func (s *modelServers) setState(key, value string) {
	s.store.states[testJournal].add(key, []byte(value))
}

func (s *modelServers) setJob(value string) { s.store.shared.add(jobKey("job"), []byte(value)) }

// changeJob changes the entry of the job.
func (s *modelServers) changeJob(change func(*Job)) {
	job, err := decodeJob(s.store.shared.values[jobKey("job")])
	if err != nil {
		return
	}
	change(&job)
	value, err := json.Marshal(&job)
	if err == nil {
		s.setJob(string(value))
	}
}

func (s *modelServers) publishJunk(subject string, data []byte) {
	s.store.logs[testJournal].add(subject, data)
}

// log0 returns the messages of the log of the first site.
func (s *modelServers) log0() []message {
	return s.store.logs[testJournal].subjects[logSubject(testJournal, 0)]
}

var damages = map[string]damage{
	"lock: no JSON":       {do: lockDamage("{"), said: "the locks of hosts in " + hostKey("site-0") + " were damaged"},
	"lock: null":          {do: lockDamage("null"), said: "were damaged"},
	"lock: a list":        {do: lockDamage("[]"), said: "were damaged"},
	"lock: empty":         {do: lockDamage(""), said: "were damaged"},
	"lock: other members": {do: lockDamage(`{"site-0":7}`), said: "were damaged"},
	"lock: of nobody":     {do: lockDamage(`{"site-0":{"job":"none","worker":"nobody"}}`)},
	"lock: removed":       {do: func(s *modelServers) { s.store.shared.add(hostKey("site-0"), nil) }},
	"lock: purged":        {do: func(s *modelServers) { delete(s.store.shared.values, hostKey("site-0")) }},
	"job: no JSON": {do: func(s *modelServers) { s.setJob("{") }, want: JobDamaged,
		said: "its entry: unexpected end"},
	"job: empty":         {do: func(s *modelServers) { s.setJob("") }, want: JobDamaged, said: "its entry"},
	"job: no members":    {do: func(s *modelServers) { s.setJob("{}") }, want: JobDamaged, said: "it names another job"},
	"job: removed":       {do: func(s *modelServers) { s.store.shared.add(jobKey("job"), nil) }, want: "deleted"},
	"job: purged":        {do: func(s *modelServers) { delete(s.store.shared.values, jobKey("job")) }, want: "deleted"},
	"job: another name":  {do: changeJob(func(j *Job) { j.Name = "other" }), want: JobDamaged, said: "another job"},
	"job: another state": {do: changeJob(func(j *Job) { j.State = "paused" }), want: JobDamaged, said: `state "paused"`},
	"job: no sites":      {do: changeJob(func(j *Job) { j.Sites = 0 }), want: JobDamaged, said: "0 sites"},
	"job: a strange ID": {do: changeJob(func(j *Job) { j.Submission = "../x" }), want: JobDamaged,
		said: "names no journal"},
	"job: a strange key": {do: func(s *modelServers) { s.store.shared.add("job.\x1b[2J ü", []byte("{")) },
		said: "left alone"},
	"lease: no JSON": {do: func(s *modelServers) { s.store.lease.add("x", []byte("{")) }},
	"lease: strange sites": {do: func(s *modelServers) {
		s.store.lease.add("x", []byte(`{"sites":[{"job":"job","site":-1},{"job":"job","site":1000000000}]}`))
	}},
	"lease: overwritten": {do: eachLease(func(s *modelServers, id string) { s.store.lease.add(id, []byte("{")) })},
	"lease: removed":     {do: eachLease(func(s *modelServers, id string) { s.store.lease.add(id, nil) })},
	"lease: purged":      {do: eachLease(func(s *modelServers, id string) { delete(s.store.lease.values, id) })},

	"state: no JSON":            {do: stateDamage("{"), said: "it is made again from the log"},
	"state: null":               {do: stateDamage("null")},
	"state: empty":              {do: stateDamage(""), said: "unexpected end"},
	"state: an end of nothing":  {do: stateDamage(`{"ended":{"0":null}}`), said: "the end of site 0"},
	"state: an end elsewhere":   {do: stateDamage(`{"ended":{"7":{"sequence":3}}}`), said: "the end of site 7"},
	"state: a negative site":    {do: stateDamage(`{"ended":{"-1":{"sequence":3}}}`), said: "the end of site -1"},
	"state: an end nowhere":     {do: stateDamage(`{"ended":{"0":{"pages":3}}}`), said: "the end of site 0"},
	"state: an end in the air":  {do: stateDamage(`{"ended":{"0":{"pages":3,"sequence":1000000}}}`)},
	"state: owned by nobody":    {do: stateDamage(`{"owner":"nobody"}`)},
	"state: waits for ages":     {do: stateDamage(`{"wait":1e9}`), said: "a pause of"},
	"state: waits for ever":     {do: stateDamage(`{"wait":1e300}`), said: "1e+300 seconds"},
	"state: negative tries":     {do: stateDamage(`{"tries":-1000000}`), said: "a negative number"},
	"state: negative rate":      {do: stateDamage(`{"rate":-1}`), said: "a negative number"},
	"state: another beginning":  {do: stateDamage(`{"from":{"0":1000000}}`), said: "the beginning of a site"},
	"state: removed":            {do: func(s *modelServers) { s.store.states[testJournal].add("0", nil) }},
	"state: purged":             {do: func(s *modelServers) { delete(s.store.states[testJournal].values, "0") }},
	"state: keys of other form": {do: stateKeys("00", "+0", "-0", "0.1", "x", "1000000", "")},
	"state: no bucket": {do: func(s *modelServers) { delete(s.store.states, testJournal) }, want: JobDamaged,
		said: "a part of it is missing"},

	"log: junk":            {do: logDamage(nil, []byte{0}, []byte("junk"), make([]byte, 1<<20))},
	"log: another version": {do: logDamage([]byte{2, 1, 3, 4})},
	"log: another kind":    {do: logDamage((&record{kind: 77, nonce: 7}).encode())},
	"log: a false owner":   {do: logDamage((&record{kind: kindTakeover, nonce: 7 << 32}).encode())},
	"log: a false commit":  {do: logDamage((&record{kind: kindCommit, nonce: 7 << 32, part: 1, parts: 1}).encode())},
	"log: a record again": {do: func(s *modelServers) {
		for _, m := range s.log0() {
			s.publishJunk(logSubject(testJournal, 0), m.data)
		}
	}},
	"log: bits have changed": {do: func(s *modelServers) {
		for _, m := range s.log0() {
			m.data[len(m.data)-1] ^= 1
		}
	}},
	"log: a commit of strange pages": {do: func(s *modelServers) {
		for i, m := range s.log0() {
			if r, err := decodeRecord(m.data); err == nil && r.kind == kindCommit {
				raw, err := encodeCommit(&crawl.Commit{
					Found: []crawl.Link{{ID: 1 << 60}}, Done: []crawl.Page{{ID: -5}, {ID: 1 << 50}},
				})
				if err == nil {
					r.body = codec().EncodeAll(raw, nil)
					s.log0()[i].data = r.encode()
				}
			}
		}
	}},
	"log: a message is removed": {do: func(s *modelServers) {
		if log := s.log0(); len(log) > 2 {
			s.store.logs[testJournal].subjects[logSubject(testJournal, 0)] = slices.Delete(slices.Clone(log), 1, 2)
		}
	}},
	"log: purged": {do: func(s *modelServers) {
		delete(s.store.logs[testJournal].subjects, logSubject(testJournal, 0))
	}},
	"log: sealed": {do: func(s *modelServers) {
		s.store.logs[testJournal].refuses = &jetstream.APIError{
			Code: http.StatusBadRequest, ErrorCode: 10109, Description: "invalid operation on sealed stream",
		}
	}, want: JobDamaged, said: "invalid operation on sealed stream"},
	"log: no stream": {do: func(s *modelServers) { delete(s.store.logs, testJournal) }, want: JobDamaged,
		said: "a part of it is missing"},
	"offers: junk": {do: func(s *modelServers) {
		s.publishJunk(offerSubject(testJournal, 0), []byte("junk"))
		s.publishJunk(offerSubject(testJournal, 1), encodeOffer([]string{"https://site-1/x"})[:5])
	}},
	"offers: to other subjects": {do: func(s *modelServers) {
		for _, site := range []string{"00", "+0", "x", "-1", "99"} {
			s.publishJunk("mapa."+testJournal+".in."+site, encodeOffer([]string{"https://site-0/x"}))
		}
	}},
	"sites: more": {do: func(s *modelServers) { s.publishJunk(sitesSubject(testJournal), []byte("junk")) }},
	"elsewhere":   {do: func(s *modelServers) { s.publishJunk("mapa."+testJournal+".x", []byte("junk")) }},
}

// damagesBefore are damages that a worker meets only when it opens the job.
var damagesBefore = map[string]damage{
	"job: another journal": {do: changeJob(func(j *Job) { j.Submission = newID() }), want: JobDamaged,
		said: "a part of it is missing"},
	"job: more sites": {do: changeJob(func(j *Job) { j.Sites = 1_000_000 }), want: JobDamaged,
		said: "2 of 1000000 sites"},
	"job: fewer sites": {do: changeJob(func(j *Job) { j.Sites = 1 }), want: JobDamaged, said: "more than 1 sites"},
	"sites: junk": {do: func(s *modelServers) {
		s.store.logs[testJournal].subjects[sitesSubject(testJournal)][0].data = []byte("junk")
	}, want: JobDamaged, said: "its list of sites"},
	"sites: no JSON": {do: func(s *modelServers) {
		s.store.logs[testJournal].subjects[sitesSubject(testJournal)][0].data = codec().EncodeAll([]byte("[7]"), nil)
	}, want: JobDamaged, said: "its list of sites"},
	"sites: removed": {do: func(s *modelServers) {
		delete(s.store.logs[testJournal].subjects, sitesSubject(testJournal))
	}, want: JobDamaged, said: "its list has 0 of 2 sites"},
}

func lockDamage(value string) func(*modelServers) {
	return func(s *modelServers) { s.store.shared.add(hostKey("site-0"), []byte(value)) }
}

func stateDamage(value string) func(*modelServers) {
	return func(s *modelServers) { s.setState("0", value) }
}

func stateKeys(keys ...string) func(*modelServers) {
	return func(s *modelServers) {
		for _, key := range keys {
			s.setState(key, `{"owner":"nobody","ended":{"0":{"sequence":1}}}`)
		}
	}
}

func changeJob(change func(*Job)) func(*modelServers) {
	return func(s *modelServers) { s.changeJob(change) }
}

func eachLease(change func(s *modelServers, id string)) func(*modelServers) {
	return func(s *modelServers) {
		for id := range s.store.lease.values {
			change(s, id)
		}
	}
}

func logDamage(messages ...[]byte) func(*modelServers) {
	return func(s *modelServers) {
		for _, data := range messages {
			s.publishJunk(logSubject(testJournal, 0), data)
		}
	}
}

// TestDamage damages a job before a worker begins with it, in the middle, and when it is done
// but for its last site. The job is crawled to its end, or ends with an error that says what
// is wrong. Another job is always crawled to its end.
func TestDamage(t *testing.T) {
	warmUp(t)
	for name, d := range damages {
		for _, after := range []int{0, 10, 2*modelPages - 5} {
			t.Run(fmt.Sprintf("%s/%d", name, after), func(t *testing.T) { testDamage(t, d, after) })
		}
	}
	for name, d := range damagesBefore {
		t.Run(name, func(t *testing.T) { testDamage(t, d, 0) })
	}
}

// testDamage damages a job after a number of its pages were requested.
func testDamage(t *testing.T, d damage, after int) {
	synctest.Test(t, func(t *testing.T) {
		m := newModel(1)
		m.calm = true
		s := m.newServers()
		s.add(t, "job", modelSitesOf(2))
		s.add(t, "other", []Site{{Start: "elsewhere", Host: "elsewhere"}})
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Minute)
		defer m.late.Wait()
		defer cancel()
		if after == 0 {
			d.do(s)
		} else {
			m.whenRequested(after, func() { d.do(s) })
		}
		var mutex sync.Mutex
		var said strings.Builder
		w, err := newWorker(ctx, s, WorkerOptions{OnNotice: func(text string) {
			mutex.Lock()
			defer mutex.Unlock()
			said.WriteString(text + "\n")
		}})
		if err != nil {
			t.Fatal(err)
		}
		defer w.end()
		var working sync.WaitGroup
		defer working.Wait()
		working.Go(func() { m.workUntil(ctx, w) })
		state, problem := s.cluster().untilEnd(ctx, "job")
		if problem != nil && d.want == "" {
			t.Error(problem)
		} else if problem != nil {
			mutex.Lock()
			said.WriteString(problem.Error())
			mutex.Unlock()
		}
		if want := cmp.Or(d.want, JobDone); state != want {
			t.Errorf("the job is %q, want %q", state, want)
		}
		if other, problem := s.cluster().untilEnd(ctx, "other"); other != JobDone || problem != nil {
			t.Errorf("the other job is %q; error %v", other, problem)
		}
		cancel()
		working.Wait()
		mutex.Lock()
		defer mutex.Unlock()
		if !strings.Contains(said.String(), d.said) {
			t.Errorf("said: %s", &said)
		}
		lines := map[string]bool{}
		for line := range strings.Lines(said.String()) {
			if strings.Contains(line, " waits: ") && lines[line] {
				t.Errorf("said again: %s", line)
			}
			lines[line] = true
		}
	})
}

// workUntil crawls sites until ctx ends.
func (m *model) workUntil(ctx context.Context, w *Worker) {
	var crawling sync.WaitGroup
	defer crawling.Wait()
	for {
		shard, err := w.Claim(ctx)
		if err != nil {
			return
		}
		crawling.Go(func() {
			m.crawlShard(ctx, shard, "worker", &pauser{})
			_ = shard.Close(ctx, ShardEnd{Again: true}) // does nothing after another Close
		})
	}
}

// untilEnd follows a job until it has ended and all its pages were read, or until it is clear
// that they never will be.
func (c *Cluster) untilEnd(ctx context.Context, name string) (JobState, error) {
	f, err := c.Follow(ctx, name)
	if errors.Is(err, ErrNoJob) {
		return "deleted", nil
	}
	if errors.Is(err, ErrDamaged) { // until workers have given the job up
		for ctx.Err() == nil {
			if job, err := c.Job(ctx, name); err != nil || job.State == JobDamaged {
				break
			}
			_ = wait(ctx, time.Second)
		}
		return JobDamaged, err
	}
	if err != nil {
		return "", err
	}
	defer f.Close()
	for ctx.Err() == nil {
		_ = wait(ctx, time.Second)
		f.Status()
		switch state := f.Job().State; state {
		case JobRunning:
			continue
		case JobCanceled:
			return "deleted", nil
		case JobDone:
			if f.Status().Ended < len(f.Sites()) {
				continue // the states come after that of the job
			}
			lost, err := f.lost(ctx)
			if err != nil || lost == nil {
				return state, err
			}
			if err := f.Reopen(ctx, lost); err != nil {
				return state, err
			}
		default:
			return state, f.Err()
		}
	}
	return f.Job().State, errors.New("it does not end")
}

// lost returns the sites that lack pages.
func (f *Follower) lost(ctx context.Context) (lost []int, err error) {
	for site := range f.Sites() {
		end := f.End(site)
		if end == nil {
			return nil, fmt.Errorf("site %d has no end", site)
		}
		pages := map[crawl.ID]bool{}
		err := f.Replay(ctx, site, end, func(crawl.Meta) error {
			clear(pages)
			return nil
		}, func(c crawl.Commit) error {
			for _, page := range c.Done {
				pages[page.ID] = true
			}
			return nil
		})
		if errors.Is(err, ErrCut) {
			lost = append(lost, site)
		} else if err != nil || len(pages) != modelPages {
			return nil, fmt.Errorf("site %d has %d pages: %w", site, len(pages), err)
		}
	}
	return lost, nil
}

// TestDamagedStateOfOwner stores the end of a site whose state was damaged while a worker had it,
// without another crawl.
func TestDamagedStateOfOwner(t *testing.T) {
	for name, damage := range map[string]func(*modelServers){
		"junk": stateDamage("{"), "removed": damages["state: removed"].do, "purged": damages["state: purged"].do,
	} {
		calmly(t, 1, func(ctx context.Context, t *testing.T, s *modelServers) {
			w := startWorker(ctx, t, s, "job")
			defer w.end()
			owned, err := w.Claim(ctx)
			if err != nil {
				t.Fatal(err)
			}
			damage(s)
			if err := owned.Close(ctx, ShardEnd{}); err != nil {
				t.Error(name, err)
			}
			state, err := decodeState(owned.view.layout, 0, s.store.states[testJournal].values["0"].value)
			if err != nil || state.Ended[0] == nil {
				t.Errorf("%s: the end is not stored: %+v, %v", name, state, err)
			}
			if _, err := w.Claim(ctx); err != io.EOF {
				t.Errorf("%s: claim after the end: %v", name, err)
			}
		})
	}
}

// TestPurgedState claims a site whose state was removed in a way that no watch hears of.
func TestPurgedState(t *testing.T) {
	calmly(t, 1, func(ctx context.Context, t *testing.T, s *modelServers) {
		w := startWorker(ctx, t, s, "job")
		defer w.end()
		for range 2 {
			owned, err := w.Claim(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if err := owned.Close(ctx, ShardEnd{Again: true}); err != nil {
				t.Error(err)
			}
			for revision := s.store.states[testJournal].revision; owned.view.group(0).revision < revision; {
				_ = wait(ctx, time.Second) // until the worker knows
			}
			damages["state: purged"].do(s)
		}
	})
}

// TestStrangeKeys leaves keys alone that only look like that of a group.
func TestStrangeKeys(t *testing.T) {
	notice := func(text string) { t.Error(text) }
	v := newView(modelJob("job", 1), nil, nil, modelSitesOf(1), func() {}, notice)
	v.take(entry{"0", []byte(`{"rate":2}`), 5})
	for i, key := range []string{"00", "+0", "-0", "1", "-1", "0.0", "x", "99999999999999999999"} {
		v.take(entry{key, []byte(`{"rate":3}`), uint64(6 + i)})
	}
	if state := v.group(0); state.revision != 5 || state.Rate != 2 {
		t.Errorf("the state is %+v", state)
	}
}

// TestDamagedLockOfOwner keeps a second job from a host whose lock was damaged while a worker
// crawls it for the first.
func TestDamagedLockOfOwner(t *testing.T) {
	calmly(t, 1, func(ctx context.Context, t *testing.T, s *modelServers) {
		s.add(t, "second", modelSitesOf(1))
		first, other := startWorker(ctx, t, s, "job"), startWorker(ctx, t, s, "")
		defer first.end()
		defer other.end()
		owned, err := first.Claim(ctx)
		if err != nil {
			t.Fatal(err)
		}
		lockDamage("{")(s)
		waiting, cancel := context.WithTimeout(ctx, 10*time.Second)
		defer cancel()
		if second, err := other.Claim(waiting); err == nil {
			t.Errorf("two workers request the host; one for job %s", second.view.job.Name)
		}
		if err := owned.Close(ctx, ShardEnd{}); err != nil {
			t.Error(err)
		}
		second, err := other.Claim(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if name := second.view.job.Name; name != "second" {
			t.Errorf("job %s is crawled", name)
		}
	})
}
