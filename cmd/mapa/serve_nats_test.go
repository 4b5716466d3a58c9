//go:build unix

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mapatools/mapa/internal/testsite"
	"github.com/mapatools/mapa/internal/testsite/natstest"
)

// A webServer is mapa serve in a process of its own.
type webServer struct {
	t       *testing.T
	process *exec.Cmd
	origin  string
}

// serve starts a server whose crawls run on the workers of a cluster.
func (c *cluster) serve(arguments ...string) *webServer {
	c.t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		c.t.Fatal(err)
	}
	address := listener.Addr().String() // free from now on
	listener.Close()
	origin := "http://" + address + "/"
	always := []string{"serve", "--data", c.folder + "/data", "--listen", address, "--origin", origin}
	command := c.mapa(append(always, arguments...)...)
	output, err := command.StdoutPipe()
	if err != nil {
		c.t.Fatal(err)
	}
	var errors bytes.Buffer
	command.Stderr = &errors
	if err := command.Start(); err != nil {
		c.t.Fatal(err)
	}
	s := &webServer{t: c.t, process: command, origin: origin}
	c.t.Cleanup(func() {
		s.kill()
		c.t.Logf("server:\n%s", &errors)
	})
	if line, err := bufio.NewReader(output).ReadString('\n'); err != nil {
		c.t.Fatalf("the server does not start: %q %v", line, err)
	}
	return s
}

func (s *webServer) kill() {
	_ = s.process.Process.Kill() // it may have been
	_ = s.process.Wait()
}

// api sends a request to the API and returns the answer.
func (s *webServer) api(method, path, body string) []byte {
	s.t.Helper()
	request, err := http.NewRequestWithContext(s.t.Context(), method, s.origin+"api/v1/"+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		s.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode >= 300 {
		s.t.Fatalf("%s %s: %d %s %v", method, path, answer.StatusCode, text, err)
	}
	return text
}

// A webCrawl is what the API says about a crawl.
type webCrawl struct {
	ID, State string
	Counts    struct{ Pages, Listed, Ignored int }
	Error     struct{ Code, Text string }
}

func (s *webServer) crawl(method, path, body string) (c webCrawl) {
	s.t.Helper()
	if err := json.Unmarshal(s.api(method, path, body), &c); err != nil {
		s.t.Fatal(err)
	}
	return c
}

// start queues a crawl.
func (s *webServer) start(address string) webCrawl {
	s.t.Helper()
	return s.crawl(http.MethodPost, "crawls", fmt.Sprintf(`{"url": %q}`, address))
}

// until waits until a crawl satisfies a condition.
func (s *webServer) until(id, what string, holds func(webCrawl) bool) (c webCrawl) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), 3*time.Minute)
	defer cancel()
	if natstest.Ready(ctx, func() bool { c = s.crawl(http.MethodGet, "crawls/"+id, ""); return holds(c) }) != nil {
		s.t.Fatalf("waiting until %s: %+v", what, c)
	}
	return c
}

func (s *webServer) ended(id string) webCrawl {
	s.t.Helper()
	return s.until(id, "it has ended", func(c webCrawl) bool {
		return c.State == "done" || c.State == "failed" || c.State == "stopped"
	})
}

// checkSitemap compares the sitemap of a crawl with what it should list.
func (s *webServer) checkSitemap(id string, want []string) {
	s.t.Helper()
	var got []string
	for part := range strings.SplitSeq(string(s.api(http.MethodGet, "crawls/"+id+"/files/sitemap.xml", "")), "<loc>") {
		if address, _, found := strings.Cut(part, "</loc>"); found {
			got = append(got, address)
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		s.t.Errorf("%d pages listed, want %d", len(got), len(want))
	}
}

// TestServeOnWorkers crawls through the API of a server whose crawls run on workers. The
// server is killed while a site is crawled, and again after the workers are done.
func TestServeOnWorkers(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 1, &testsite.Many{Sites: 2, Pages: 400, Held: 300})
	c.worker("worker")
	s := c.serve()
	killed, stopped := s.start(c.sites.URL(0)), s.start(c.sites.URL(1))
	for site := range 2 {
		c.until("the sites are crawled", func(int) bool { return c.sites.Requested(site) > 300 })
	}
	s.kill()
	s = c.serve()
	s.until(killed.ID, "its progress is known", func(c webCrawl) bool {
		return c.State == "running" && c.Counts.Pages > 0
	})
	s.crawl(http.MethodPost, "crawls/"+killed.ID+"/pause", "")
	s.crawl(http.MethodPost, "crawls/"+stopped.ID+"/stop", "")
	if got := s.ended(stopped.ID); got.State != "stopped" || got.Counts.Pages != 300 {
		t.Errorf("stopped: %+v", got)
	}
	c.until("both jobs are held, since both crawls can go on", func(int) bool {
		jobs := c.jobs()
		return len(jobs) == 2 && jobs[0].State == "canceled" && jobs[1].State == "canceled"
	})
	s.api(http.MethodDelete, "crawls/"+stopped.ID, "")
	c.until("the job of the deleted crawl is deleted", func(int) bool { return len(c.jobs()) == 1 })
	s.crawl(http.MethodPost, "crawls/"+killed.ID+"/resume", "")
	c.until("it goes on", func(int) bool { return c.sites.Again(0) > 0 })
	s.kill()
	c.sites.Release()
	c.until("workers go on without the server", func(int) bool { return c.sites.Requested(0) == 400 })
	s = c.serve()
	if got := s.ended(killed.ID); got.State != "done" || got.Counts.Listed != 400 {
		t.Errorf("killed: %+v", got)
	}
	s.checkSitemap(killed.ID, c.sites.Listed(0))
	c.until("the servers have forgotten the jobs", func(int) bool { return len(c.jobs()) == 0 })
	if again := c.sites.Again(0); again > 8 {
		t.Errorf("%d pages were requested again", again)
	}
	// What is ignored on a site is ignored in what workers crawl too.
	site := strings.TrimSuffix(strings.TrimPrefix(c.sites.URL(0), "http://"), "/")
	s.api(http.MethodPut, "sites/"+site+"/ignored",
		`{"version":2,"ignored":[{"rule":"description-missing","folder":"/"}]}`)
	before := s.crawl(http.MethodGet, "crawls/"+killed.ID, "").Counts.Ignored
	if after := s.ended(s.start(c.sites.URL(0)).ID).Counts.Ignored; before < 400 || after != before {
		t.Errorf("%d findings ignored, and %d of the next crawl", before, after)
	}
}

// A clusterJob is a line of mapa job list.
type clusterJob struct{ Name, State string }

func (c *cluster) jobs() (all []clusterJob) {
	c.t.Helper()
	output, err := c.mapa("job", "list", "--format", "json").Output()
	if err == nil {
		err = json.Unmarshal(output, &all)
	}
	if err != nil {
		c.t.Fatal(err)
	}
	return all
}

// TestServePublicOnWorkers shows that workers request only the public internet for
// strangers.
func TestServePublicOnWorkers(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 1, &testsite.Many{Sites: 1, Pages: 10})
	c.worker("worker")
	s := c.serve("--public", "--contact", "abuse@example.com")
	crawl := s.ended(s.start(c.sites.URL(0)).ID)
	if !strings.Contains(crawl.Error.Text, "address not allowed") || c.sites.Requested(0) > 0 {
		t.Errorf("%+v", crawl)
	}
}
