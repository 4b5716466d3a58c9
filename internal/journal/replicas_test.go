package journal

import (
	"context"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/mapatools/mapa/internal/programtest"
	"github.com/mapatools/mapa/internal/testsite/natstest"
)

// TestMissingServer submits a job to servers that were started after a third one had failed, of
// which they know nothing. When it is back, it gets a replica of the job too.
func TestMissingServer(t *testing.T) {
	t.Parallel()
	if os.Getenv("MAPA_TORTURE") == "" {
		t.Skip("MAPA_TORTURE is not set: a server that is gone is waited for")
	}
	if _, err := natstest.Program(); err != nil {
		programtest.Missing(t, err.Error())
	}
	servers, err := natstest.Start(t.TempDir(), natstest.Loopback(3), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { servers.Close() })
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	var c *Cluster
	connect := func() bool {
		if c == nil {
			c, err = Connect(ctx, &Options{URL: servers.URL()})
		}
		if err != nil {
			c = nil
			return false
		}
		_, err := c.Jobs(ctx)
		return err == nil
	}
	ready := func() {
		t.Helper()
		if err := natstest.Ready(ctx, connect); err != nil {
			t.Fatal(err)
		}
	}
	ready()
	t.Cleanup(func() { c.Close() })
	for _, step := range []func() error{
		func() error { return servers.Kill(2) },
		func() error { return servers.Kill(0) },
		func() error { return servers.StartOne(0) },
		func() error { ready(); return servers.Kill(1) },
		func() error { return servers.StartOne(1) },
	} {
		if err := step(); err != nil {
			t.Fatal(err)
		}
	}
	ready()
	sites := []Site{{Start: "https://a.example/", Host: "a.example"}}
	if err := c.Submit(ctx, Job{Name: "job"}, sites); err != nil {
		t.Fatal(err)
	}
	job, err := c.Job(ctx, "job")
	if err != nil {
		t.Fatal(err)
	}
	names := []string{streamName(job.journal()), bucketStream(stateBucket(job.journal()))}
	n := c.replicas(t, ctx, names)
	if slices.Contains(n, 1) {
		t.Errorf("replicas while a server is missing: %v", n)
	}
	if err := servers.StartOne(2); err != nil {
		t.Fatal(err)
	}
	err = natstest.Ready(ctx, func() bool {
		_, _, err := openJournal(ctx, c.servers, job.journal())
		return err == nil && !slices.Contains(c.replicas(t, ctx, names), fewReplicas)
	})
	if err != nil {
		t.Errorf("replicas after it is back: %v", c.replicas(t, ctx, names))
	}
}

// replicas returns the numbers of replicas of streams.
func (c *Cluster) replicas(t *testing.T, ctx context.Context, names []string) (n []int) {
	t.Helper()
	for _, name := range names {
		s, err := c.nats().js.Stream(ctx, name)
		if err != nil {
			t.Log(err)
			continue
		}
		n = append(n, s.CachedInfo().Config.Replicas)
	}
	return n
}
