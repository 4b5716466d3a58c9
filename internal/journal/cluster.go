package journal

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

var (
	// ErrJobExists means that there is a job of that name already.
	ErrJobExists = errors.New("the job exists already")
	// ErrNoJob means that there is no job of that name.
	ErrNoJob = errors.New("no such job")
)

// The buckets that all jobs share.
const (
	jobsBucket   = "mapa"
	leasesBucket = "mapa_workers"
)

// Cluster is a connection to the servers. Its methods may be called by several goroutines
// at once.
type Cluster struct {
	nc     *nats.Conn
	js     jetstream.JetStream
	shared bucket // jobs
	lease  bucket

	cancel  context.CancelFunc
	keeping sync.WaitGroup
}

func (c *Cluster) prepare(ctx context.Context) (err error) {
	if most := c.nc.MaxPayload(); most < minPayload {
		return fmt.Errorf("the servers accept messages of %d bytes only: set max_payload to %d", most, minPayload)
	}
	if c.shared, err = c.openBucket(ctx, jetstream.KeyValueConfig{Bucket: jobsBucket}); err != nil {
		return err
	}
	c.lease, err = c.openBucket(ctx, jetstream.KeyValueConfig{Bucket: leasesBucket, TTL: forgetTime})
	return err
}

// openBucket opens a bucket, and creates it when it is missing.
func (c *Cluster) openBucket(ctx context.Context, config jetstream.KeyValueConfig) (bucket, error) {
	open := func(ctx context.Context) (jetstream.KeyValue, error) { return c.js.KeyValue(ctx, config.Bucket) }
	_, err := within(ctx, open)
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		_, err = replicated(c.nc, func(replicas int) (jetstream.KeyValue, error) {
			config.Replicas = replicas
			return within(ctx, func(ctx context.Context) (jetstream.KeyValue, error) {
				return c.js.CreateKeyValue(ctx, config)
			})
		})
	}
	if err != nil && !errors.Is(err, jetstream.ErrBucketExists) {
		return nil, err
	}
	if err := c.readFromLeader(ctx, bucketStream(config.Bucket)); err != nil {
		return nil, err
	}
	return openKeyValue(ctx, c.js, config.Bucket)
}

// readFromLeader makes the leader of a bucket's stream answer all reads. The client library
// lets every replica answer, and one that comes back after a failure may not know of a job
// that was created a moment ago.
func (c *Cluster) readFromLeader(ctx context.Context, name string) error {
	_, err := within(ctx, func(ctx context.Context) (any, error) {
		s, err := c.js.Stream(ctx, name)
		if err != nil || !s.CachedInfo().Config.AllowDirect {
			return nil, err
		}
		config := s.CachedInfo().Config
		config.AllowDirect = false
		return c.js.UpdateStream(ctx, config)
	})
	return err
}

// Close closes the connection.
func (c *Cluster) Close() {
	c.cancel()
	c.keeping.Wait()
	c.nc.Close()
}

func (c *Cluster) leases() bucket { return c.lease }
func (c *Cluster) jobs() bucket   { return c.shared }

// open returns the stream of a job and the bucket with the states of its groups.
func (c *Cluster) open(ctx context.Context, job string) (stream, bucket, error) {
	s, err := within(ctx, func(ctx context.Context) (jetstream.Stream, error) { return c.js.Stream(ctx, streamName(job)) })
	if err != nil {
		return nil, nil, err
	}
	states, err := openKeyValue(ctx, c.js, stateBucket(job))
	return &jetStream{c.js, s}, states, err
}

// NewWorker starts a worker, which ends with Close.
func (c *Cluster) NewWorker(ctx context.Context, options WorkerOptions) (w *Worker, err error) {
	err = retryUnanswered(ctx, func(ctx context.Context) error {
		w, err = newWorker(ctx, c, options)
		return err
	})
	return w, err
}

// The keys of the buckets.
const (
	jobPrefix  = "job."
	jobPattern = jobPrefix + "*"
)

func jobKey(name string) string  { return jobPrefix + name }
func jobOfKey(key string) string { return strings.TrimPrefix(key, jobPrefix) }

func decodeJob(e entry) (Job, error) {
	if e.value == nil {
		return Job{}, ErrNoJob
	}
	job := Job{revision: e.revision}
	if err := json.Unmarshal(e.value, &job); err != nil {
		return Job{}, fmt.Errorf("%w: job %s: %w", ErrDamaged, jobOfKey(e.key), err)
	}
	return job, nil
}

// Submit creates a job. Workers begin with it when Submit returns. The error is
// ErrJobExists when there is one of that name.
func (c *Cluster) Submit(ctx context.Context, job Job, sites []Site) error {
	if err := CheckJobName(job.Name); err != nil {
		return err
	}
	if _, err := c.Job(ctx, job.Name); !errors.Is(err, ErrNoJob) {
		return cmp.Or(err, ErrJobExists)
	}
	job.State, job.Created, job.Records, job.Sites = JobRunning, time.Now().UTC(), recordVersion, len(sites)
	if err := retryUnanswered(ctx, func(ctx context.Context) error { return c.create(ctx, job.Name, sites) }); err != nil {
		return err
	}
	value, err := json.Marshal(&job)
	if err != nil {
		return err
	}
	_, err = within(ctx, func(ctx context.Context) (uint64, error) {
		return c.shared.put(ctx, jobKey(job.Name), value, 0)
	})
	if errors.Is(err, errConflict) {
		return ErrJobExists
	}
	return err
}

// create makes the stream and the bucket of a job and stores its sites. What an attempt
// left that was cut off is removed first: nothing names it.
func (c *Cluster) create(ctx context.Context, name string, sites []Site) error {
	if err := c.remove(ctx, name); err != nil {
		return err
	}
	_, err := replicated(c.nc, func(replicas int) (jetstream.Stream, error) {
		return within(ctx, func(ctx context.Context) (jetstream.Stream, error) {
			return c.js.CreateStream(ctx, jetstream.StreamConfig{
				Name: streamName(name), Subjects: []string{jobSubjects(name)}, Replicas: replicas,
				Discard: jetstream.DiscardNew, Duplicates: duplicateTime,
			})
		})
	})
	if err != nil {
		return err
	}
	if _, err := c.openBucket(ctx, jetstream.KeyValueConfig{Bucket: stateBucket(name)}); err != nil {
		return err
	}
	messages, err := encodeSites(sites)
	if err != nil {
		return err
	}
	for _, data := range messages {
		_, err := within(ctx, func(ctx context.Context) (any, error) {
			return c.js.Publish(ctx, sitesSubject(name), data)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// remove deletes the stream and the bucket of a job, if they are there.
func (c *Cluster) remove(ctx context.Context, name string) error {
	for _, stream := range []string{streamName(name), bucketStream(stateBucket(name))} {
		_, err := within(ctx, func(ctx context.Context) (any, error) { return nil, c.js.DeleteStream(ctx, stream) })
		if err != nil && !errors.Is(err, jetstream.ErrStreamNotFound) {
			return err
		}
	}
	return nil
}

// Job returns a job, or ErrNoJob.
func (c *Cluster) Job(ctx context.Context, name string) (job Job, err error) {
	if CheckJobName(name) != nil {
		return job, ErrNoJob
	}
	err = retryUnanswered(ctx, func(ctx context.Context) error {
		e, err := within(ctx, func(ctx context.Context) (entry, error) { return c.shared.get(ctx, jobKey(name)) })
		if err == nil {
			job, err = decodeJob(e)
		}
		return err
	})
	return job, err
}

// Jobs returns all jobs, the oldest first.
func (c *Cluster) Jobs(ctx context.Context) ([]Job, error) {
	watching, cancel := context.WithCancel(ctx)
	defer cancel()
	var mutex sync.Mutex
	var jobs []Job
	err := c.shared.watch(watching, jobPattern, func(e entry) {
		mutex.Lock()
		defer mutex.Unlock()
		if job, err := decodeJob(e); err == nil {
			jobs = append(jobs, job)
		}
	})
	mutex.Lock()
	defer mutex.Unlock()
	present := slices.Clone(jobs) // what is watched after that stays out
	slices.SortFunc(present, func(a, b Job) int { return a.Created.Compare(b.Created) })
	return present, err
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

// Resume lets workers go on with a job that was canceled. Sites that failed, or ended at
// their time, are crawled again from where they were.
func (c *Cluster) Resume(ctx context.Context, name string) error {
	job, err := c.Job(ctx, name)
	if err != nil || job.State != JobCanceled {
		return err
	}
	if err := retryUnanswered(ctx, func(ctx context.Context) error { return c.reopen(ctx, name) }); err != nil {
		return err
	}
	return c.setState(ctx, name, JobRunning, JobCanceled)
}

// setState changes the state of a job that is in one of some states.
func (c *Cluster) setState(ctx context.Context, name string, to JobState, from ...JobState) error {
	for wait := (pause{}); ; {
		job, err := c.Job(ctx, name)
		if err != nil || !slices.Contains(from, job.State) {
			return err
		}
		job.State = to
		value, err := json.Marshal(&job)
		if err != nil {
			return err
		}
		_, err = within(ctx, func(ctx context.Context) (uint64, error) {
			return c.shared.put(ctx, jobKey(name), value, job.revision)
		})
		if err == nil {
			return nil
		}
		if err := wait.sleep(ctx); err != nil {
			return err
		}
	}
}

// reopen makes the sites of a job that can go on count as not ended.
func (c *Cluster) reopen(ctx context.Context, name string) error {
	f, err := c.follow(ctx, name)
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
	_, err = within(ctx, func(ctx context.Context) (uint64, error) {
		return v.states.put(ctx, groupKey(group), value, state.revision)
	})
	if errors.Is(err, errConflict) { // a worker gives the group back: it has not ended
		return nil
	}
	return err
}

// Delete removes a job and its journal.
func (c *Cluster) Delete(ctx context.Context, name string) error {
	job, err := c.Job(ctx, name)
	if err != nil {
		return err
	}
	_, err = within(ctx, func(ctx context.Context) (any, error) {
		return nil, c.shared.remove(ctx, jobKey(name), job.revision)
	})
	if err != nil {
		return err
	}
	return c.remove(ctx, name)
}
