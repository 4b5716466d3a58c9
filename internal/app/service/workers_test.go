package service

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mapatools/mapa/internal/app"
	appcrawl "github.com/mapatools/mapa/internal/app/crawl"
	"github.com/mapatools/mapa/internal/app/crawlfile"
	"github.com/mapatools/mapa/internal/jobs"
)

var errAway = errors.New("the servers do not answer")

// fakeWorkers crawl in this process and keep a job of each crawl, as servers do that others use
// too.
type fakeWorkers struct {
	mutex  sync.Mutex
	names  map[string]bool
	away   bool  // nothing can be deleted
	failed error // of Crawl
}

func (w *fakeWorkers) Crawl(
	ctx context.Context, a *app.App, name, address string, s *appcrawl.Settings,
) (*appcrawl.Result, error) {
	w.add(name)
	if w.failed != nil {
		return nil, w.failed
	}
	return appcrawl.RunSite(ctx, a, address, s)
}

func (w *fakeWorkers) add(names ...string) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.names == nil {
		w.names = map[string]bool{}
	}
	for _, name := range names {
		w.names[name] = true
	}
}

func (w *fakeWorkers) all() []string {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return slices.Sorted(maps.Keys(w.names))
}

func (w *fakeWorkers) Hold(context.Context, string) error { return nil }

func (w *fakeWorkers) Delete(_ context.Context, name string) error {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.away {
		return errAway
	}
	delete(w.names, name)
	return nil
}

func (w *fakeWorkers) Jobs(_ context.Context, prefix string) ([]string, error) {
	names := w.all()
	return slices.DeleteFunc(names, func(name string) bool { return !strings.HasPrefix(name, prefix) }), nil
}

// step does once what runWorkers does again and again.
func (w *fakeWorkers) step(t *testing.T, s *Service) (unknown []string) {
	t.Helper()
	names, err := s.updateWorkers(t.Context())
	if err = errors.Join(err, s.deleteJobs(t.Context())); err != nil && !errors.Is(err, errAway) {
		t.Fatal(err)
	}
	return slices.Sorted(maps.Keys(names))
}

// TestJobsOfOthers keeps the jobs of other servers and those that a list which is lost or older
// does not know, and deletes those of crawls that were deleted here.
func TestJobsOfOthers(t *testing.T) {
	t.Parallel()
	for _, state := range []string{"present", "lost", "older"} {
		t.Run(state, func(t *testing.T) {
			t.Parallel()
			workers, folder := &fakeWorkers{}, t.TempDir()
			name, older := filepath.Join(folder, "mapa.sqlite"), filepath.Join(t.TempDir(), "older")
			s := open(t, Options{Folder: folder, Workers: workers})
			first := s.workersName(request(t, s, "https://example.com/").ID)
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			copyFile(t, name, older)
			s = open(t, s.options)
			second := s.workersName(request(t, s, "https://example.com/").ID)
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			others := []string{"a-job", "serve-0123456789-" + newID()}
			workers.add(append(others, first, second)...)
			var unknown []string
			switch state {
			case "lost":
				remove(t, name) // with the key, which the names begin with
			case "older":
				copyFile(t, older, name)
				unknown = []string{second}
			}
			s = open(t, s.options)
			defer s.Close()
			for range 2 {
				if got := workers.step(t, s); !slices.Equal(got, unknown) {
					t.Errorf("unknown %q, want %q", got, unknown)
				}
			}
			if left := workers.all(); len(left) != 4 {
				t.Errorf("left: %q", left)
			}
			if state == "lost" {
				return
			}
			if _, err := s.Delete(t.Context(), strings.TrimPrefix(first, s.workersPrefix())); err != nil {
				t.Fatal(err)
			}
			workers.step(t, s)
			want := append(others, second)
			slices.Sort(want)
			if left := workers.all(); !slices.Equal(left, want) {
				t.Errorf("left: %q, want %q", left, want)
			}
		})
	}
}

// TestDeleteJob deletes the job of a deleted crawl as soon as the servers answer, also with the
// next server, and then forgets the crawl.
func TestDeleteJob(t *testing.T) {
	t.Parallel()
	workers, web := &fakeWorkers{away: true}, newSite(t, 3)
	options := Options{Folder: t.TempDir(), Workers: workers}
	s, stop := start(t, options)
	id := ended(t, s, request(t, s, web.URL).ID).ID
	if _, err := s.Delete(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	stop()
	if left := folders(t, s); len(left) != 1 || left[0] != id+deletedSuffix {
		t.Errorf("left: %q", left)
	}
	s = open(t, options)
	defer s.Close()
	workers.step(t, s)
	if left := workers.all(); len(left) != 1 {
		t.Errorf("jobs: %q", left)
	}
	workers.away = false
	workers.step(t, s)
	if left, jobs := folders(t, s), workers.all(); len(left) > 0 || len(jobs) > 0 {
		t.Errorf("left: %q, jobs: %q", left, jobs)
	}
}

// TestDeleteJobInUse keeps the job of a deleted crawl until its folder has gone, and that of a
// crawl that is marked and still in the list.
func TestDeleteJobInUse(t *testing.T) {
	t.Parallel()
	workers, web := &fakeWorkers{}, newSite(t, 3)
	s, stop := start(t, Options{Folder: t.TempDir(), Workers: workers})
	read := ended(t, s, request(t, s, web.URL).ID).ID
	stop()
	s = open(t, s.options)
	defer s.Close()
	workers.add(s.workersName(read))
	release := s.results.pin(read)
	listed := request(t, s, "https://example.com/").ID
	workers.add(s.workersName(listed))
	if err := s.mark(listed); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Delete(t.Context(), read); err != nil {
		t.Fatal(err)
	}
	workers.step(t, s)
	if left := workers.all(); len(left) != 2 {
		t.Errorf("jobs: %q", left)
	}
	release()
	workers.step(t, s)
	if left := workers.all(); len(left) != 1 || !s.isMarked(listed) {
		t.Errorf("jobs: %q", left)
	}
}

// TestUnknownJobs names jobs that the list does not in one line of the log.
func TestUnknownJobs(t *testing.T) {
	t.Parallel()
	workers := &fakeWorkers{}
	var log bytes.Buffer
	s := open(t, Options{Folder: t.TempDir(), Workers: workers, Logger: slog.New(slog.NewTextHandler(&log, nil))})
	defer s.Close()
	for range 1000 {
		workers.add(s.workersName(newID()))
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.runWorkers(ctx)
	}()
	for range 3 {
		s.workersWake <- struct{}{}
	}
	cancel()
	<-done
	if text := log.String(); strings.Count(text, "\n") != 1 || !strings.Contains(text, "number=1000") || len(text) > 1000 {
		t.Errorf("%d bytes: %s", len(text), text)
	}
	if left := workers.all(); len(left) != 1000 {
		t.Errorf("%d jobs are left", len(left))
	}
}

// TestKeepFailed keeps what a crawl has found that failed, when it is resumed and the site, or
// its job, is not there any more.
func TestKeepFailed(t *testing.T) {
	t.Parallel()
	workers, web := &fakeWorkers{}, newSite(t, 3)
	s, _ := start(t, Options{Folder: t.TempDir(), Workers: workers})
	id := ended(t, s, request(t, s, web.URL).ID).ID
	before := tree(t, s.folder(id))
	for _, failed := range []error{
		&appcrawl.WorkerError{Text: "connection refused"}, crawlfile.ErrNoCrawl,
	} {
		workers.failed = failed
		_, err := s.modify(t.Context(), id, func(_ *jobs.Tx, c *jobs.Crawl) error {
			c.State, c.Failure = StateFailed, &jobs.Failure{Code: FailureOutage}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Resume(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		if c := ended(t, s, id); c.State != StateFailed {
			t.Errorf("%+v", c)
		}
		if left := changed(before, tree(t, s.folder(id))); len(left) > 0 {
			t.Errorf("%v: %q", failed, left)
		}
	}
}

// TestWorkersRender offers no rendering where workers crawl, which have no browser.
func TestWorkersRender(t *testing.T) {
	t.Parallel()
	s := open(t, Options{Folder: t.TempDir(), Workers: &fakeWorkers{}})
	defer s.Close()
	if names := s.OptionNames(); slices.Contains(names, "render") || !slices.Contains(names, "subdomains") {
		t.Errorf("the server offers %q", names)
	}
	_, err := s.settings(map[string][]string{"render": {"auto"}})
	if !errors.Is(err, ErrNotOffered) {
		t.Errorf("error %v", err)
	}
}
