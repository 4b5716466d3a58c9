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
	ready := func() error {
		return natstest.Ready(ctx, func() (isReady bool) {
			if c == nil {
				c, _ = Connect(ctx, &Options{URL: servers.URL()}) // nil after an error
			}
			if c != nil {
				_, err := c.Jobs(ctx)
				isReady = err == nil
			}
			return isReady
		})
	}
	defer func() {
		if c != nil {
			c.Close()
		}
	}()
	for _, step := range []func() error{
		ready,
		func() error { return servers.Kill(2) },
		func() error { return servers.Kill(0) },
		func() error { return servers.StartOne(0) },
		ready,
		func() error { return servers.Kill(1) },
		func() error { return servers.StartOne(1) },
		ready,
	} {
		if err := step(); err != nil {
			t.Fatal(err)
		}
	}
	sites := []Site{{Start: "https://a.example/", Host: "a.example"}}
	if err := c.Submit(ctx, Job{Name: "job"}, sites); err != nil {
		t.Fatal(err)
	}
	job, err := c.Job(ctx, "job")
	if err != nil {
		t.Fatal(err)
	}
	names := []string{streamName(job.journal()), bucketStream(stateBucket(job.journal()))}
	if n := c.replicas(ctx, t, names); !slices.Equal(n, []int{fewReplicas, fewReplicas}) {
		t.Errorf("replicas while a server is missing: %v", n)
	}
	if err := servers.StartOne(2); err != nil {
		t.Fatal(err)
	}
	err = natstest.Ready(ctx, func() bool {
		_, _, err := openJournal(ctx, c.servers, job.journal())
		return err == nil && !slices.Contains(c.replicas(ctx, t, names), fewReplicas)
	})
	if err != nil {
		t.Errorf("replicas after it is back: %v", c.replicas(ctx, t, names))
	}
}

// replicas returns the numbers of replicas of streams.
func (c *Cluster) replicas(ctx context.Context, t *testing.T, names []string) (n []int) {
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
