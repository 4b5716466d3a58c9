//go:build unix

package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/mapatools/mapa/internal/testsite"
)

// TestClusterCancel writes what was found when a job is canceled. The same command goes on
// with the job, and writes the whole sites.
func TestClusterCancel(t *testing.T) {
	t.Parallel()
	const pages, held, underWay = 400, 300, 8
	c := newCluster(t, 1, &testsite.Many{Sites: 2, Pages: pages, Held: held})
	c.worker("worker")
	folder := filepath.Join(c.folder, "results")
	crawl := func() *exec.Cmd {
		command := c.mapa("crawl", c.sites.URL(0), c.sites.URL(1), "--job", "canceled", "-o", folder)
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		return command
	}
	canceled := crawl()
	c.until("all that is answered is crawled", func(site int) bool { return c.sites.Requested(site) > held })
	if output, err := c.mapa("job", "cancel", "canceled").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	exit, isExit := errors.AsType[*exec.ExitError](canceled.Wait())
	if !isExit || exit.ExitCode() != 3 {
		t.Error("the canceled crawl:", exit)
	}
	for site := range c.sites.Sites {
		name := filepath.Join(folder, strings.ReplaceAll(c.sites.Host(site), ":", "-"), "sitemap.xml")
		text, err := os.ReadFile(name)
		if n := strings.Count(string(text), "<loc>"); n > held || n < held-underWay {
			t.Errorf("site %d: %d pages listed, want %d, or a few less; error %v", site, n, held, err)
		}
	}
	other := c.mapa("crawl", c.sites.URL(0), "--job", "canceled", "-o", folder)
	if text, _ := other.CombinedOutput(); other.ProcessState.ExitCode() != 2 ||
		!strings.Contains(string(text), "choose another name with --job") {
		t.Errorf("a job of the same name with other sites: exit code %d\n%s", other.ProcessState.ExitCode(), text)
	}
	c.sites.Release()
	if err := crawl().Wait(); err != nil {
		t.Error("the crawl that goes on:", err)
	}
	c.check(folder)
}

// TestClusterStopped ends a worker by a signal while no server answers.
func TestClusterStopped(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 1, &testsite.Many{Sites: 1, Pages: 1})
	worker := c.worker("worker")
	c.until("it has a lease", func(int) bool { return strings.Contains(c.said("worker"), "is connected") })
	if err := c.servers.Kill(0); err != nil {
		t.Fatal(err)
	}
	if err := worker.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := worker.Wait(); err != nil {
		t.Error(err)
	}
	if said := c.said("worker"); !strings.Contains(said, "when the lease has expired") {
		t.Error(said)
	}
}
