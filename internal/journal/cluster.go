package journal

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

var (
	// ErrJobExists means that there is a job of that name already.
	ErrJobExists = errors.New("the job exists already")
	// ErrNoJob means that there is no job of that name.
	ErrNoJob = errors.New("no such job")
)

// Cluster is a connection to the servers. Its methods may be called by several goroutines
// at once.
type Cluster struct {
	servers servers
	close   func()
}

// Close closes the connection.
func (c *Cluster) Close() { c.close() }

// NewWorker starts a worker, which ends with Close.
func (c *Cluster) NewWorker(ctx context.Context, options WorkerOptions) (*Worker, error) {
	return newWorker(ctx, c.servers, options)
}

// The keys of the buckets.
const (
	jobPrefix  = "job."
	jobPattern = jobPrefix + "*"
)

func jobKey(name string) string  { return jobPrefix + name }
func jobOfKey(key string) string { return strings.TrimPrefix(key, jobPrefix) }

// decodeJob returns the job in an entry, or ErrNoJob.
func decodeJob(e entry) (Job, error) {
	if e.value == nil {
		return Job{}, ErrNoJob
	}
	job := Job{revision: e.revision}
	err := json.Unmarshal(e.value, &job)
	if err == nil {
		err = job.check(jobOfKey(e.key))
	}
	if err != nil {
		return Job{}, fmt.Errorf("%w: its entry: %w", ErrDamaged, err)
	}
	return job, nil
}

// Job returns a job, or ErrNoJob.
func (c *Cluster) Job(ctx context.Context, name string) (Job, error) {
	if CheckJobName(name) != nil {
		return Job{}, ErrNoJob
	}
	ctx, cancel := operation(ctx)
	defer cancel()
	return getJob(ctx, c.servers, name)
}

// getJob returns a job, or ErrNoJob. One that is still being submitted is not there yet.
func getJob(ctx context.Context, s servers, name string) (Job, error) {
	e, err := getEntry(ctx, s, name, "reading the job")
	if err != nil {
		return Job{}, err
	}
	job, err := decodeJob(e)
	if err == nil && job.State == JobSubmitting {
		return Job{}, ErrNoJob
	}
	return job, err
}

// getEntry returns the entry of a job, which may be absent, for a step of an operation.
func getEntry(ctx context.Context, s servers, name, step string) (entry, error) {
	return answered(ctx, step, func(ctx context.Context) (entry, error) {
		return s.jobs().get(ctx, jobKey(name))
	})
}

// Jobs returns all jobs, the oldest first. One whose entry is damaged has no more than its
// name, JobDamaged and the reason.
func (c *Cluster) Jobs(ctx context.Context) ([]Job, error) {
	watching, end := context.WithCancel(ctx)
	defer end()
	var mutex sync.Mutex
	present := map[string]Job{}
	ready := c.servers.jobs().watch(watching, jobPattern, func(e entry) {
		mutex.Lock()
		defer mutex.Unlock()
		name := jobOfKey(e.key)
		job, err := decodeJob(e)
		switch {
		case errors.Is(err, ErrDamaged):
			present[name] = Job{Name: name, State: JobDamaged, Failure: err.Error()}
		case err != nil || job.State == JobSubmitting:
			delete(present, name)
		default:
			present[name] = job
		}
	})
	waiting, cancel := operation(ctx)
	defer cancel()
	err := awaitWatch(waiting, "reading the jobs", ready)
	mutex.Lock()
	defer mutex.Unlock()
	return slices.SortedFunc(maps.Values(present), func(a, b Job) int {
		return cmp.Or(a.Created.Compare(b.Created), cmp.Compare(a.Name, b.Name))
	}), err
}

// Cancel ends a job: workers stop requesting its sites and store what they have fetched.
// What was crawled stays, and Resume goes on with it.
func (c *Cluster) Cancel(ctx context.Context, name string) error {
	return c.setState(ctx, name, JobCanceled, JobRunning)
}

// Hold is like Cancel, but also accepts a job that is done, so that Resume can go on with its
// sites that failed.
func (c *Cluster) Hold(ctx context.Context, name string) error {
	return c.setState(ctx, name, JobCanceled, JobRunning, JobDone)
}

// Resume lets workers go on with a job that was canceled, or that they have given up as
// damaged. Sites that failed, or ended at their time, are crawled again from where they were.
func (c *Cluster) Resume(ctx context.Context, name string) error {
	job, err := c.Job(ctx, name)
	if err != nil || !slices.Contains(resumable, job.State) {
		return err
	}
	if err := c.reopen(ctx, name); err != nil {
		return err
	}
	return c.setState(ctx, name, JobRunning, resumable...)
}

// resumable are the states of jobs that can go on.
var resumable = []JobState{JobCanceled, JobDamaged}

// setState changes the state of a job that is in one of some states.
func (c *Cluster) setState(ctx context.Context, name string, to JobState, from ...JobState) error {
	ctx, cancel := operation(ctx)
	defer cancel()
	for wait := (pause{}); ; {
		job, err := getJob(ctx, c.servers, name)
		if err != nil || !slices.Contains(from, job.State) {
			return err
		}
		job.State, job.Failure = to, ""
		err = putJob(ctx, c.servers, &job)
		if err != nil && !errors.Is(err, errConflict) && !IsUnanswered(err) {
			return err
		}
		if err == nil {
			return nil
		}
		if wait.sleep(ctx) != nil {
			return unansweredError(ctx, "changing the state of the job", err)
		}
	}
}

// putJob replaces the entry of a job with its revision.
func putJob(ctx context.Context, s servers, job *Job) error {
	value, err := json.Marshal(job)
	if err != nil {
		return err
	}
	job.revision, err = within(ctx, func(ctx context.Context) (uint64, error) {
		return s.jobs().put(ctx, jobKey(job.Name), value, job.revision)
	})
	return err
}

// reopen makes the sites of a job that can go on count as not ended.
func (c *Cluster) reopen(ctx context.Context, name string) error {
	f, err := c.Follow(ctx, name)
	if err != nil {
		return err
	}
	defer f.Close()
	for group := range f.view.groups {
		state := f.view.group(group)
		if err := c.putReopened(ctx, f.view, group, &state, canGoOn); err != nil {
			return err
		}
	}
	return nil
}

// putReopened stores the state of a group in which some of its sites have not ended, if
// there are any.
func (c *Cluster) putReopened(
	ctx context.Context, v *jobView, group int, state *groupView, notEnded func(int, *SiteEnd) bool,
) error {
	if !state.reopen(notEnded) {
		return nil
	}
	value, err := json.Marshal(&state.groupState)
	if err != nil {
		return err
	}
	ctx, cancel := operation(ctx)
	defer cancel()
	_, err = answered(ctx, "opening sites again", func(ctx context.Context) (uint64, error) {
		return v.states.put(ctx, groupKey(group), value, state.revision)
	})
	if errors.Is(err, errConflict) { // a worker gives the group back, or an attempt before succeeded
		return nil
	}
	return err
}

// Delete removes a job and its journal, also a job that is damaged or that was submitted in
// part. What is cut off can be repeated, since the entry goes last.
func (c *Cluster) Delete(ctx context.Context, name string) error {
	if CheckJobName(name) != nil {
		return ErrNoJob
	}
	ctx, cancel := operation(ctx)
	defer cancel()
	found := false
	for wait := (pause{}); ; {
		e, err := getEntry(ctx, c.servers, name, "deleting the job")
		if err != nil {
			return err
		}
		if e.value == nil && found {
			return nil
		}
		if e.value == nil {
			return ErrNoJob
		}
		found = true
		err = c.deleteEntry(ctx, e)
		if err == nil || !errors.Is(err, errConflict) && !IsUnanswered(err) {
			return err
		}
		if wait.sleep(ctx) != nil {
			return unansweredError(ctx, "deleting the job", err)
		}
	}
}

// deleteEntry removes the journal of a job and then its entry.
func (c *Cluster) deleteEntry(ctx context.Context, e entry) error {
	job, err := decodeJob(e)
	journals := []string{job.journal()}
	if err != nil { // what there is shows only in the names
		journals, err = answered(ctx, "listing the journals", func(ctx context.Context) ([]string, error) {
			return c.servers.journals(ctx, jobOfKey(e.key))
		})
		if err != nil {
			return err
		}
	} else if job.State != JobSubmitting {
		job.State = JobSubmitting // workers end before the journal does
		if err := putJob(ctx, c.servers, &job); err != nil {
			return err
		}
		e.revision = job.revision
	}
	for _, journal := range journals {
		err := do(ctx, "removing the journal", func(ctx context.Context) error { return c.servers.remove(ctx, journal) })
		if err != nil {
			return err
		}
	}
	_, err = within(ctx, func(ctx context.Context) (any, error) {
		return nil, c.servers.jobs().remove(ctx, e.key, e.revision)
	})
	return err
}
