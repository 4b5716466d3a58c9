package service

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/mapatools/mapa/internal/jobs"
)

// A clock is a time that tests set.
type clock struct{ time.Time }

func (c *clock) now() time.Time { return c.Time }

// TestTick runs a schedule once for all runs that were missed, and not while its crawl has
// not ended.
func TestTick(t *testing.T) {
	t.Parallel()
	at := &clock{time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)}
	s := open(t, Options{Folder: t.TempDir(), Now: at.now})
	defer s.Close()
	every, err := s.PutSchedule(t.Context(), Schedule{URL: "example.com", Every: time.Hour, Jitter: 10 * time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	if wait := every.Next.Sub(at.Time); wait < time.Hour || wait >= time.Hour+10*time.Minute {
		t.Errorf("the next run is in %v", wait)
	}
	daily, err := s.PutSchedule(t.Context(), Schedule{URL: "example.org", Cron: "30 4 * * *"})
	if err != nil {
		t.Fatal(err)
	}
	if want := time.Date(2026, 11, 23, 4, 30, 0, 0, time.UTC); !daily.Next.Equal(want) {
		t.Errorf("the next run is at %v", daily.Next)
	}
	paused, err := s.PutSchedule(t.Context(), Schedule{URL: "example.net", Every: time.Hour, Paused: true})
	if err != nil {
		t.Fatal(err)
	}
	count := func(schedule string) (n int) {
		crawls, _, err := s.Crawls(t.Context(), "", "", 100)
		if err != nil {
			t.Fatal(err)
		}
		for i := range crawls {
			if crawls[i].Schedule == schedule {
				n++
			}
		}
		return n
	}
	for _, step := range []struct {
		later        time.Duration
		every, daily int
	}{{0, 0, 0}, {71 * time.Minute, 1, 0}, {5 * time.Hour, 1, 0}, {48 * time.Hour, 1, 1}} {
		at.Time = at.Add(step.later)
		for range 2 {
			if err := s.tick(t.Context(), at.Time); err != nil {
				t.Fatal(err)
			}
		}
		if count(every.ID) != step.every || count(daily.ID) != step.daily || count(paused.ID) != 0 {
			t.Errorf("after %v: %d and %d crawls, %d of a paused one", step.later, count(every.ID), count(daily.ID), count(paused.ID))
		}
	}
	crawls, _, err := s.Crawls(t.Context(), "example.com", "", 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.modify(t.Context(), crawls[0].ID, func(_ *jobs.Tx, c *jobs.Crawl) error {
		c.State = StateDone
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	at.Time = at.Add(3 * time.Hour)
	if err := s.tick(t.Context(), at.Time); err != nil || count(every.ID) != 2 {
		t.Errorf("%d crawls, %v", count(every.ID), err)
	}
	if err := s.DeleteSchedule(t.Context(), every.ID); err != nil {
		t.Fatal(err)
	}
	if err := s.DeleteSchedule(t.Context(), every.ID); !errors.Is(err, ErrNotFound) {
		t.Errorf("deleted twice: %v", err)
	}
}

// TestScheduleErrors has every field that can be wrong.
func TestScheduleErrors(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	s := open(t, Options{Folder: folder})
	defer s.Close()
	hourly := Schedule{URL: "example.com", Every: time.Hour}
	for _, test := range []struct {
		field  string
		change func(*Schedule)
	}{
		{"every", func(x *Schedule) { x.Every = 0 }},
		{"every", func(x *Schedule) { x.Every = time.Second }},
		{"every", func(x *Schedule) { x.Cron = "* * * * *" }},
		{"cron", func(x *Schedule) { x.Every, x.Cron = 0, "TZ=0" }},
		{"jitter", func(x *Schedule) { x.Jitter = time.Hour }},
		{"jitter", func(x *Schedule) { x.Jitter = -1 }},
		{"publish", func(x *Schedule) { x.Publish.Folder = "relative" }},
		{"publish", func(x *Schedule) { x.Publish.Folder = folder }},
		{"publish", func(x *Schedule) { x.Publish.Folder = folder + "/crawls/x" }},
		{"publish.url", func(x *Schedule) { x.Publish.Folder, x.Publish.URL = t.TempDir(), "ftp://example.com/" }},
		{"publish.url", func(x *Schedule) { x.Publish.URL = "https://me:hunter2@example.com/" }},
		{"announce", func(x *Schedule) { x.Announce.To = []string{"bing"} }},
		{"announce", func(x *Schedule) { x.Publish.Folder, x.Announce.To = t.TempDir(), []string{"altavista"} }},
		{"webhook", func(x *Schedule) { x.Webhook = "file:///etc/passwd" }},
		{"email", func(x *Schedule) { x.Email = "me@example.com" }}, // without a server
	} {
		schedule := hourly
		test.change(&schedule)
		_, err := s.PutSchedule(t.Context(), schedule)
		if wrong, ok := errors.AsType[*ScheduleError](err); !ok || wrong.Field != test.field {
			t.Errorf("%+v: %v", schedule, err)
		}
	}
	hourly.Options = map[string][]string{"output": {"/"}}
	if _, err := s.PutSchedule(t.Context(), hourly); !errors.Is(err, ErrNotOffered) {
		t.Errorf("output: %v", err)
	}
	hourly.Options, hourly.ID = nil, "none"
	if _, err := s.PutSchedule(t.Context(), hourly); !errors.Is(err, ErrNotFound) {
		t.Errorf("no such schedule: %v", err)
	}
	if all, err := s.Schedules(t.Context(), ""); len(all) != 0 || err != nil {
		t.Errorf("%v, %v", all, err)
	}
}

// TestSecrets never shows secrets, and keeps those of a schedule that is saved as shown.
func TestSecrets(t *testing.T) {
	t.Parallel()
	s := open(t, Options{Folder: t.TempDir()})
	defer s.Close()
	options := map[string][]string{"header": {"Authorization: hunter2"}, "cookie": {"a=hunter2"}, "max-pages": {"5"}}
	c, err := s.Start(t.Context(), Request{URL: "https://me:hunter2@example.com/", Options: options})
	if err != nil {
		t.Fatal(err)
	}
	schedule, err := s.PutSchedule(t.Context(), Schedule{
		URL: "me:hunter2@example.com", Every: time.Hour, Options: options, Webhook: "https://hooks.example/hunter2?k=hunter2",
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, shown := range []any{c, schedule} {
		if text := dump(t, shown); !notContains(text, "hunter2") || notContains(text, Redacted) {
			t.Errorf("%s", text)
		}
	}
	schedule.Every = 2 * time.Hour
	if _, err := s.PutSchedule(t.Context(), *schedule); err != nil {
		t.Fatal(err)
	}
	err = s.store.Update(t.Context(), func(tx *jobs.Tx) error {
		kept, err := tx.Schedule(schedule.ID)
		if err == nil && (kept.Every != 2*time.Hour || kept.Webhook != "https://hooks.example/hunter2?k=hunter2" ||
			!slices.Equal(kept.Options["user"], []string{"me:hunter2"}) ||
			!slices.Equal(kept.Options["header"], options["header"])) {
			t.Errorf("%+v", kept)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
