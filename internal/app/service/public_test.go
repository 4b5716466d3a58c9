package service

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/internal/jobs"
)

// TestQuotas has every limit of strangers.
func TestQuotas(t *testing.T) {
	t.Parallel()
	at := &clock{time.Date(2026, 11, 22, 18, 0, 0, 0, time.UTC)}
	for _, test := range []struct {
		kind   LimitKind
		limits PublicLimits
		crawls int // that a client may start
		used   jobs.Usage
		size   int64
		later  time.Duration
	}{
		{LimitDay, PublicLimits{CrawlsADay: 3, AtOnce: 10}, 3, jobs.Usage{}, 0, 6 * time.Hour},
		{LimitAtOnce, PublicLimits{AtOnce: 2}, 2, jobs.Usage{}, 0, time.Minute},
		{LimitQueue, PublicLimits{Queue: 1}, 1, jobs.Usage{}, 0, time.Minute},
		{LimitEgress, PublicLimits{BytesADay: 100}, 0, jobs.Usage{Bytes: 100}, 0, 6 * time.Hour},
		{LimitDisk, PublicLimits{Disk: 100}, 0, jobs.Usage{}, 100, time.Hour},
	} {
		s := open(t, Options{Folder: t.TempDir(), Public: &test.limits, Now: at.now})
		err := s.store.Update(t.Context(), func(tx *jobs.Tx) error {
			old := &jobs.Crawl{ID: "old", State: StateDone, Size: test.size}
			return errors.Join(tx.AddUsage(at.Time, "other", test.used), tx.AddCrawl(old))
		})
		if err != nil {
			t.Fatal(err)
		}
		for i := range test.crawls + 1 {
			_, err = s.Start(t.Context(), Request{URL: fmt.Sprintf("example.com/%d", i), Client: "192.0.2.1"})
			if i < test.crawls && err != nil {
				t.Errorf("%s: crawl %d: %v", test.kind, i, err)
			}
		}
		if limit, ok := errors.AsType[*LimitError](err); !ok || limit.Kind != test.kind || limit.RetryAfter != test.later {
			t.Errorf("%s: %v", test.kind, err)
		}
		if crawls, _, err := s.Crawls(t.Context(), "example.com", "", 100); len(crawls) != test.crawls || err != nil {
			t.Errorf("%s: %d crawls, %v", test.kind, len(crawls), err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestPublicSettings bounds what strangers ask for.
func TestPublicSettings(t *testing.T) {
	t.Parallel()
	s := open(t, Options{Folder: t.TempDir(), Public: &PublicLimits{Pages: 100, OwnedPages: 5000, Rate: 3}})
	defer s.Close()
	for _, test := range []struct {
		options  map[string][]string
		uncapped bool
		pages    int
		rate     access.Rate
	}{
		{nil, false, 100, access.PerSecond(3)},
		{nil, true, 5000, access.PerSecond(3)},
		{map[string][]string{"max-pages": {"7"}, "rate": {"1"}}, false, 7, access.PerSecond(1)},
		{map[string][]string{"max-pages": {"700"}, "rate": {"0"}}, false, 100, access.PerSecond(3)},
		{map[string][]string{"max-pages": {"0"}, "rate": {"auto"}}, false, 100, access.PerSecond(3)},
		{map[string][]string{"rate": {"99"}}, false, 100, access.PerSecond(3)},
	} {
		details := jobs.Details{URL: "example.com", Options: test.options, Uncapped: test.uncapped}
		settings, err := s.settingsOf(&jobs.Crawl{ID: "x", Details: details})
		if err != nil {
			t.Fatal(err)
		}
		limits := settings.Limits
		if limits.Pages != test.pages || settings.Access.Rate != test.rate || !settings.Access.PublicOnly ||
			settings.IgnoreRobots || limits.Time != time.Hour || settings.Access.Concurrency != 4 {
			t.Errorf("%+v: %+v, %+v", test, settings.Limits, settings.Access)
		}
	}
	_, err := s.PutSchedule(t.Context(), Schedule{URL: "example.com", Every: time.Hour})
	if !errors.Is(err, ErrNoSchedules) {
		t.Errorf("a schedule: %v", err)
	}
}

// TestPublicGuard requests nothing of this machine for strangers, whatever its address is
// written like. Its result expires.
func TestPublicGuard(t *testing.T) {
	t.Parallel()
	web := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("a request for %s", r.URL)
	}))
	defer web.Close()
	s, _ := start(t, Options{Folder: t.TempDir(), Public: &PublicLimits{AtOnce: 10}})
	port := web.URL[strings.LastIndexByte(web.URL, ':')+1:]
	for _, host := range []string{"127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "0x7f.1"} {
		c, err := s.Start(t.Context(), Request{URL: "http://" + host + ":" + port + "/", Client: "192.0.2.1"})
		if err != nil {
			t.Errorf("%s: %v", host, err)
			continue
		}
		if c = ended(t, s, c.ID); c.State != StateFailed || c.Failure.Code != FailureNotPublic || c.Expires.IsZero() {
			t.Errorf("%s: %+v, %+v", host, c, c.Failure)
		}
	}
	if err := s.Prove(t.Context(), "192.0.2.1", web.URL); !errors.Is(err, ErrNotProven) {
		t.Errorf("a proof: %v", err)
	}
}

// TestExpiry deletes a result when its time is over.
func TestExpiry(t *testing.T) {
	t.Parallel()
	at := &clock{time.Date(2026, 11, 22, 18, 0, 0, 0, time.UTC)}
	s := open(t, Options{Folder: t.TempDir(), Public: &PublicLimits{Expiry: time.Hour}, Now: at.now})
	defer s.Close()
	c, err := s.Start(t.Context(), Request{URL: "example.com", Client: "192.0.2.1"})
	if err == nil {
		c, err = s.Stop(t.Context(), c.ID)
	}
	if err != nil || !c.Expires.Equal(at.Add(time.Hour)) {
		t.Fatalf("%+v, %v", c, err)
	}
	for _, later := range []time.Duration{59 * time.Minute, 2 * time.Minute} {
		at.Time = at.Add(later)
		if err := s.expire(t.Context(), at.Time); err != nil {
			t.Fatal(err)
		}
		_, err := s.Crawl(t.Context(), c.ID)
		if errors.Is(err, ErrNotFound) != (later < time.Hour/2) {
			t.Errorf("after %v: %v", later, err)
		}
	}
}

// TestProof lifts the limit of pages for the client that put the file on the site.
func TestProof(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, found := files[r.URL.Path]
		if !found {
			http.NotFound(w, r)
			return
		}
		fmt.Fprintln(w, text)
	}))
	defer web.Close()
	s := open(t, Options{Folder: t.TempDir()}) // without the guard, which refuses this machine
	defer s.Close()
	proof, err := s.Proof("192.0.2.1", web.URL+"/some/page")
	other, err2 := s.Proof("192.0.2.2", web.URL)
	if err != nil || err2 != nil || proof.Content == other.Content || proof.URL[:len(web.URL)] != web.URL {
		t.Fatalf("%+v, %+v, %v, %v", proof, other, err, err2)
	}
	path := proof.URL[len(web.URL):]
	for _, wrong := range []string{"", other.Content, proof.Content + "0"} {
		if files[path] = wrong; wrong == "" {
			delete(files, path)
		}
		if err := s.Prove(t.Context(), "192.0.2.1", web.URL); !errors.Is(err, ErrNotProven) {
			t.Errorf("content %q: %v", wrong, err)
		}
	}
	files[path] = proof.Content
	if err := s.Prove(t.Context(), "192.0.2.1", web.URL); err != nil {
		t.Fatal(err)
	}
	if err := s.Prove(t.Context(), "192.0.2.2", web.URL); !errors.Is(err, ErrNotProven) {
		t.Errorf("another client: %v", err)
	}
	s.options.Public = (PublicLimits{}).withDefaults()
	for client, want := range map[string]bool{"192.0.2.1": true, "192.0.2.2": false} {
		c, err := s.Start(t.Context(), Request{URL: web.URL, Client: client})
		if err != nil {
			t.Fatal(err)
		}
		if record, _ := stored(t, s, c.ID); record.Uncapped != want {
			t.Errorf("%s: uncapped %t", client, record.Uncapped)
		}
	}
}

// TestPublicPause keeps nobody else from the queue by crawls that are paused, and deletes
// these at last.
func TestPublicPause(t *testing.T) {
	t.Parallel()
	at := &clock{time.Date(2026, 11, 22, 18, 0, 0, 0, time.UTC)}
	s := open(t, Options{Folder: t.TempDir(), Public: &PublicLimits{Queue: 1, AtOnce: 1}, Now: at.now})
	defer s.Close()
	paused, err := s.Start(t.Context(), Request{URL: "example.com", Client: "192.0.2.1"})
	if err == nil {
		_, err = s.Pause(t.Context(), paused.ID)
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Start(t.Context(), Request{URL: "example.org", Client: "192.0.2.1"}); err == nil {
		t.Error("a client has more than one crawl at once")
	}
	if _, err := s.Start(t.Context(), Request{URL: "example.org", Client: "192.0.2.2"}); err != nil {
		t.Errorf("another client: %v", err)
	}
	if err := s.expire(t.Context(), at.AddDate(0, 0, 8)); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Crawl(t.Context(), paused.ID); !errors.Is(err, ErrNotFound) {
		t.Errorf("a crawl that was paused for long: %v", err)
	}
}

// TestBeforePublic compares no crawl of a stranger with one from before the server was
// public.
func TestBeforePublic(t *testing.T) {
	t.Parallel()
	for expires, want := range map[time.Time]map[bool]string{
		{}: {false: "old", true: ""},
		time.Date(2026, 11, 29, 0, 0, 0, 0, time.UTC): {false: "old", true: "old"},
	} {
		s := open(t, Options{Folder: t.TempDir()})
		old := &jobs.Crawl{ID: "old", Site: "example.com", Start: "example.com/", State: StateDone, Expires: expires}
		next := &jobs.Crawl{ID: "next", Site: "example.com", Start: "example.com/", State: StateQueued}
		for _, public := range []bool{false, true} {
			if public {
				s.options.Public = (PublicLimits{}).withDefaults()
			}
			err := s.store.Update(t.Context(), func(tx *jobs.Tx) error {
				var err error
				if !public {
					err = errors.Join(tx.AddCrawl(old), tx.AddCrawl(next))
				}
				if got, failed := s.previousOf(tx, next); got != want[public] || failed != nil {
					t.Errorf("expires %v, public %t: %q, %v", expires, public, got, failed)
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
