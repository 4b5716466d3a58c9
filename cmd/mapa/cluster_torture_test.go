//go:build unix

package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/mapatools/mapa/internal/testsite"
)

// The size of the full drill. MAPA_CLUSTER_SITES replaces the number of sites.
const (
	tortureSites   = 5000
	tortureWorkers = 4
	// harmTime is the time between two things that go wrong.
	harmTime = 20 * time.Second
)

// TestClusterTorture crawls two million pages of 5,000 sites, while workers are killed and
// stopped, and the servers, one after the other, are killed or stopped as when the network
// is cut.
func TestClusterTorture(t *testing.T) {
	if os.Getenv("MAPA_TORTURE") == "" {
		t.Skip("MAPA_TORTURE is not set")
	}
	sites := tortureSites
	if n, err := strconv.Atoi(os.Getenv("MAPA_CLUSTER_SITES")); err == nil {
		sites = n
	}
	c := newCluster(t, 3, &testsite.Many{Sites: sites, Pages: 400, Pause: 5 * time.Millisecond})
	random := rand.New(rand.NewPCG(18, 1))
	workers := make([]*exec.Cmd, tortureWorkers)
	for i := range workers {
		workers[i] = c.worker(fmt.Sprint("worker-", i))
	}
	folder := filepath.Join(c.folder, "results")
	ended := make(chan struct{})
	wait := c.submit("torture", folder)
	go func() {
		defer close(ended)
		t.Log(wait())
	}()
	lives, harms := tortureWorkers, 0
	pages := 0 // that may be requested again
	for harm := time.NewTicker(harmTime); ; harms++ {
		select {
		case <-ended:
			harm.Stop()
			c.check(folder)
			again := 0
			for site := range sites {
				again += c.sites.Again(site)
			}
			t.Logf("%d things went wrong, %d of %d pages were requested again", harms, again, sites*400)
			if again > pages {
				t.Errorf("%d pages were requested again, more than %d", again, pages)
			}
			t.Log("not run: cutting the network between servers with namespaces; a stopped server stands for it")
			return
		case <-harm.C:
		}
		i := random.IntN(tortureWorkers)
		switch harms % 4 {
		case 0: // a crash, and another worker in its place
			_ = workers[i].Process.Kill() // it may have ended
			workers[i] = c.worker(fmt.Sprint("worker-", lives))
			lives++
			pages += 32 * unsaved
		case 1: // a server crashes and comes back
			server := harms / 4 % 3
			if err := c.servers.Kill(server); err != nil {
				t.Error(err)
			}
			time.AfterFunc(5*time.Second, func() { _ = c.servers.StartOne(server) })
		case 2: // a worker is stopped for longer than its lease
			stopped := workers[i].Process
			_ = stopped.Signal(syscall.SIGSTOP)
			time.AfterFunc(45*time.Second, func() { _ = stopped.Signal(syscall.SIGCONT) })
			pages += 32 * unsaved
		case 3: // nobody reaches a server for some time
			server, err := os.FindProcess(c.servers.PID(harms / 4 % 3))
			if err != nil {
				t.Error(err)
				continue
			}
			_ = server.Signal(syscall.SIGSTOP)
			time.AfterFunc(15*time.Second, func() { _ = server.Signal(syscall.SIGCONT) })
		}
	}
}
