package journal_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/journal"
	"github.com/mapatools/mapa/internal/programtest"
)

// A failing server ends its connection while it has a request of a client, and the client goes
// to another server, as when the first is killed. The others have what took place.
type failing struct {
	to       string       // the address of the servers
	at       int64        // number of the request, from 1
	unheard  bool         // the request takes place, and is not answered
	requests atomic.Int64 // until now
	gone     atomic.Bool
}

// listen accepts connections until the test ends. It returns the URL.
func (f *failing) listen(t *testing.T) string {
	return "nats://" + programtest.Listen(t, f.connect)
}

func (f *failing) connect(near net.Conn) {
	far, err := net.Dial("tcp", f.to)
	if err != nil {
		return
	}
	defer far.Close()
	var passing sync.WaitGroup
	var cut atomic.Bool // nothing of the servers is passed on
	passing.Go(func() {
		defer near.Close()
		buffer := make([]byte, 64<<10)
		for {
			n, err := far.Read(buffer)
			if err != nil || cut.Load() {
				return
			}
			if _, err := near.Write(buffer[:n]); err != nil {
				return
			}
		}
	})
	f.pass(far, bufio.NewReader(near), &cut)
	if !cut.Load() {
		far.Close()
	}
	passing.Wait()
}

// pass passes the commands of a client on, up to the one that the server fails with.
func (f *failing) pass(far io.Writer, near *bufio.Reader, cut *atomic.Bool) {
	for {
		command, isRequest, err := readCommand(near)
		if err != nil {
			return
		}
		isLast := isRequest && f.requests.Add(1) == f.at && !f.gone.Swap(true)
		if isLast && !f.unheard {
			return
		}
		cut.Store(isLast)
		if _, err := far.Write(command); err != nil || isLast {
			return
		}
	}
}

// readCommand reads a command of the protocol of clients
// (https://docs.nats.io/reference/reference-protocols/nats-protocol).
func readCommand(r *bufio.Reader) (command []byte, isRequest bool, err error) {
	line, err := r.ReadBytes('\n')
	fields := strings.Fields(string(line))
	if err != nil || len(fields) == 0 || fields[0] != "PUB" && fields[0] != "HPUB" {
		return line, false, err
	}
	size, err := strconv.Atoi(fields[len(fields)-1])
	if err != nil {
		return nil, false, err
	}
	payload := make([]byte, size+len("\r\n"))
	_, err = io.ReadFull(r, payload)
	return append(line, payload...), true, err
}

// liveThrough does everything that concerns a job, from its submission to its deletion.
func liveThrough(ctx context.Context, url, job string) (err error) {
	step := ""
	try := func(name string, do func() error) {
		if err == nil {
			step, err = name, do()
		}
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("%s: %w", step, err)
		}
	}()
	var c *journal.Cluster
	try("connect", func() error {
		c, err = journal.Connect(ctx, &journal.Options{URL: url})
		return err
	})
	if err != nil {
		return err
	}
	defer c.Close()
	sites := []journal.Site{{Start: "https://" + job + ".example/", Host: job + ".example"}}
	try("submit", func() error { return c.Submit(ctx, journal.Job{Name: job}, sites) })
	try("submit again", func() error {
		if err := c.Submit(ctx, journal.Job{Name: job}, sites); !errors.Is(err, journal.ErrJobExists) {
			return fmt.Errorf("the name is free: %w", err)
		}
		return nil
	})
	try("list", func() error {
		jobs, err := c.Jobs(ctx)
		for _, j := range jobs {
			if j.Name == job && j.State == journal.JobRunning {
				return err
			}
		}
		return errors.Join(err, fmt.Errorf("not among %d jobs", len(jobs)))
	})
	try("crawl", func() error { return crawlOnce(ctx, c, job) })
	try("follow", func() error {
		f, err := c.Follow(ctx, job)
		if err != nil {
			return err
		}
		defer f.Close()
		if f.End(0) == nil {
			return errors.New("the site has not ended")
		}
		pages := 0
		err = f.Replay(ctx, 0, f.End(0), func(crawl.Meta) error { return nil }, func(c crawl.Commit) error {
			pages += len(c.Done)
			return nil
		})
		if pages != 1 {
			err = errors.Join(err, fmt.Errorf("%d pages", pages))
		}
		return err
	})
	try("hold", func() error { return c.Hold(ctx, job) })
	try("resume", func() error { return c.Resume(ctx, job) })
	try("cancel", func() error { return c.Cancel(ctx, job) })
	try("delete", func() error { return c.Delete(ctx, job) })
	try("look", func() error {
		if _, err := c.Job(ctx, job); !errors.Is(err, journal.ErrNoJob) {
			return fmt.Errorf("it is still there: %w", err)
		}
		return nil
	})
	return err
}

// crawlOnce crawls the only site of a job, which has one page.
func crawlOnce(ctx context.Context, c *journal.Cluster, job string) error {
	w, err := c.NewWorker(ctx, journal.WorkerOptions{Job: job})
	if err != nil {
		return err
	}
	defer w.Close(context.WithoutCancel(ctx))
	for {
		s, err := w.Claim(ctx)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		begun := false
		err = s.Replay(ctx, func(crawl.Meta) error { begun = true; return nil }, func(crawl.Commit) error { return nil })
		if err == nil && !begun {
			err = s.Begin(ctx, s.Meta())
			if err == nil {
				err = s.Append(ctx, crawl.Commit{
					Found: []crawl.Link{{ID: 1, URL: s.Meta().Start}}, Done: []crawl.Page{{ID: 1, Status: 200}},
				})
			}
		}
		_ = s.Close(ctx, journal.ShardEnd{Again: err != nil}) // it is claimed again
	}
}

// TestFailover lets the server of a client fail with each of its requests, before and after
// the request has taken place.
func TestFailover(t *testing.T) {
	programtest.SkipShort(t, "it waits for servers that stop")
	t.Parallel()
	_, url := connectTo(t)
	to := strings.TrimPrefix(url, "nats://")
	counter := &failing{to: to}
	if err := liveThrough(t.Context(), counter.listen(t), "none-fails"); err != nil {
		t.Fatal(err)
	}
	requests := counter.requests.Load()
	var living sync.WaitGroup
	free := make(chan struct{}, 16)
	stride := int64(8) // of those that are tried
	if os.Getenv("MAPA_TORTURE") != "" {
		stride = 1
	}
	for at := 1 + rand.Int64N(stride); at <= requests; at += stride {
		for _, unheard := range []bool{false, true} {
			living.Go(func() {
				free <- struct{}{}
				defer func() { <-free }()
				f := &failing{to: to, at: at, unheard: unheard}
				job := fmt.Sprintf("fails-%d-%v", at, unheard)
				if err := liveThrough(t.Context(), f.listen(t), job); err != nil {
					t.Errorf("request %d of %d, unheard %v: %v", at, requests, unheard, err)
				}
			})
		}
	}
	living.Wait()
	var left []string
	names := openJetStream(t, url).StreamNames(t.Context())
	for name := range names.Name() {
		if strings.Contains(name, "_fails-") {
			left = append(left, name)
		}
	}
	if len(left) > 0 || names.Err() != nil {
		t.Errorf("left on the servers: %v; error %v", left, names.Err())
	}
}
