package journal

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// longList returns sites whose list takes several messages.
func longList(host string) []Site {
	sites := make([]Site, 8_000)
	for i := range sites {
		name := fmt.Sprintf("%s-%d.example", host, i)
		sites[i] = Site{Start: "https://" + name + "/start", Host: name}
	}
	return sites
}

// cluster returns the servers as a caller of the package has them.
func (s *modelServers) cluster() *Cluster { return &Cluster{s, func() {}} }

// sites returns the list of sites that the servers have of a job.
func (s *modelServers) sites(t *testing.T, job string) []Site {
	t.Helper()
	j, err := decodeJob(s.store.shared.values[jobKey(job)])
	if err != nil || j.State != JobRunning {
		t.Fatalf("the job is %q; error %v", j.State, err)
	}
	log, states := s.store.logs[j.journal()], s.store.states[j.journal()]
	if log == nil || states == nil {
		t.Fatal("the stream or the bucket is missing")
	}
	sites, err := readSites(t.Context(), s.log(j.journal()), &j)
	if err != nil {
		t.Fatal(err)
	}
	return sites
}

// withFaults calls test once for every request that it makes and every way in which a server
// can fail while it has the request, by the simulated clock and with servers that answer
// apart from that.
func withFaults(t *testing.T, test func(t *testing.T, m *model)) {
	t.Helper()
	warmUp(t)
	for _, how := range []faultKind{faultLost, faultUnheard, faultLate} {
		for at, made := 1, 1; at <= made && !t.Failed(); at++ {
			t.Run(fmt.Sprint(how, at), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					m := newModel(1)
					m.calm, m.fault = true, fault{at, how}
					test(t, m)
					m.late.Wait()
					made = m.made
				})
			})
		}
	}
}

// warmUp makes the compressor, whose channels must not belong to a bubble.
func warmUp(t *testing.T) {
	t.Helper()
	if _, err := codec().DecodeAll(codec().EncodeAll(nil, nil), nil); err != nil {
		t.Fatal(err)
	}
}

// TestSubmitFaults submits a job while a server fails at any moment. There is one job
// afterwards, with the whole list, also when requests take place late.
func TestSubmitFaults(t *testing.T) {
	sites := longList("site")
	withFaults(t, func(t *testing.T, m *model) {
		s := m.newServers()
		if err := s.cluster().Submit(t.Context(), Job{Name: "job"}, sites); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		if got := s.sites(t, "job"); !reflect.DeepEqual(got, sites) {
			t.Errorf("%d sites, want %d", len(got), len(sites))
		}
		if err := s.cluster().Submit(t.Context(), Job{Name: "job"}, sites); !errors.Is(err, ErrJobExists) {
			t.Error("the same name again:", err)
		}
	})
}

// TestSubmitCutOff submits a job after a submission of its name was cut off at any moment.
func TestSubmitCutOff(t *testing.T) {
	warmUp(t)
	first, second := longList("first"), longList("second")
	complete := false
	for at := 1; !complete; at++ {
		synctest.Test(t, func(t *testing.T) {
			m := newModel(1)
			m.calm = true
			s := m.newServers()
			ctx, cancel := context.WithCancel(t.Context())
			m.whenMade(at, cancel)
			err := s.cluster().Submit(ctx, Job{Name: "job"}, first)
			complete = m.made < at
			if complete != (err == nil) {
				t.Fatalf("cut off with request %d of %d: %v", at, m.made, err)
			}
			cancel()
			err = s.cluster().Submit(t.Context(), Job{Name: "job"}, second)
			if errors.Is(err, ErrJobExists) { // the last request took place
				if got := s.sites(t, "job"); !reflect.DeepEqual(got, first) {
					t.Errorf("request %d: %d sites, want %d", at, len(got), len(first))
				}
				return
			}
			if err != nil {
				t.Fatalf("request %d: %v", at, err)
			}
			if got := s.sites(t, "job"); !reflect.DeepEqual(got, second) {
				t.Errorf("request %d: %d sites, want %d", at, len(got), len(second))
			}
			if len(s.store.logs)+len(s.store.states) > 2 {
				t.Errorf("request %d: a journal is left of the first submission", at)
			}
			m.late.Wait()
		})
	}
}

// TestSubmitRivals submits two jobs of one name at once, with servers that lose requests. At most
// one of them exists afterwards, and is complete.
func TestSubmitRivals(t *testing.T) {
	warmUp(t)
	lists := [][]Site{longList("first"), longList("second")}
	const seeds = 200
	none := 0
	for seed := range uint64(seeds) {
		synctest.Test(t, func(t *testing.T) {
			m := newModel(seed)
			s := m.newServers()
			errs := make([]error, len(lists))
			var submitting sync.WaitGroup
			for i, list := range lists {
				submitting.Go(func() {
					time.Sleep(m.below(100 * time.Millisecond))
					errs[i] = s.cluster().Submit(t.Context(), Job{Name: "job"}, list)
				})
			}
			submitting.Wait()
			m.late.Wait()
			m.calm = true
			won := -1
			for i, err := range errs {
				switch {
				case err == nil && won < 0:
					won = i
				case !errors.Is(err, ErrJobExists) && !errors.Is(err, ErrSubmitting) && !IsUnanswered(err) &&
					!errors.Is(err, errConflict):
					t.Fatalf("seed %d: %v", seed, errs)
				}
			}
			if won < 0 {
				none++
				return
			}
			if got := s.sites(t, "job"); !reflect.DeepEqual(got, lists[won]) {
				t.Errorf("seed %d: the job does not have the list of its submission", seed)
			}
		})
	}
	if none > seeds/20 {
		t.Errorf("in %d of %d cases none was submitted", none, seeds)
	}
}

// TestSubmitUnanswered ends with an error that names the step when the servers answer no more
// from any moment on.
func TestSubmitUnanswered(t *testing.T) {
	warmUp(t)
	sites := longList("site")
	steps := map[string]bool{}
	for at, made := 1, 1; at <= made; at++ {
		synctest.Test(t, func(t *testing.T) {
			m := newModel(1)
			m.calm = true
			s := m.newServers()
			m.whenMade(at, func() { m.silent = time.Now().Add(time.Hour) })
			begun := time.Now()
			err := s.cluster().Submit(t.Context(), Job{Name: "job"}, sites)
			if err == nil && at >= m.made {
				return // all was answered
			}
			made = at + 1
			unanswered, ok := errors.AsType[*UnansweredError](err)
			if !ok || !IsUnanswered(err) || time.Since(begun) > operationTime+answerTime {
				t.Fatalf("request %d: %v after %v", at, err, time.Since(begun))
			}
			steps[unanswered.Step] = true
		})
	}
	for _, step := range []string{
		"taking the name of the job", "making the stream and the bucket of the job", "storing the list of sites", "starting the job",
	} {
		if !steps[step] {
			t.Errorf("no error names the step %q: %v", step, steps)
		}
	}
}

// TestFaults calls what else concerns a job while a server fails at any moment.
func TestFaults(t *testing.T) {
	sites := modelSitesOf(2)
	submitted := func(t *testing.T, m *model) *modelServers {
		s := m.newServers()
		s.add(t, "job", sites)
		return s
	}
	state := func(s *modelServers) JobState {
		job, _ := decodeJob(s.store.shared.values[jobKey("job")])
		return job.State
	}
	for name, test := range map[string]func(t *testing.T, m *model){
		"cancel": func(t *testing.T, m *model) {
			s := submitted(t, m)
			if err := s.cluster().Cancel(t.Context(), "job"); err != nil || state(s) != JobCanceled {
				t.Errorf("the job is %s; error %v", state(s), err)
			}
		},
		"resume": func(t *testing.T, m *model) {
			s := submitted(t, m)
			job := modelJob("job", len(sites))
			job.State = JobCanceled
			value, err := json.Marshal(&job)
			if err != nil {
				t.Fatal(err)
			}
			s.store.shared.add(jobKey("job"), value)
			s.store.states[testJournal].add("0", []byte(`{"ended":{"0":{"failure":"no answer","sequence":7}}}`))
			if err := s.cluster().Resume(t.Context(), "job"); err != nil || state(s) != JobRunning {
				t.Errorf("the job is %s; error %v", state(s), err)
			}
			if value := s.store.states[testJournal].values["0"].value; strings.Contains(string(value), "no answer") {
				t.Errorf("the site that failed is not open again: %s", value)
			}
		},
		"delete": func(t *testing.T, m *model) {
			s := submitted(t, m)
			if err := s.cluster().Delete(t.Context(), "job"); err != nil {
				t.Error(err)
			}
			m.late.Wait()
			if s.store.shared.values[jobKey("job")].value != nil || len(s.store.logs)+len(s.store.states) > 0 {
				t.Error("something is left of the job")
			}
		},
		"list": func(t *testing.T, m *model) {
			s := submitted(t, m)
			if jobs, err := s.cluster().Jobs(t.Context()); err != nil || len(jobs) != 1 || jobs[0].Name != "job" {
				t.Error(jobs, err)
			}
		},
		"follow": func(t *testing.T, m *model) {
			s := submitted(t, m)
			f, err := s.cluster().Follow(t.Context(), "job")
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if !reflect.DeepEqual(f.Sites(), sites) || f.Job().State != JobRunning {
				t.Error(f.Sites(), f.Job())
			}
		},
		"worker": func(t *testing.T, m *model) {
			s := submitted(t, m)
			w := startWorker(t.Context(), t, s, "job")
			defer w.end()
			if _, err := w.Claim(t.Context()); err != nil {
				t.Error(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) { withFaults(t, test) })
	}
}

// TestUnanswered ends operations whose servers never answer with an error that names what they
// were doing.
func TestUnanswered(t *testing.T) {
	for name, operate := range map[string]func(ctx context.Context, c *Cluster) error{
		"reading the job":  func(ctx context.Context, c *Cluster) error { return c.Cancel(ctx, "job") },
		"reading the jobs": func(ctx context.Context, c *Cluster) error { _, err := c.Jobs(ctx); return err },
		"taking a lease": func(ctx context.Context, c *Cluster) error {
			_, err := c.NewWorker(ctx, WorkerOptions{})
			return err
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			m := newModel(1)
			m.calm, m.silent = true, time.Now().Add(time.Hour)
			ctx, cancel := context.WithCancel(t.Context())
			err := operate(ctx, m.newServers().cluster())
			if unanswered, ok := errors.AsType[*UnansweredError](err); !ok || unanswered.Step != name {
				t.Errorf("%s: %v", name, err)
			}
			cancel()
			m.late.Wait()
		})
	}
}
