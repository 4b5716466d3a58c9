//go:build unix

package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
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

// torture skips a test that takes long, unless MAPA_TORTURE is set.
func torture(t *testing.T) {
	t.Helper()
	if os.Getenv("MAPA_TORTURE") == "" {
		t.Skip("MAPA_TORTURE is not set")
	}
}

// TestClusterWithoutQuorum kills two of three servers at once. They are away for longer than
// a lease, and come back.
func TestClusterWithoutQuorum(t *testing.T) {
	torture(t)
	t.Parallel()
	const held = 300
	c := newCluster(t, 3, &testsite.Many{Sites: 8, Pages: 400, Held: held, Hidden: true})
	c.worker("one")
	c.worker("other", "--parallel", "4")
	folder := filepath.Join(c.folder, "results")
	wait := c.submit("quorum", folder, "--timeout", "10m")
	c.until("the sites are crawled", func(site int) bool { return c.sites.Requested(site) > held })
	if err := errors.Join(c.servers.Kill(0), c.servers.Kill(1)); err != nil {
		t.Fatal(err)
	}
	c.sites.Release() // what is fetched now cannot be stored
	time.Sleep(awayTime)
	before := c.requested()
	time.Sleep(awayTime / 4)
	if after := c.requested(); after != before {
		t.Errorf("%d pages were requested without a lease", after-before)
	}
	if err := errors.Join(c.servers.StartOne(0), c.servers.StartOne(1)); err != nil {
		t.Fatal(err)
	}
	t.Log(wait())
	c.check(folder)
	c.logAgain()
}

// awayTime is longer than a lease.
const awayTime = 40 * time.Second

// requested returns the number of requests for pages of all sites.
func (c *cluster) requested() (n int) {
	for site := range c.sites.Sites {
		n += c.sites.Requested(site) + c.sites.Again(site)
	}
	return n
}

// logAgain checks that no site has more than one batch of pages that were requested again.
func (c *cluster) logAgain() {
	c.t.Helper()
	again := 0
	for site := range c.sites.Sites {
		n := c.sites.Again(site)
		again += n
		if n > unsaved {
			c.t.Errorf("site %d: %d pages were requested again", site, n)
		}
	}
	c.t.Logf("%d of %d pages were requested again", again, c.sites.Sites*c.sites.Pages)
}

// TestClusterCut cuts the network between a worker and the server, while both reach the
// sites, until another worker has taken over.
func TestClusterCut(t *testing.T) {
	torture(t)
	t.Parallel()
	const held = 300
	c := newCluster(t, 1, &testsite.Many{Sites: 4, Pages: 400, Held: held})
	direct := c.access
	wire := newWire(t, strings.TrimPrefix(c.servers.URL(), "nats://"))
	c.access = []string{"--nats", "nats://" + wire.address}
	c.worker("cut")
	c.access = direct
	folder := filepath.Join(c.folder, "results")
	wait := c.submit("cut", folder, "--timeout", "10m")
	c.until("the sites are crawled", func(site int) bool { return c.sites.Requested(site) > held })
	wire.cut(true)
	c.worker("left")
	c.until("the other worker has taken over", func(site int) bool { return c.sites.Again(site) > 0 })
	c.sites.Release() // also the answers to the worker that is cut off
	c.until("the sites are done", func(site int) bool { return c.sites.Requested(site) == c.sites.Pages })
	wire.cut(false)
	t.Log(wait())
	c.check(folder)
	c.logAgain()
}

// A wire is a network connection that can be cut: nothing arrives any more, and neither end
// notices.
type wire struct {
	address, to string
	mutex       sync.Mutex
	joined      *sync.Cond
	isCut       bool
}

func newWire(t *testing.T, to string) *wire {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	w := &wire{address: listener.Addr().String(), to: to}
	w.joined = sync.NewCond(&w.mutex)
	go func() {
		for {
			near, err := listener.Accept()
			if err != nil {
				return
			}
			go w.connect(near)
		}
	}()
	return w
}

func (w *wire) connect(near net.Conn) {
	defer near.Close()
	w.wait()
	far, err := net.Dial("tcp", w.to)
	if err != nil {
		return
	}
	defer far.Close()
	go w.copy(near, far)
	w.copy(far, near)
}

func (w *wire) copy(to, from net.Conn) {
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		if err != nil {
			to.Close()
			return
		}
		w.wait()
		if _, err := to.Write(buffer[:n]); err != nil {
			return
		}
	}
}

// wait waits while the wire is cut.
func (w *wire) wait() {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	for w.isCut {
		w.joined.Wait()
	}
}

func (w *wire) cut(isCut bool) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.isCut = isCut
	w.joined.Broadcast()
}

// TestClusterTorture crawls two million pages of 5,000 sites, while workers are killed and
// stopped, and the servers, one after the other, are killed or stopped as when the network
// is cut.
func TestClusterTorture(t *testing.T) {
	torture(t)
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
