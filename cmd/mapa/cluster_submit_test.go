//go:build unix

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/mapatools/mapa/internal/testsite"
)

// TestClusterSubmit kills one of three servers while a job is submitted, at another moment in
// every round. The job is submitted once, and crawled; so is one whose worker and whose
// listing start in that moment.
func TestClusterSubmit(t *testing.T) {
	torture(t)
	t.Parallel()
	const rounds = 20
	c := newCluster(t, 3, &testsite.Many{Sites: 1, Pages: 5})
	random := rand.New(rand.NewPCG(7, 1))
	for round := range rounds {
		job := fmt.Sprint("submit-", round)
		folder := filepath.Join(c.folder, job)
		begun := time.Now()
		wait := c.submit(job, folder)
		time.Sleep(time.Duration(random.Int64N(int64(800 * time.Millisecond))))
		killed := random.IntN(3)
		if err := c.servers.Kill(killed); err != nil {
			t.Fatal(err)
		}
		worker := c.worker(job)
		if output, err := c.mapa("job", "list").CombinedOutput(); err != nil {
			t.Errorf("round %d: list: %v\n%s", round, err, output)
		}
		wait()
		t.Logf("round %d: server %d killed, done after %v", round, killed, time.Since(begun).Round(time.Second))
		if err := errors.Join(worker.Process.Signal(syscall.SIGTERM), worker.Wait()); err != nil {
			t.Errorf("round %d: worker: %v", round, err)
		}
		c.check(folder)
		if err := c.servers.StartOne(killed); err != nil {
			t.Fatal(err)
		}
		if err := c.ready(); err != nil {
			t.Fatal(err)
		}
	}
	output, err := c.mapa("job", "list", "--format", "json").Output()
	var jobs []struct{ Name, State string }
	if err == nil {
		err = json.Unmarshal(output, &jobs)
	}
	if err != nil || len(jobs) != rounds {
		t.Errorf("%d jobs, want %d; error %v", len(jobs), rounds, err)
	}
	for _, job := range jobs {
		if job.State != "done" {
			t.Errorf("job %s is %s", job.Name, job.State)
		}
	}
}
