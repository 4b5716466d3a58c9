package journal

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/programtest"
)

// nats returns the connection to the servers.
func (c *Cluster) nats() *connection { return c.servers.(*connection) }

// crawlAll crawls the sites of a job until it has ended.
func crawlAll(t *testing.T, w *Worker, whenClaimed func()) {
	t.Helper()
	for {
		s, err := w.Claim(t.Context())
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		whenClaimed()
		err = s.Replay(t.Context(), func(crawl.Meta) error { return nil }, func(crawl.Commit) error { return nil })
		if err == nil || s.writer.last > 0 {
			err = s.Begin(t.Context(), s.Meta())
		}
		for err == nil {
			var urls []string
			if urls, err = s.Offered(t.Context()); len(urls) == 0 {
				break
			}
		}
		if err := s.Close(t.Context(), ShardEnd{Again: err != nil}); err != nil {
			t.Log(err)
		}
	}
}

// TestDamageOnServers is TestDamage in short with real servers, whose messages have headers.
func TestDamageOnServers(t *testing.T) {
	t.Parallel()
	c, ctx := connect(t), t.Context()
	sites := []Site{{Start: "https://a.example/", Host: "a.example"}}
	// There is a bucket mapa_workers, which has nothing to do with the job.
	const name = "workers"
	if err := c.Submit(ctx, Job{Name: name}, sites); err != nil {
		t.Fatal(err)
	}
	job, err := c.Job(ctx, name)
	if err != nil {
		t.Fatal(err)
	}
	journal := job.journal()
	damage := func() {
		for subject, header := range map[string]nats.Header{
			"$KV.mapa." + hostKey("a.example"):              {},
			"$KV.mapa.job.none":                             {"KV-Operation": {"JUNK"}},
			"$KV.mapa.x.y.z":                                {"Nats-Marker-Reason": {"MaxAge"}},
			"$KV.mapa_workers.x":                            {"KV-Operation": {"JUNK"}},
			"$KV." + stateBucket(journal) + ".0":            {"KV-Operation": {"JUNK"}},
			"$KV." + stateBucket(journal) + ".00":           {},
			"$KV." + stateBucket(journal) + ".x\x1b[2J":     {},
			logSubject(journal, 0):                          {"Nats-Msg-Id": {"x"}, "KV-Operation": {"DEL"}},
			sitesSubject(journal):                           {},
			offerSubject(journal, 0):                        {"Nats-Rollup": {""}},
			strings.TrimSuffix(offerSubjects(journal), "*"): {},
		} {
			subject = strings.TrimSuffix(subject, ".")
			if err := c.nats().nc.PublishMsg(&nats.Msg{Subject: subject, Header: header, Data: []byte("{")}); err != nil {
				t.Fatal(err)
			}
		}
		if err := c.nats().nc.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	damage()
	w, err := c.NewWorker(ctx, WorkerOptions{Job: name, OnNotice: func(text string) { t.Log(text) }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close(context.Background()) })
	crawlAll(t, w, damage)
	if job, err := c.Job(ctx, name); err != nil || job.State != JobDone {
		t.Errorf("the job is %q; error %v", job.State, err)
	}
	jobs, err := c.Jobs(ctx)
	if err != nil || len(jobs) != 2 || jobs[0].Name != "none" || jobs[0].State != JobDamaged {
		t.Error(jobs, err)
	}
	for _, name := range []string{"none", name} {
		if err := c.Delete(ctx, name); err != nil {
			t.Errorf("delete %s: %v", name, err)
		}
	}
	left := c.nats().js.StreamNames(ctx)
	for stream := range left.Name() {
		if stream != bucketStream(jobsBucket) && stream != bucketStream(leasesBucket) {
			t.Errorf("the stream %s is left", stream)
		}
	}
}

// TestLostBuckets removes the buckets that all jobs share. The worker makes them again, and
// crawls the next job.
func TestLostBuckets(t *testing.T) {
	programtest.SkipShort(t, "it waits for servers that lost everything")
	t.Parallel()
	c, ctx := connect(t), t.Context()
	w, err := c.NewWorker(ctx, WorkerOptions{OnNotice: func(text string) { t.Log(text) }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close(context.Background()) })
	for _, name := range []string{jobsBucket, leasesBucket} {
		if err := c.nats().js.DeleteStream(ctx, bucketStream(name)); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	claimed := make(chan error, 1)
	go func() {
		s, err := w.Claim(ctx)
		if err == nil {
			err = s.Close(ctx, ShardEnd{})
		}
		claimed <- err
	}()
	sites := []Site{{Start: "https://a.example/", Host: "a.example"}}
	for wait := (pause{}); ; {
		err := c.Submit(ctx, Job{Name: "next"}, sites)
		if err == nil {
			break
		}
		if wait.sleep(ctx) != nil {
			t.Fatal(err)
		}
	}
	if err := <-claimed; err != nil {
		t.Error(err)
	}
}
