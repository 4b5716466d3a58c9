package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// A server is a running mapa serve.
type server struct {
	process *exec.Cmd
	origin  string
	started time.Duration // from its start to its first answer
}

func newServer(ctx context.Context, program, data string) (*server, error) {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	address := free.Addr().String()
	if err := free.Close(); err != nil {
		return nil, err
	}
	s := &server{origin: "http://" + address}
	s.process = exec.CommandContext(ctx, program, "serve", "--data", data, "--listen", address, "-q")
	log, err := os.Create(data + ".log")
	if err != nil {
		return nil, err
	}
	defer log.Close() // the process has it
	s.process.Stderr = log
	s.process.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	begin := time.Now()
	if err := s.process.Start(); err != nil {
		return nil, err
	}
	for {
		if _, err := s.get(ctx, "/"); err == nil {
			s.started = time.Since(begin)
			return s, nil
		}
		if time.Since(begin) > time.Minute {
			said, _ := os.ReadFile(log.Name())
			return nil, errors.Join(fmt.Errorf("mapa serve does not answer: %s", said), s.stop())
		}
	}
}

func (s *server) stop() error {
	return errors.Join(s.process.Process.Signal(os.Interrupt), s.process.Wait())
}

// get asks for a page, which must have status 200, and returns how long that took.
func (s *server) get(ctx context.Context, path string) (took time.Duration, err error) {
	begin := time.Now()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.origin+path, nil)
	if err != nil {
		return 0, err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil {
		return 0, fmt.Errorf("GET %s: %w", path, err)
	}
	if answer.StatusCode != http.StatusOK {
		return 0, fmt.Errorf("GET %s: %s", path, answer.Status)
	}
	return time.Since(begin), nil
}

// crawl sends the form of a crawl, as a browser does, and returns the path of its page.
func (s *server) crawl(ctx context.Context, address string) (string, error) {
	form := url.Values{"url": {address}}
	body := strings.NewReader(form.Encode())
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.origin+"/crawls", body)
	if err != nil {
		return "", err
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Origin", s.origin)
	answer, err := http.DefaultTransport.RoundTrip(request) // which does not follow the redirect
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusSeeOther {
		return "", fmt.Errorf("POST /crawls of %s: %s", address, answer.Status)
	}
	return answer.Header.Get("Location"), nil
}

// A load is what was measured while many browsers followed crawls.
type load struct {
	progress time.Duration
	answers  []time.Duration
	events   int64
	memory   int64
}

func (s *server) load(ctx context.Context, browsers, queued int) (l load, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	site := httptest.NewServer(site{pages, slow})
	defer site.Close()
	begin := time.Now()
	var paths [2]string
	for i := range paths {
		// Two addresses of this machine are two sites.
		address := strings.Replace(site.URL, "127.0.0.1", []string{"127.0.0.1", "localhost"}[i], 1)
		if paths[i], err = s.crawl(ctx, address); err != nil {
			return l, err
		}
		if i == 0 {
			if err := s.follow(ctx, paths[0], func() bool { return false }); err != nil {
				return l, err
			}
			l.progress = time.Since(begin)
		}
	}
	for i := range queued {
		if _, err := s.crawl(ctx, fmt.Sprintf("http://127.0.1.%d:1/", i+1)); err != nil {
			return l, err
		}
	}
	var events atomic.Int64
	var following sync.WaitGroup
	failed := make(chan error, browsers)
	for i := range browsers {
		following.Go(func() {
			err := s.follow(ctx, paths[i%2], func() bool { events.Add(1); return true })
			if ctx.Err() == nil && err != nil {
				failed <- err
			}
		})
	}
	for events.Load() < int64(browsers) { // every browser follows
		if _, err := s.get(ctx, "/"); err != nil {
			return l, err
		}
	}
	for range asked {
		took, err := s.get(ctx, paths[0])
		if err != nil {
			return l, err
		}
		l.answers = append(l.answers, took)
		select {
		case err := <-failed:
			return l, err
		case <-time.After(100 * time.Millisecond):
		}
	}
	l.events = events.Load()
	l.memory, err = peakMemory(s.process.Process.Pid)
	cancel()
	following.Wait()
	return l, err
}

// follow reads the progress of a crawl until next returns false.
func (s *server) follow(ctx context.Context, path string, next func() bool) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.origin+path+"/events", nil)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("GET %s/events: %s", path, answer.Status)
	}
	lines := bufio.NewScanner(answer.Body)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "data:") && !next() {
			return nil
		}
	}
	return errors.Join(lines.Err(), fmt.Errorf("the events of %s ended", path))
}

// wait waits for the end of a crawl.
func (s *server) wait(ctx context.Context, path string) error {
	for begin := time.Now(); time.Since(begin) < 10*time.Minute; time.Sleep(20 * time.Millisecond) {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.origin+"/api/v1"+path, nil)
		if err != nil {
			return err
		}
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			return err
		}
		var crawl struct{ State string }
		err = json.NewDecoder(answer.Body).Decode(&crawl)
		answer.Body.Close()
		if err != nil || crawl.State == "done" {
			return err
		}
	}
	return fmt.Errorf("%s does not end", path)
}

// A site has pages that link to the next ones, and each hundredth to one that is missing.
type site struct {
	pages   int // without the start
	latency time.Duration
}

// ServeHTTP implements [http.Handler].
func (s site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	number, err := strconv.Atoi("0" + strings.TrimPrefix(r.URL.Path, "/")) // 0 is the start
	if err != nil || number > s.pages {
		http.NotFound(w, r)
		return
	}
	select {
	case <-time.After(s.latency):
	case <-r.Context().Done():
		return
	}
	fmt.Fprintf(w, "<!doctype html><title>Page %d</title><p>Text of page %d.", number, number)
	for next := number*10 + 1; next <= min(number*10+10, s.pages); next++ {
		fmt.Fprintf(w, " <a href=/%d>%d</a>", next, next)
	}
	if number%100 == 1 {
		fmt.Fprintf(w, " <a href=/missing-%d>missing</a>", number)
	}
}

// peakMemory returns the bytes that a process had resident at most.
func peakMemory(pid int) (int64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(status)) {
		if text, is := strings.CutPrefix(line, "VmHWM:"); is {
			kilobytes, err := strconv.ParseInt(strings.Fields(text)[0], 10, 64)
			return kilobytes << 10, err
		}
	}
	return 0, errors.New("/proc has no VmHWM")
}
