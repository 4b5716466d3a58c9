package journal

import (
	"context"
	"slices"
	"testing"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/mapatools/mapa/internal/programtest"
	"github.com/mapatools/mapa/internal/testsite/natstest"
)

// behind is a bucket as a replica sees it that has fallen behind for good.
type behind struct{ jetstream.KeyValue }

func (b behind) Watch(ctx context.Context, _ string, _ ...jetstream.WatchOpt) (jetstream.KeyWatcher, error) {
	return b.KeyValue.Watch(ctx, "none")
}

// connect starts a server and connects to it.
func connect(t *testing.T) *Cluster {
	t.Helper()
	if _, err := natstest.Program(); err != nil {
		programtest.Missing(t, err.Error())
	}
	servers, err := natstest.Start(t.TempDir(), natstest.Loopback(1), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { servers.Close() })
	c, err := Connect(t.Context(), &Options{URL: servers.URL()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// TestWatchReplicaBehind shows that a watch learns of every change from the leader when the
// replica that it hears does not have them.
func TestWatchReplicaBehind(t *testing.T) {
	programtest.SkipShort(t, "it waits for a server with old data")
	t.Parallel()
	c := connect(t)
	ctx := t.Context()
	k := c.servers.jobs().(*keyValue)
	k.kv = behind{k.kv}
	put := func(key, value string) uint64 {
		t.Helper()
		revision, err := k.put(ctx, key, []byte(value), 0)
		if err != nil {
			t.Fatal(err)
		}
		return revision
	}
	first := put("a.1", "one")
	put("other", "x")
	changes := make(chan entry, 10)
	<-k.watch(ctx, "a.*", func(e entry) { changes <- e })
	if len(changes) != 1 {
		t.Errorf("%d values are present, want 1", len(changes))
	}
	second := put("a.2", "two")
	if err := k.remove(ctx, "a.1", first); err != nil {
		t.Fatal(err)
	}
	var got []string
	for range 3 {
		e := <-changes
		got = append(got, e.key+"="+string(e.value))
	}
	if want := []string{"a.1=one", "a.2=two", "a.1="}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if e, err := k.next(ctx, "a.*", first); err != nil || e.revision != second {
		t.Errorf("after revision %d: %v, want %d; error %v", first, e, second, err)
	}
}

// stuck is a bucket whose client library waits for another connection.
type stuck struct{ jetstream.KeyValue }

func (s stuck) Watch(ctx context.Context, _ string, _ ...jetstream.WatchOpt) (jetstream.KeyWatcher, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

// TestWatchStuck shows that a watch asks the leader when the client library does not return.
func TestWatchStuck(t *testing.T) {
	programtest.SkipShort(t, "it waits for a server that says nothing")
	t.Parallel()
	c, ctx := connect(t), t.Context()
	k := c.servers.jobs().(*keyValue)
	k.kv = stuck{k.kv}
	changes := make(chan entry, 1)
	waiting, cancel := operation(ctx)
	defer cancel()
	err := awaitWatch(waiting, "watching", k.watch(ctx, "a", func(e entry) { changes <- e }))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.nats().js.Publish(ctx, "$KV."+jobsBucket+".a", []byte("one")); err != nil {
		t.Fatal(err)
	}
	if e := <-changes; string(e.value) != "one" {
		t.Errorf("%v", e)
	}
}

// TestWatchLostChanges shows that a watch starts again when the servers have lost changes
// that it has passed on.
func TestWatchLostChanges(t *testing.T) {
	t.Parallel()
	c, ctx := connect(t), t.Context()
	k := c.servers.jobs().(*keyValue)
	revision, err := k.put(ctx, "a", []byte("one"), 0)
	if err != nil {
		t.Fatal(err)
	}
	var got []entry
	w := &watch{bucket: k, pattern: ">", at: revision + 10, changed: func(e entry) { got = append(got, e) }}
	if err := w.catchUp(ctx); err != nil || len(got) > 0 {
		t.Errorf("the first time: %v, error %v", got, err)
	}
	for range 2 {
		if err := w.catchUp(ctx); err != nil {
			t.Fatal(err)
		}
	}
	if len(got) != 2 || got[0].revision != 0 || got[1].key != "a" || got[1].revision != revision {
		t.Errorf("%v, want the zero entry and the present value", got)
	}
}

// TestFollowLostChanges goes on following a job when a watch starts again.
func TestFollowLostChanges(t *testing.T) {
	f := &Follower{job: Job{State: JobRunning}, changes: make(chan struct{}, 1)}
	f.takeJob(entry{})
	if state := f.Job().State; state != JobRunning {
		t.Error(state)
	}
}
