package service

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	appcrawl "github.com/mapatools/mapa/internal/app/crawl"
	"github.com/mapatools/mapa/internal/jobs"
)

// TestStates has every operation in every state. A crawl that began and did not end is
// running in the store until its results are written.
func TestStates(t *testing.T) {
	t.Parallel()
	s := open(t, Options{Folder: t.TempDir()})
	defer s.Close()
	type operation func(context.Context, string) (*Crawl, error)
	operations := map[string]operation{"pause": s.Pause, "resume": s.Resume, "stop": s.Stop, "delete": s.Delete}
	const refused, gone = State("refused"), State("gone")
	for _, test := range []struct {
		from  State
		began bool
		want  map[string]State
	}{
		{StateQueued, false, map[string]State{"pause": StatePaused, "resume": refused, "stop": StateStopped, "delete": gone}},
		{StateQueued, true, map[string]State{"pause": StatePaused, "resume": refused, "stop": StateRunning, "delete": gone}},
		{StateRunning, true, map[string]State{"pause": StatePaused, "resume": refused, "stop": StateRunning, "delete": gone}},
		{StatePaused, true, map[string]State{"pause": refused, "resume": StateQueued, "stop": StateRunning, "delete": gone}},
		{StatePaused, false, map[string]State{"pause": refused, "resume": StateQueued, "stop": StateStopped, "delete": gone}},
		{StateDone, true, map[string]State{"pause": refused, "resume": refused, "stop": refused, "delete": gone}},
		{StateFailed, true, map[string]State{"pause": refused, "resume": StateQueued, "stop": refused, "delete": gone}},
		{StateStopped, true, map[string]State{"pause": refused, "resume": StateQueued, "stop": refused, "delete": gone}},
		{StateStopped, false, map[string]State{"pause": refused, "resume": StateQueued, "stop": refused, "delete": gone}},
	} {
		for name, want := range test.want {
			id := request(t, s, "https://example.com/").ID
			_, err := s.modify(t.Context(), id, func(_ *jobs.Tx, c *jobs.Crawl) error {
				if c.State = test.from; test.began {
					c.Began = c.Created
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			got := test.from
			_, err = operations[name](t.Context(), id)
			record, missing := stored(t, s, id)
			var state *StateError
			switch {
			case errors.As(err, &state) && state.State == test.from:
				got = refused
			case err != nil:
				t.Errorf("%s a crawl that is %s: %v", name, test.from, err)
			case missing:
				got = gone
			default:
				got = record.State
			}
			if got != want {
				t.Errorf("%s a crawl that is %s: %s, want %s", name, test.from, got, want)
			}
			if !missing {
				if _, err := s.Delete(t.Context(), id); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if _, err := s.Pause(t.Context(), "none"); !errors.Is(err, ErrNotFound) {
		t.Errorf("no crawl: %v", err)
	}
}

// stored returns a crawl of the store, and whether it is missing.
func stored(t *testing.T, s *Service, id string) (record *jobs.Crawl, missing bool) {
	t.Helper()
	err := s.store.Update(t.Context(), func(tx *jobs.Tx) (err error) {
		record, err = tx.Crawl(id)
		return err
	})
	if err != nil && !errors.Is(err, ErrNotFound) {
		t.Fatal(err)
	}
	return record, err != nil
}

// TestPause suspends a crawl, which then requests nothing, and goes on.
func TestPause(t *testing.T) {
	t.Parallel()
	web := newSite(t, 30)
	web.gate = make(chan struct{})
	s, _ := start(t, Options{Folder: t.TempDir()})
	id := request(t, s, web.URL).ID
	<-web.reached
	if c, err := s.Pause(t.Context(), id); err != nil || c.State != StatePaused {
		t.Fatalf("%+v, %v", c, err)
	}
	close(web.gate)
	before := web.requests.Load()
	if c, err := s.Resume(t.Context(), id); err != nil || c.State.Ended() {
		t.Fatalf("%+v, %v", c, err)
	}
	c := ended(t, s, id)
	if c.State != StateDone || c.Counts.Pages != 31 {
		t.Errorf("%+v", c)
	}
	if repeated := web.requests.Load() - before; repeated > 31 {
		t.Errorf("%d requests after %d", repeated, before)
	}
}

// TestStop writes what was found, also when there is a crawl before, and when the crawl
// is paused.
func TestStop(t *testing.T) {
	t.Parallel()
	web := newSite(t, 30)
	s, _ := start(t, Options{Folder: t.TempDir()})
	ended(t, s, request(t, s, web.URL).ID)
	web.gate = make(chan struct{})
	for _, pause := range []bool{false, true} {
		for len(web.reached) > 0 {
			<-web.reached
		}
		id := request(t, s, web.URL).ID
		<-web.reached
		if pause {
			if _, err := s.Pause(t.Context(), id); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := s.Stop(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		c := ended(t, s, id)
		if c.State != StateStopped || c.Counts.Pages == 0 || c.Counts.Pages > 10 {
			t.Errorf("%+v, %+v", c, c.Failure)
		}
		if got := names(c); got != "report.html sitemap.css sitemap.xml" {
			t.Errorf("files %s", got)
		}
	}
}

// TestStopAtOnce does not call a crawl failed that was stopped before it had a page.
func TestStopAtOnce(t *testing.T) {
	for outage, want := range map[bool]State{false: StateStopped, true: StateFailed} {
		if state, failure := stateOf(nil, &appcrawl.CutError{Outage: outage}); state != want || outage != (failure != nil) {
			t.Errorf("outage %t: %s, %+v", outage, state, failure)
		}
	}
}

// TestContinue stops a crawl and lets it go on: what was fetched before is not requested again.
func TestContinue(t *testing.T) {
	t.Parallel()
	web := newSite(t, 30)
	web.gate = make(chan struct{})
	s, _ := start(t, Options{Folder: t.TempDir()})
	id := request(t, s, web.URL).ID
	<-web.reached
	if _, err := s.Stop(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	before := ended(t, s, id)
	if _, release, err := s.OpenResult(t.Context(), id); err != nil {
		t.Fatal(err)
	} else {
		release()
	}
	close(web.gate)
	requests := web.requests.Load()
	if _, err := s.Resume(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	c := ended(t, s, id)
	if c.State != StateDone || c.Counts.Pages != 31 || c.Counts.Waiting != 0 {
		t.Errorf("%+v, %+v", c, c.Failure)
	}
	if again, most := web.requests.Load()-requests, 32-before.Counts.Pages; again > most {
		t.Errorf("%d requests after %d pages", again, before.Counts.Pages)
	}
	result, release, err := s.OpenResult(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	if overview, err := result.Overview(t.Context()); err != nil || overview.Verdict.Listed != 31 {
		t.Errorf("the result is that of the stopped crawl: %+v, %v", overview.Verdict, err)
	}
}

// TestStopEarly stops a crawl that has no page yet.
func TestStopEarly(t *testing.T) {
	t.Parallel()
	reached, gate := make(chan struct{}, 1), make(chan struct{})
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case reached <- struct{}{}:
		default:
		}
		select {
		case <-gate:
		case <-r.Context().Done():
		}
	}))
	defer web.Close()
	defer close(gate)
	s, _ := start(t, Options{Folder: t.TempDir()})
	for _, pause := range []bool{false, true} {
		for len(reached) > 0 {
			<-reached
		}
		id := request(t, s, web.URL).ID
		<-reached
		if pause {
			if _, err := s.Pause(t.Context(), id); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := s.Stop(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		if c := ended(t, s, id); c.State != StateStopped || c.Counts.Pages != 0 {
			t.Errorf("%+v, %+v", c, c.Failure)
		}
	}
}

// TestDelete ends a crawl that runs and removes its folder.
func TestDelete(t *testing.T) {
	t.Parallel()
	web := newSite(t, 30)
	web.gate = make(chan struct{})
	s, stop := start(t, Options{Folder: t.TempDir()})
	id := request(t, s, web.URL).ID
	<-web.reached
	if _, err := s.Delete(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Crawl(t.Context(), id); !errors.Is(err, ErrNotFound) {
		t.Errorf("a deleted crawl: %v", err)
	}
	for _, err := range s.Watch(t.Context(), id, 0) {
		if !errors.Is(err, ErrNotFound) {
			t.Errorf("to watch it: %v", err)
		}
	}
	stop()
	if left := folders(t, s); len(left) != 0 {
		t.Errorf("folders %v", left)
	}
}
