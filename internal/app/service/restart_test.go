package service

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mapatools/mapa/internal/app"
)

// childVariable makes the test's own binary a server, which is killed.
const childVariable = "MAPA_TEST_SERVICE"

// A child is a server in a process of its own.
type child struct {
	Folder string
	Later  time.Duration // that its clock is ahead
	KillAt string        // the message of the log at which it kills itself
	Pages  int64         // it prints a line when it has stored so many
	Crawl  string        // whose pages count
	Delete string        // a crawl that it deletes
}

func TestMain(m *testing.M) {
	if text := os.Getenv(childVariable); text != "" {
		var c child
		err := json.Unmarshal([]byte(text), &c)
		if err == nil {
			err = c.run()
		}
		fmt.Println(err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

func (c *child) run() error {
	go func() { // a test that panics ends its server too
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(1)
	}()
	ctx := context.Background()
	s, err := Open(ctx, c.options())
	if err != nil {
		return err
	}
	if c.Delete != "" {
		if _, err := s.Delete(ctx, c.Delete); err != nil {
			return err
		}
	}
	if c.Crawl != "" {
		go func() {
			for u, err := range s.Watch(ctx, c.Crawl, 0) {
				if err != nil || u.Counts.Pages >= c.Pages {
					fmt.Println("stored", err)
					return
				}
			}
			fmt.Println("ended before")
		}()
	}
	return s.Run(ctx)
}

func (c *child) options() Options {
	o := Options{Folder: c.Folder, App: &app.App{Version: "test"}}
	o.Now = func() time.Time { return time.Now().Add(c.Later) }
	if c.KillAt != "" {
		o.Logger = slog.New(killer{slog.DiscardHandler, c.KillAt})
	}
	return o
}

// A killer is a log that kills the process at a message, as kill -9 does.
type killer struct {
	slog.Handler
	at string
}

func (k killer) Enabled(context.Context, slog.Level) bool { return true }

func (k killer) Handle(_ context.Context, r slog.Record) error {
	if r.Message == k.at {
		self, err := os.FindProcess(os.Getpid())
		if err == nil {
			err = self.Kill()
		}
		fmt.Println(err)
		select {}
	}
	return nil
}

// start starts the server in a process of its own.
func (c *child) start(t *testing.T) (process *exec.Cmd, output io.Reader) {
	t.Helper()
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	process = exec.Command(os.Args[0])
	process.Env = append(os.Environ(), childVariable+"="+string(text))
	output, err = process.StdoutPipe()
	if err == nil {
		_, err = process.StdinPipe() // it ends when this does
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = process.Process.Kill() })
	return process, output
}

// TestKillCrawl kills a server in the middle of a crawl. The next one goes on, and does not
// request again what was stored.
func TestKillCrawl(t *testing.T) {
	t.Parallel()
	const pages, kept = 1200, 400
	var mutex sync.Mutex
	requests := map[string]int{}
	web := newSite(t, pages)
	counting := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mutex.Lock()
		requests[r.URL.Path]++
		mutex.Unlock()
		web.ServeHTTP(w, r)
	}))
	defer counting.Close()
	folder := t.TempDir()
	s := open(t, Options{Folder: folder})
	id := request(t, s, counting.URL).ID
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	killed := &child{Folder: folder, Pages: kept, Crawl: id}
	process, output := killed.start(t)
	var line [6]byte
	if _, err := io.ReadFull(output, line[:]); err != nil || string(line[:]) != "stored" {
		t.Fatalf("%q, %v", line, err)
	}
	if err := process.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = process.Wait() // it was killed
	s, _ = start(t, Options{Folder: folder})
	c := ended(t, s, id)
	if c.State != StateDone || c.Counts.Pages != pages+1 || c.Counts.Listed != pages+1 {
		t.Errorf("%+v, %+v", c, c.Failure)
	}
	mutex.Lock()
	defer mutex.Unlock()
	repeated := 0
	for _, n := range requests {
		if n > 1 {
			repeated++
		}
	}
	if repeated > pages-kept {
		t.Errorf("%d of %d pages were requested again", repeated, pages)
	}
}

// TestKillAnywhere kills a server at each step from the tick of a schedule to the
// notification. The next one does the rest: one crawl, one publication, and at least one
// delivery of each notification.
func TestKillAnywhere(t *testing.T) {
	for _, at := range []string{"schedule runs", "crawl runs", "crawl ended", "result published", "publication refused"} {
		t.Run(at, func(t *testing.T) {
			t.Parallel()
			web := newSite(t, 20)
			hook := newHook(t)
			folder, published := t.TempDir(), t.TempDir()
			refuse := at == "publication refused"
			if refuse {
				writeSitemap(t, published, 1000)
			}
			s := open(t, Options{Folder: folder})
			schedule, err := s.PutSchedule(t.Context(), Schedule{
				URL: web.URL, Every: minEvery, Options: map[string][]string{"rate": {"0"}},
				Publish: PublishTarget{Folder: published}, Webhook: hook.URL,
			})
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			killed := &child{Folder: folder, Later: minEvery + time.Second, KillAt: at}
			if refuse {
				killed.KillAt = "a task failed"
			}
			process, output := killed.start(t)
			text, _ := io.ReadAll(output)
			if err := process.Wait(); err == nil || len(text) > 0 {
				t.Fatalf("%v: %s", err, text)
			}
			killed.KillAt = ""
			options, log := killed.options(), newLogWatch()
			options.Logger = slog.New(log)
			s, _ = start(t, options)
			c := waitForPublication(t, s, log)
			if c.State != StateDone || c.Schedule != schedule.ID || c.Counts.Pages != 21 {
				t.Errorf("%+v", c)
			}
			if crawls, _, err := s.Crawls(t.Context(), "", "", 10); len(crawls) != 1 || err != nil {
				t.Errorf("%d crawls, %v", len(crawls), err)
			}
			if refuse {
				if hook.wait(t) != NoticeRefused || c.Publication.Failure.Code != FailureRefused {
					t.Errorf("%+v", c.Publication)
				}
				return
			}
			if c.Publication.Pages != 21 {
				t.Errorf("%+v", c.Publication)
			}
			entries, err := filepath.Glob(filepath.Join(published, "*"))
			if err != nil || len(entries) != 3 || filepath.Base(entries[2]) != "sitemap.xml" {
				t.Errorf("published %v, %v", entries, err)
			}
		})
	}
}

// A logWatch is a log that tells a test when something has happened.
type logWatch struct {
	slog.Handler
	lines chan struct{}
}

func newLogWatch() *logWatch { return &logWatch{slog.DiscardHandler, make(chan struct{}, 10_000)} }

func (w *logWatch) Enabled(context.Context, slog.Level) bool { return true }

func (w *logWatch) Handle(context.Context, slog.Record) error {
	w.lines <- struct{}{}
	return nil
}

// waitForPublication waits until the only crawl has ended and is published or refused.
// Whatever changes that is in the log afterwards.
func waitForPublication(t *testing.T, s *Service, log *logWatch) *Crawl {
	t.Helper()
	for ; ; <-log.lines {
		crawls, _, err := s.Crawls(t.Context(), "", "", 1)
		if err != nil {
			t.Fatal(err)
		}
		if len(crawls) == 1 {
			p := crawls[0].Publication
			if p != nil && (p.Failure != nil || !p.Time.IsZero()) {
				return &crawls[0]
			}
		}
	}
}

// TestGraceful ends a server in the middle of a crawl. The next one goes on.
func TestGraceful(t *testing.T) {
	t.Parallel()
	web := newSite(t, 30)
	web.gate = make(chan struct{})
	folder := t.TempDir()
	s, stop := start(t, Options{Folder: folder})
	id := request(t, s, web.URL).ID
	<-web.reached
	notices := make(chan string, 100)
	watching := make(chan struct{})
	go func() {
		for u := range s.Watch(t.Context(), id, 0) {
			notices <- u.Notice
			if u.Notice == suspendedNotice {
				break
			}
		}
		close(watching)
	}()
	stop()
	<-watching
	s = open(t, Options{Folder: folder})
	if c, err := s.Crawl(t.Context(), id); err != nil || c.State != StateQueued {
		t.Errorf("a crawl of a server that does not run: %+v, %v", c, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	close(web.gate)
	s, _ = start(t, Options{Folder: folder})
	if c := ended(t, s, id); c.State != StateDone || c.Counts.Pages != 31 {
		t.Errorf("%+v", c)
	}
}

// TestKillDelivery kills the server when a webhook has the notification and has not
// answered. It is delivered again, with the same ID.
func TestKillDelivery(t *testing.T) {
	t.Parallel()
	received := make(chan Notification, 2)
	started := make(chan *exec.Cmd, 1)
	var calls atomic.Int64
	hook := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var n Notification
		if err := json.NewDecoder(r.Body).Decode(&n); err != nil {
			t.Error(err)
		}
		received <- n
		if calls.Add(1) == 1 {
			_ = (<-started).Process.Kill()
			<-r.Context().Done()
		}
	}))
	defer hook.Close()
	folder := t.TempDir()
	s := open(t, Options{Folder: folder})
	web := httptest.NewServer(http.NotFoundHandler())
	defer web.Close()
	if _, err := s.PutSchedule(t.Context(), Schedule{URL: web.URL, Every: minEvery, Webhook: hook.URL}); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	killed := &child{Folder: folder, Later: minEvery + time.Second}
	process, output := killed.start(t)
	started <- process
	_, _ = io.ReadAll(output)
	_ = process.Wait() // it was killed
	start(t, killed.options())
	one, two := <-received, <-received
	if one.ID != two.ID || one.Kind != NoticeFailed || one.Failure.Code != FailureNotFound {
		t.Errorf("%+v, then %+v", one, two)
	}
}

// A hook is a webhook.
type hook struct {
	*httptest.Server
	kinds chan NoticeKind
}

func newHook(t *testing.T) *hook {
	t.Helper()
	h := &hook{kinds: make(chan NoticeKind, 100)}
	h.Server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var n Notification
		if err := json.NewDecoder(r.Body).Decode(&n); err != nil {
			t.Error(err)
		}
		h.kinds <- n.Kind
	}))
	t.Cleanup(h.Close)
	return h
}

// wait returns the kind of the next notification.
func (h *hook) wait(t *testing.T) NoticeKind {
	t.Helper()
	select {
	case kind := <-h.kinds:
		return kind
	case <-t.Context().Done():
		t.Fatal("no notification")
	}
	return ""
}

// writeSitemap writes a sitemap with so many pages, as if Mapa had published it before.
func writeSitemap(t *testing.T, folder string, pages int) {
	t.Helper()
	var text strings.Builder
	text.WriteString(`<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`)
	for i := range pages {
		fmt.Fprintf(&text, "<url><loc>https://example.com/%d</loc></url>", i)
	}
	text.WriteString("</urlset>\n")
	for name, content := range map[string]string{"sitemap.xml": text.String(), ".mapa-files": "sitemap.xml\n"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
