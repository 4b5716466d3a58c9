//go:build unix

package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mapatools/mapa/internal/programtest"
	"github.com/mapatools/mapa/internal/testsite"
	"github.com/mapatools/mapa/internal/testsite/natstest"
)

// A cluster is servers and workers, each a process of its own, and sites to crawl.
type cluster struct {
	t       *testing.T
	servers *natstest.Servers
	sites   *testsite.Many
	folder  string
	access  []string // flags that name the servers
	command []string // runs the program, with the arguments that follow; may be empty
}

func newCluster(t *testing.T, servers int, sites *testsite.Many) *cluster {
	t.Helper()
	return newClusterWith(t, servers, sites, "", func(url string) []string { return []string{"--nats", url} })
}

// newClusterWith adds lines to the configuration of the servers, whose clients need the
// flags that access returns for their URL.
func newClusterWith(
	t *testing.T, servers int, sites *testsite.Many, extra string, access func(url string) []string,
) *cluster {
	t.Helper()
	return newClusterOn(t, natstest.Loopback(servers), sites, extra, access)
}

// newClusterOn is newClusterWith for servers that do not run on loopback.
func newClusterOn(
	t *testing.T, nodes []natstest.Node, sites *testsite.Many, extra string, access func(url string) []string,
) *cluster {
	t.Helper()
	programtest.SkipShort(t, "it crawls on workers")
	if _, err := natstest.Program(); err != nil {
		programtest.Missing(t, err.Error())
	}
	c := &cluster{t: t, sites: sites, folder: t.TempDir()}
	var err error
	if c.servers, err = natstest.Start(c.folder, nodes, extra); err != nil {
		t.Fatal(err)
	}
	c.access = access(c.servers.URL())
	t.Cleanup(func() { c.servers.Close() })
	if err := sites.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { sites.Close() })
	if err := c.ready(); err != nil {
		t.Fatal("the servers are not ready:", err)
	}
	return c
}

// ready waits until the servers answer.
func (c *cluster) ready() error {
	ctx, cancel := context.WithTimeout(c.t.Context(), time.Minute)
	defer cancel()
	return natstest.Ready(ctx, func() bool { return c.mapa("job", "list").Run() == nil })
}

// mapa returns a command of the program with the servers.
func (c *cluster) mapa(arguments ...string) *exec.Cmd {
	all := slices.Concat(c.command, []string{os.Args[0]}, arguments, c.access)
	command := exec.Command(all[0], all[1:]...)
	command.Env = append(os.Environ(), runVariable+"=1")
	return command
}

// worker starts a worker, which is killed at the end of the test.
func (c *cluster) worker(name string, arguments ...string) *exec.Cmd {
	c.t.Helper()
	command := c.mapa(append([]string{"worker", "--name", name, "--temp", c.folder}, arguments...)...)
	output, err := os.Create(filepath.Join(c.folder, name+".log"))
	if err != nil {
		c.t.Fatal(err)
	}
	defer output.Close()
	command.Stdout, command.Stderr = output, output
	if err := command.Start(); err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() {
		_, _ = command.Process.Kill(), command.Wait() // it may have ended
		c.t.Logf("worker %s:\n%s", name, c.said(name))
	})
	return command
}

// said returns what a worker has printed.
func (c *cluster) said(worker string) string {
	c.t.Helper()
	text, err := os.ReadFile(filepath.Join(c.folder, worker+".log"))
	if err != nil {
		c.t.Fatal(err)
	}
	return string(text)
}

// submit starts the crawl of all sites, and returns what waits for its end.
func (c *cluster) submit(job, folder string, arguments ...string) (wait func() string) {
	c.t.Helper()
	var list strings.Builder
	for site := range c.sites.Sites {
		list.WriteString(c.sites.URL(site) + "\n")
	}
	name := filepath.Join(c.folder, job+".txt")
	if err := os.WriteFile(name, []byte(list.String()), 0o600); err != nil {
		c.t.Fatal(err)
	}
	command := c.mapa(append([]string{"crawl", "--sites", name, "--job", job, "-o", folder}, arguments...)...)
	var output bytes.Buffer
	command.Stdout, command.Stderr = &output, &output
	if err := command.Start(); err != nil {
		c.t.Fatal(err)
	}
	return func() string {
		c.t.Helper()
		if err := command.Wait(); err != nil {
			c.t.Errorf("crawl: %v\n%s", err, &output)
		}
		return output.String()
	}
}

// check compares the sitemap of every site with what it should list.
func (c *cluster) check(folder string) {
	c.t.Helper()
	for site := range c.sites.Sites {
		text, err := os.ReadFile(filepath.Join(folder, strings.ReplaceAll(c.sites.Host(site), ":", "-"), "sitemap.xml"))
		if err != nil {
			c.t.Error(err)
			continue
		}
		var got []string
		for part := range strings.SplitSeq(string(text), "<loc>") {
			if address, _, found := strings.Cut(part, "</loc>"); found {
				got = append(got, address)
			}
		}
		want := c.sites.Listed(site)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			c.t.Errorf("site %d: %d pages listed, want %d", site, len(got), len(want))
		}
	}
}

// until waits until something holds for every site.
func (c *cluster) until(what string, holds func(site int) bool) {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), 5*time.Minute)
	defer cancel()
	err := natstest.Ready(ctx, func() bool {
		for site := range c.sites.Sites {
			if !holds(site) {
				return false
			}
		}
		return true
	})
	if err != nil {
		for site := range c.sites.Sites {
			c.t.Logf("site %d: %d pages requested, %d again", site, c.sites.Requested(site), c.sites.Again(site))
		}
		c.t.Fatal("waiting until", what, err)
	}
}

// unsaved is the most pages of a site that a worker has fetched and not stored.
const unsaved = 500

// TestCluster crawls sites with three servers and three workers. When the sites are nearly
// done, their answers wait while the worker of one half is killed, that of the other half is
// stopped for longer than its lease, and a server is killed and comes back. What the stopped
// worker then receives comes too late.
func TestCluster(t *testing.T) {
	t.Parallel()
	const pages, held = 700, 650
	c := newCluster(t, 3, &testsite.Many{Sites: 4, Pages: pages, Held: held, Hidden: true})
	killed := c.worker("killed", "--parallel", "2")
	stopped := c.worker("stopped", "--parallel", "2")
	folder := filepath.Join(c.folder, "results")
	wait := c.submit("drill", folder, "--timeout", "10m")
	c.until("two workers have all sites", func(site int) bool { return c.sites.Requested(site) > 0 })
	c.worker("left")
	c.until("they have fetched what is answered", func(site int) bool { return c.sites.Requested(site) > held })
	if err := killed.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := stopped.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	if err := c.servers.Kill(1); err != nil {
		t.Fatal(err)
	}
	c.until("the third has taken over", func(site int) bool { return c.sites.Again(site) > 0 })
	if err := c.servers.StartOne(1); err != nil {
		t.Fatal(err)
	}
	if err := stopped.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	c.sites.Release()
	t.Log(wait())
	c.check(folder)
	c.logAgain()
}
