package journal

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mapatools/mapa/crawl"
)

// calmly runs a test by the simulated clock with servers that answer, and a job of some
// sites.
func calmly(t *testing.T, sites int, test func(ctx context.Context, t *testing.T, servers *modelServers)) {
	t.Helper()
	warmUp(t)
	synctest.Test(t, func(t *testing.T) {
		m := newModel(1)
		m.calm = true
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second) // less than a lease
		test(ctx, t, m.submit(t, "job", sites))
		cancel()
		m.late.Wait()
	})
}

func startWorker(ctx context.Context, t *testing.T, s servers, job string) *Worker {
	t.Helper()
	w, err := newWorker(ctx, s, WorkerOptions{Job: job})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// end ends the goroutines of a worker.
func (w *Worker) end() {
	w.giveUp()
	w.cancel()
	w.keeping.Wait()
}

// deafServers lose the answers to some first changes of the states of a job.
type deafServers struct {
	*modelServers
	lost int
}

func (s *deafServers) open(ctx context.Context, job string) (stream, bucket, error) {
	stream, states, err := s.modelServers.open(ctx, job)
	return stream, &deafBucket{states, s}, err
}

type deafBucket struct {
	bucket
	servers *deafServers
}

func (b *deafBucket) put(ctx context.Context, key string, value []byte, revision uint64) (uint64, error) {
	revision, err := b.bucket.put(ctx, key, value, revision)
	if b.servers.lost > 0 {
		b.servers.lost--
		return 0, errModel
	}
	return revision, err
}

// TestUnansweredClaim lets a worker have a site although it never learns that its claim
// took place.
func TestUnansweredClaim(t *testing.T) {
	calmly(t, 1, func(ctx context.Context, t *testing.T, servers *modelServers) {
		w := startWorker(ctx, t, &deafServers{servers, 1}, "job")
		defer w.end()
		s, err := w.Claim(ctx)
		if err != nil {
			t.Fatal("the site belongs to a worker that does not crawl it:", err)
		}
		if err := s.Close(ctx, ShardEnd{}); err != nil {
			t.Error(err)
		}
	})
}

// TestLateClaim leaves the lock of a host to the owner of its site when another worker has
// claimed the site too late.
func TestLateClaim(t *testing.T) {
	calmly(t, 1, func(ctx context.Context, t *testing.T, servers *modelServers) {
		first, late := startWorker(ctx, t, servers, "job"), startWorker(ctx, t, servers, "job")
		defer first.end()
		defer late.end()
		s, err := first.Claim(ctx)
		if err != nil {
			t.Fatal(err)
		}
		id, _ := late.lease.held()
		if _, err := late.claim(ctx, s.view, 0, groupView{}, id); err == nil {
			t.Error("two workers have the site")
		}
		err = late.lockHost(ctx, "site-0", hostLock{"other", id})
		if !errors.Is(err, errHostTaken) {
			t.Error("another job may have the host while it is crawled:", err)
		}
	})
}

// TestLateState leaves the state of a site to a worker that has taken it over.
func TestLateState(t *testing.T) {
	calmly(t, 1, func(ctx context.Context, t *testing.T, servers *modelServers) {
		w := startWorker(ctx, t, servers, "job")
		defer w.end()
		claimed, err := w.Claim(ctx)
		if err != nil {
			t.Fatal(err)
		}
		s := claimed
		const taken = `{"owner":"other"}`
		if _, err := s.view.states.put(ctx, "0", []byte(taken), s.rev); err != nil {
			t.Fatal(err)
		}
		s.Slow(1)
		s.keepNotes(ctx)
		s.keepNotes(ctx)
		if err := s.Close(ctx, ShardEnd{Again: true}); err != nil {
			t.Error(err)
		}
		if e, err := s.view.states.get(ctx, "0"); err != nil || string(e.value) != taken {
			t.Errorf("the state is %s now; error %v", e.value, err)
		}
	})
}

// TestNewJob ends what is done for a job when there is another one of its name, also when
// the worker does not learn that the first was deleted.
func TestNewJob(t *testing.T) {
	calmly(t, 1, func(ctx context.Context, t *testing.T, servers *modelServers) {
		w := startWorker(ctx, t, servers, "job")
		defer w.end()
		s, err := w.Claim(ctx)
		if err != nil {
			t.Fatal(err)
		}
		other := modelJob("job", 1)
		other.Submission, other.Created = newID(), time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
		if err := servers.create(ctx, other.journal()); err != nil {
			t.Fatal(err)
		}
		list, err := encodeSites(modelSitesOf(1))
		if err != nil {
			t.Fatal(err)
		}
		servers.store.logs[other.journal()].add(sitesSubject(other.journal()), list[0])
		value, err := json.Marshal(&other)
		if err != nil {
			t.Fatal(err)
		}
		w.takeJob(entry{jobKey("job"), value, 2})
		if err := s.Held(); !errors.Is(err, ErrCanceled) {
			t.Error("the site of the first job may be requested:", err)
		}
		if views := w.openViews(ctx); len(views) != 1 || views[0].job.Created.IsZero() {
			t.Error("the new job is not opened")
		}
	})
}

// TestSharedLog crawls one site after the other where they share a log: what is known of
// one is not that of the next, and its records are not read again.
func TestSharedLog(t *testing.T) {
	calmly(t, maxGroups+1, func(ctx context.Context, t *testing.T, servers *modelServers) {
		w := startWorker(ctx, t, servers, "job")
		defer w.end()
		claimed, err := w.Claim(ctx)
		if err != nil {
			t.Fatal(err)
		}
		first := claimed
		for range maxTries - 1 {
			first.state.Tries++
		}
		first.Slow(0.5)
		commit := crawl.Commit{Found: []crawl.Link{{ID: 1}}, Done: []crawl.Page{{ID: 1, Status: 200}}}
		if err := errors.Join(first.Begin(ctx, first.Meta()), first.Append(ctx, commit)); err != nil {
			t.Fatal(err)
		}
		if err := first.Close(ctx, ShardEnd{Outage: true, Failure: "no answer"}); err != nil {
			t.Fatal(err)
		}
		id, _ := w.lease.held()
		e, err := first.view.states.get(ctx, groupKey(first.group))
		if err != nil {
			t.Fatal(err)
		}
		first.view.take(e)
		next, err := w.claim(ctx, first.view, first.group, first.view.group(first.group), id)
		if err != nil {
			t.Fatal(err)
		}
		if next.site == first.site || next.state.Tries > 0 || next.Slowed() > 0 {
			t.Errorf("site %d after %d has %d tries and the rate %v", next.site, first.site, next.state.Tries, next.Slowed())
		}
		if from, end := next.state.From[next.site], next.state.Ended[first.site].Sequence; from != end {
			t.Errorf("its log is read from %d, want %d", from, end)
		}
		if err := errors.Join(next.Begin(ctx, next.Meta()), next.Append(ctx, commit)); err != nil {
			t.Fatal(err)
		}
		for _, s := range []*Shard{first, next} {
			pages := 0
			_, err := replaySite(ctx, s.view.stream, s.writer.subject, s.site, next.state.From[s.site], next.writer.last,
				func(crawl.Meta) error { return nil }, func(c crawl.Commit) error {
					pages += len(c.Done)
					return nil
				})
			if err != nil || pages != 1 {
				t.Errorf("site %d: %d pages, want 1; error %v", s.site, pages, err)
			}
		}
	})
}

// TestDeadline lets a site wait as long where the clock shows another time.
func TestDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		data, err := json.Marshal(groupState{After: deadline{time.Now().Add(time.Minute)}})
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Hour) // the clock of the other machine is an hour ahead
		var state groupState
		if err := json.Unmarshal(data, &state); err != nil || time.Until(state.After.Time) != time.Minute {
			t.Errorf("%s: waits %v; error %v", data, time.Until(state.After.Time), err)
		}
	})
}
