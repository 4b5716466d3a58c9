package service

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/mapatools/mapa/announce/announcetest"
	"github.com/mapatools/mapa/internal/app/access"
	appannounce "github.com/mapatools/mapa/internal/app/announce"
	"github.com/mapatools/mapa/internal/jobs"
)

// runScheduled runs the schedule of a site once more, and waits for the end of its crawl.
func runScheduled(t *testing.T, s *Service, schedule *Schedule) *Crawl {
	t.Helper()
	due, err := s.Schedule(t.Context(), schedule.ID)
	if err == nil {
		err = s.tick(t.Context(), due.Next)
	}
	if err != nil {
		t.Fatal(err)
	}
	s.wakeUp()
	crawls, _, err := s.Crawls(t.Context(), schedule.Site, "", 1)
	if err != nil || len(crawls) == 0 {
		t.Fatal(len(crawls), err)
	}
	return ended(t, s, crawls[0].ID)
}

// TestNotify notifies of newly broken pages once, and once when they are back, of a failure once
// until it is over, and of a refused publication.
func TestNotify(t *testing.T) {
	t.Parallel()
	web, hook := newSite(t, 20), newHook(t)
	log := newLogWatch()
	s, _ := start(t, Options{Folder: t.TempDir(), Logger: slog.New(log)})
	schedule, err := s.PutSchedule(t.Context(), Schedule{
		URL: web.URL, Every: time.Hour, Webhook: hook.URL, Options: map[string][]string{"rate": {"0"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		broken, down bool
		want         NoticeKind // empty where nobody is notified
	}{
		{want: ""}, {broken: true, want: NoticeChanged}, {broken: true, want: ""}, {want: NoticeChanged},
		{down: true, want: NoticeFailed}, {down: true, want: ""}, {want: ""}, {down: true, want: NoticeFailed},
		{broken: true, want: NoticeChanged},
	} {
		web.broken.Store(step.broken)
		web.down.Store(step.down)
		c := runScheduled(t, s, schedule)
		if (c.State == StateFailed) != step.down {
			t.Fatalf("%+v, %+v", step, c)
		}
		if step.want != "" {
			if got := hook.wait(t); got != step.want {
				t.Errorf("%+v: %s", step, got)
			}
		}
	}
	waitForTasks(t, s, log)
	if len(hook.kinds) != 0 {
		t.Errorf("%d more notifications", len(hook.kinds))
	}
}

// waitForTasks waits until nothing is left to do. The end of a task is in the log after it
// is stored.
func waitForTasks(t *testing.T, s *Service, log *logWatch) {
	t.Helper()
	for pendingTasks(t, s) {
		<-log.lines
	}
}

// pendingTasks reports whether something is left to do.
func pendingTasks(t *testing.T, s *Service) (pending bool) {
	t.Helper()
	err := s.store.Update(t.Context(), func(tx *jobs.Tx) error {
		next, err := tx.NextTask()
		pending = !next.IsZero()
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return pending
}

// TestWebhook signs what it sends, follows no redirect, and says which answers are final.
func TestWebhook(t *testing.T) {
	t.Parallel()
	secret, body := []byte("secret"), `{"kind":"failed"}`
	status := http.StatusOK
	hook := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/elsewhere" {
			t.Error("a redirect was followed")
		}
		got, err := io.ReadAll(r.Body)
		mac := hmac.New(sha256.New, secret)
		mac.Write(got)
		if want := "sha256=" + hex.EncodeToString(mac.Sum(nil)); r.Header.Get(access.SignatureHeader) != want ||
			string(got) != body || err != nil || r.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s %v, %v", got, r.Header, err)
		}
		w.Header().Set("Location", "/elsewhere")
		w.WriteHeader(status)
	}))
	defer hook.Close()
	s := open(t, Options{Folder: t.TempDir(), WebhookSecret: secret})
	defer s.Close()
	for code, isFinal := range map[int]bool{
		200: false, 204: false, 302: true, 400: true, 404: true, 429: false, 500: false, 503: false,
	} {
		status = code
		err := s.callWebhook(t.Context(), &Schedule{Webhook: hook.URL + "/?k=hunter2"}, &jobs.Task{Body: body})
		final := errors.As(err, new(finalError))
		if (err == nil) != (code < 300) || final != isFinal || err != nil && strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%d: %v, final %t", code, err, final)
		}
	}
	hook.Close()
	err := s.callWebhook(t.Context(), &Schedule{Webhook: hook.URL + "/?k=hunter2"}, &jobs.Task{Body: body})
	if err == nil || errors.As(err, new(finalError)) || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("no server: %v", err)
	}
}

// TestRetry tries a notification again, ever later, and gives up at last.
func TestRetry(t *testing.T) {
	t.Parallel()
	hook := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusServiceUnavailable)
	}))
	defer hook.Close()
	at := &clock{time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)}
	s := open(t, Options{Folder: t.TempDir(), Now: at.now})
	defer s.Close()
	schedule, err := s.PutSchedule(t.Context(), Schedule{URL: "example.com", Every: time.Hour, Webhook: hook.URL})
	if err != nil {
		t.Fatal(err)
	}
	c := request(t, s, "https://example.com/")
	err = s.store.Update(t.Context(), func(tx *jobs.Tx) error {
		return tx.AddTask(&jobs.Task{Crawl: c.ID, Schedule: schedule.ID, Kind: jobs.TaskWebhook, Due: at.Time, Body: "{}"})
	})
	if err != nil {
		t.Fatal(err)
	}
	tries, began := 0, at.Time
	for ; pendingTasks(t, s); at.Time = at.Add(10 * time.Second) {
		done, err := s.runTask(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if done {
			tries++
		}
	}
	if took := at.Sub(began); tries != maxTries || took < 30*time.Minute || took > 3*time.Hour {
		t.Errorf("%d tries in %v", tries, took)
	}
}

// TestAnnounce announces what was published, and what changed since then, and nothing of
// a crawl that ended at a limit. The site gets no secret of the environment.
func TestAnnounce(t *testing.T) {
	t.Parallel()
	web := newSite(t, 5)
	engines := announcetest.New(announcetest.Options{Sites: []string{web.URL}, BingKey: "key"})
	endpoint := httptest.NewServer(engines)
	defer endpoint.Close()
	log := newLogWatch()
	s, _ := start(t, Options{Folder: t.TempDir(), Logger: slog.New(log), Announce: func() (*appannounce.Settings, error) {
		settings := appannounce.NewSettings()
		settings.Endpoint, settings.Credentials.BingKey = endpoint.URL, "key"
		settings.Request = access.RequestSettings{User: "me:hunter2", Cookie: "a=hunter2", Header: []string{"X-Key: hunter2"}}
		return settings, nil
	}})
	schedule, err := s.PutSchedule(t.Context(), Schedule{
		URL: web.URL, Every: time.Hour, Options: map[string][]string{"rate": {"0"}},
		Publish: PublishTarget{Folder: t.TempDir()}, Announce: AnnounceTarget{To: []string{"bing"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		limit string
		pages int64 // of the site
		sent  int   // requests that send something, so far
		want  string
	}{{"0", 5, 1, "all"}, {"0", 7, 3, "all"}, {"3", 9, 3, ""}} {
		web.pages.Store(step.pages)
		schedule.Options["max-pages"] = []string{step.limit}
		if schedule, err = s.PutSchedule(t.Context(), *schedule); err != nil {
			t.Fatal(err)
		}
		c := runScheduled(t, s, schedule)
		waitForTasks(t, s, log)
		if c, err = s.Crawl(t.Context(), c.ID); err != nil || c.Publication.Announced != step.want {
			t.Errorf("%+v: %+v, %v", step, c.Publication, err)
		}
		sent := 0
		for _, r := range engines.Requests() {
			if r.Method == http.MethodPost {
				sent++
			}
		}
		if sent != step.sent {
			t.Errorf("%+v: %d requests", step, sent)
		}
	}
	if n := web.withSecret.Load(); n > 0 {
		t.Errorf("%d requests with a secret", n)
	}
}
