package journal_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/crawl/storetest"
	"github.com/mapatools/mapa/internal/journal"
	"github.com/mapatools/mapa/internal/programtest"
	"github.com/mapatools/mapa/internal/store"
	"github.com/mapatools/mapa/internal/testsite/natstest"
)

// jobs numbers the jobs of the tests.
var jobs atomic.Int64

// connect starts a server and connects to it.
func connect(t *testing.T) *journal.Cluster {
	t.Helper()
	c, _ := connectTo(t)
	return c
}

// connectTo also returns the URL of the server.
func connectTo(t *testing.T) (c *journal.Cluster, url string) {
	t.Helper()
	if _, err := natstest.Program(); err != nil {
		programtest.Missing(t, err.Error())
	}
	servers, err := natstest.Start(t.TempDir(), natstest.Loopback(1), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { servers.Close() })
	c, err = journal.Connect(t.Context(), &journal.Options{URL: servers.URL()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c, servers.URL()
}

// openJetStream connects to a server without the journal.
func openJetStream(t *testing.T, url string) jetstream.JetStream {
	t.Helper()
	nc, err := nats.Connect(url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	return js
}

// TestMaxPayload refuses servers that would refuse the records of large commits.
func TestMaxPayload(t *testing.T) {
	t.Parallel()
	if _, err := natstest.Program(); err != nil {
		programtest.Missing(t, err.Error())
	}
	servers, err := natstest.Start(t.TempDir(), natstest.Loopback(1), "max_payload: 100000")
	if err != nil {
		t.Fatal(err)
	}
	defer servers.Close()
	_, err = journal.Connect(t.Context(), &journal.Options{URL: servers.URL()})
	if !errors.Is(err, journal.ErrConnect) || !strings.Contains(err.Error(), "max_payload") {
		t.Error(err)
	}
}

// TestReadsFromLeader shows that no replica answers reads: it might not know of a job yet
// that was submitted a moment ago.
func TestReadsFromLeader(t *testing.T) {
	c, url := connectTo(t)
	submit(t, c, "a.example")
	js := openJetStream(t, url)
	streams := js.ListStreams(t.Context())
	n := 0
	for info := range streams.Info() {
		n++
		if info.Config.AllowDirect {
			t.Errorf("replicas of %s answer reads", info.Config.Name)
		}
	}
	if err := streams.Err(); err != nil || n != 4 {
		t.Errorf("%d streams, want those of two buckets and of a job with its bucket; error %v", n, err)
	}
}

// TestSilence goes to another connection when nothing arrives on the present one any more.
func TestSilence(t *testing.T) {
	programtest.SkipShort(t, "it waits for a server that says nothing")
	t.Parallel()
	_, url := connectTo(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	var silent atomic.Bool // for the first connection
	go func() {
		for isFirst := true; ; isFirst = false {
			near, err := listener.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp", strings.TrimPrefix(url, "nats://"))
			if err != nil {
				near.Close()
				continue
			}
			isCut := func() bool { return isFirst && silent.Load() }
			go forward(far, near, isCut)
			go forward(near, far, isCut)
		}
	}()
	c, err := journal.Connect(t.Context(), &journal.Options{URL: "nats://" + listener.Addr().String()})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	silent.Store(true)
	if _, err := c.Job(t.Context(), "none"); !errors.Is(err, journal.ErrNoJob) {
		t.Error(err)
	}
}

// forward copies what arrives, and drops it while the connection is cut.
func forward(to, from net.Conn, isCut func() bool) {
	defer to.Close()
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		if err != nil {
			return
		}
		if isCut() {
			continue
		}
		if _, err := to.Write(buffer[:n]); err != nil {
			return
		}
	}
}

// submit creates a job and returns a worker for it.
func submit(t *testing.T, c *journal.Cluster, sites ...string) (job string, w *journal.Worker) {
	t.Helper()
	job = fmt.Sprint("test-", jobs.Add(1))
	var list []journal.Site
	for _, host := range sites {
		list = append(list, journal.Site{Start: "https://" + host + "/", Host: host})
	}
	if err := c.Submit(t.Context(), journal.Job{Name: job}, list); err != nil {
		t.Fatal(err)
	}
	return job, newWorker(t, c, job)
}

func newWorker(t *testing.T, c *journal.Cluster, job string) *journal.Worker {
	t.Helper()
	w, err := c.NewWorker(t.Context(), journal.WorkerOptions{Job: job})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close(context.Background()) })
	return w
}

func claim(t *testing.T, w *journal.Worker) *journal.Shard {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	s, err := w.Claim(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// journaled is a crawl file whose commits also go to a journal. When it is opened again,
// the file is rebuilt from the journal.
type journaled struct {
	*store.File
	worker *journal.Worker
	shard  *journal.Shard
}

// Append implements [crawl.Store].
func (j *journaled) Append(ctx context.Context, c crawl.Commit) error {
	if err := j.File.Append(ctx, c); err != nil {
		return err
	}
	return j.shard.Append(ctx, c)
}

// Close closes the crawl file and gives the shard and the lease back.
func (j *journaled) Close() error {
	err := errors.Join(j.File.Close(), j.shard.Close(context.Background(), journal.ShardEnd{}))
	return errors.Join(err, j.worker.Close(context.Background()))
}

// TestStore shows that nothing of a commit changes on its way through the servers: a crawl
// file that is made from the journal passes the suite of all stores.
func TestStore(t *testing.T) {
	t.Parallel()
	c := connect(t)
	create := func(t *testing.T, meta crawl.Meta) *store.File {
		f, err := store.Create(filepath.Join(t.TempDir(), "crawl.sqlite"), meta)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	storetest.Run(t, storetest.Backend{
		Create: func(t *testing.T) storetest.Store {
			_, w := submit(t, c, fmt.Sprintf("site-%d.example", jobs.Load())) // two jobs never have one host
			s := claim(t, w)
			if err := s.Begin(t.Context(), meta); err != nil {
				t.Fatal(err)
			}
			return &journaled{create(t, meta), w, s}
		},
		Reopen: func(t *testing.T, opened storetest.Store) storetest.Store {
			j := opened.(*journaled)
			finished := j.Finished()
			err := errors.Join(j.File.Close(), j.shard.Close(t.Context(), journal.ShardEnd{Again: true}))
			if err != nil {
				t.Fatal(err)
			}
			j.shard = claim(t, j.worker)
			err = j.shard.Replay(t.Context(), func(meta crawl.Meta) error {
				j.File = create(t, meta)
				return nil
			}, func(c crawl.Commit) error { return j.File.Append(t.Context(), c) })
			if err == nil && finished {
				err = j.Finish(t.Context())
			}
			if err != nil {
				t.Fatal(err)
			}
			return j
		},
	})
}

// TestJobEnds lets a job be done once its sites have ended.
func TestJobEnds(t *testing.T) {
	c := connect(t)
	job, w := submit(t, c, "a.example")
	s := claim(t, w)
	if err := errors.Join(s.Begin(t.Context(), s.Meta()), s.Close(t.Context(), journal.ShardEnd{})); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Claim(t.Context()); err != io.EOF {
		t.Error("claim after the end:", err)
	}
	if j, err := c.Job(t.Context(), job); err != nil || j.State != journal.JobDone {
		t.Error(j.State, err)
	}
}

// TestCancel stops the work on a site, keeps what was fetched, and goes on with it later.
func TestCancel(t *testing.T) {
	c := connect(t)
	job, w := submit(t, c, "a.example")
	s := claim(t, w)
	err := errors.Join(s.Begin(t.Context(), s.Meta()), c.Cancel(t.Context(), job))
	if err != nil {
		t.Fatal(err)
	}
	for s.Held() == nil { // until the worker knows
		runtime.Gosched()
	}
	if err := s.Held(); !errors.Is(err, journal.ErrCanceled) {
		t.Error(err)
	}
	fetched := storetest.Sample()[0]
	err = errors.Join(s.Append(t.Context(), fetched), s.Close(t.Context(), journal.ShardEnd{Again: true}))
	if err != nil {
		t.Fatal("what was fetched before is not stored:", err)
	}
	if _, err := w.Claim(t.Context()); err != io.EOF {
		t.Error("claim of a canceled job:", err)
	}
	f, err := c.Follow(t.Context(), job)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	stopped, err := f.Stopped(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	pages := 0
	err = f.Replay(t.Context(), 0, stopped, func(crawl.Meta) error { return nil }, func(c crawl.Commit) error {
		pages += len(c.Done)
		return nil
	})
	if err != nil || pages != len(fetched.Done) {
		t.Errorf("%d pages stored, want %d; error %v", pages, len(fetched.Done), err)
	}
	if err := c.Resume(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	if s = claim(t, w); s.Held() != nil {
		t.Error("after it goes on:", s.Held())
	}
	if err := s.Close(t.Context(), journal.ShardEnd{}); err != nil {
		t.Error(err)
	}
}

// TestHold lets a job go on with a site that has failed.
func TestHold(t *testing.T) {
	c := connect(t)
	job, w := submit(t, c, "a.example", "b.example")
	for range 2 {
		s := claim(t, w)
		end := journal.ShardEnd{}
		if s.Meta().Start == "https://b.example/" {
			end.Failure = "no answer"
		}
		if err := s.Close(t.Context(), end); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Claim(t.Context()); err != io.EOF {
		t.Fatal("claim after the end:", err)
	}
	if err := errors.Join(c.Resume(t.Context(), job), c.Hold(t.Context(), job)); err != nil {
		t.Fatal(err)
	}
	if err := c.Resume(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	s := claim(t, w)
	if got := s.Meta().Start; got != "https://b.example/" {
		t.Error("claimed again:", got)
	}
	if err := s.Close(t.Context(), journal.ShardEnd{}); err != nil {
		t.Error(err)
	}
	if _, err := w.Claim(t.Context()); err != io.EOF {
		t.Error("claim after the end:", err)
	}
}

// TestOtherRecords leaves jobs alone whose records have another version, and says so.
func TestOtherRecords(t *testing.T) {
	c, url := connectTo(t)
	const newer = `{"name": "newer", "state": "running", "records": 3, "sites": 1}`
	js := openJetStream(t, url)
	bucket, err := js.KeyValue(t.Context(), "mapa")
	if err == nil {
		_, err = bucket.PutString(t.Context(), "job.newer", newer)
	}
	if err != nil {
		t.Fatal(err)
	}
	notices := make(chan string, 1)
	w, err := c.NewWorker(t.Context(), journal.WorkerOptions{OnNotice: func(text string) { notices <- text }})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close(context.Background())
	if text := <-notices; !strings.Contains(text, "newer") || !strings.Contains(text, "it has format 3, and this one reads format 2") {
		t.Error(text)
	}
	if _, err := c.Follow(t.Context(), "newer"); !errors.Is(err, journal.ErrRecords) {
		t.Error(err)
	}
	if err := c.Cancel(t.Context(), "newer"); err != nil {
		t.Error("cancel:", err)
	}
}

// TestHostOfTwoJobs lets only one job have a host.
func TestHostOfTwoJobs(t *testing.T) {
	c := connect(t)
	_, first := submit(t, c, "a.example")
	_, second := submit(t, c, "a.example")
	s := claim(t, first)
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
	defer cancel()
	if _, err := second.Claim(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Error("both jobs have the host:", err)
	}
	if err := s.Close(t.Context(), journal.ShardEnd{}); err != nil {
		t.Fatal(err)
	}
	if err := claim(t, second).Close(t.Context(), journal.ShardEnd{}); err != nil {
		t.Error(err)
	}
}
