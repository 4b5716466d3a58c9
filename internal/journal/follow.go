package journal

import (
	"context"
	"sync"

	"github.com/mapatools/mapa/crawl"
)

// Follower follows a job, whether it runs or not. Its methods may be called by several
// goroutines at once.
type Follower struct {
	cluster *Cluster
	view    *jobView
	peers   peers
	changes chan struct{} // holds a value when something has changed
	cancel  context.CancelFunc

	mutex sync.Mutex
	job   Job
}

// Follow follows a job until ctx ends or Close. It returns ErrNoJob when there is none.
func (c *Cluster) Follow(ctx context.Context, name string) (f *Follower, err error) {
	err = patiently(ctx, func(context.Context) error {
		f, err = c.follow(ctx, name)
		return err
	})
	return f, err
}

func (c *Cluster) follow(ctx context.Context, name string) (*Follower, error) {
	job, err := c.Job(ctx, name)
	if err != nil {
		return nil, err
	}
	s, states, err := c.open(ctx, name)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	f := &Follower{cluster: c, job: job, changes: make(chan struct{}, 1), cancel: cancel}
	f.view, err = openView(ctx, job, s, states, f.changed)
	if err == nil {
		err = c.lease.watch(ctx, ">", f.peers.changed)
	}
	if err == nil {
		err = c.shared.watch(ctx, jobKey(name), f.takeJob)
	}
	if err != nil {
		cancel()
		return nil, err
	}
	return f, nil
}

// Close ends following.
func (f *Follower) Close() { f.cancel() }

func (f *Follower) changed() {
	select {
	case f.changes <- struct{}{}:
	default:
	}
}

func (f *Follower) takeJob(e entry) {
	job, err := decodeJob(e)
	if err != nil { // deleted
		job.State = JobCanceled
	}
	f.mutex.Lock()
	f.job.State = job.State
	f.mutex.Unlock()
	f.changed()
}

// Changes receives a value after something has changed.
func (f *Follower) Changes() <-chan struct{} { return f.changes }

// Job returns the job in its present state.
func (f *Follower) Job() Job {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return f.job
}

// Sites returns the sites of the job. The caller must not change them.
func (f *Follower) Sites() []Site { return f.view.sites }

// End returns how a site has ended, or nil while it is crawled or waits.
func (f *Follower) End(site int) *SiteEnd {
	state := f.view.group(f.view.groupOf(site))
	return state.Ended[site]
}

// JobStatus counts what has been done of a job.
type JobStatus struct {
	Ended   int   `json:"ended"`  // sites
	Failed  int   `json:"failed"` // of them
	Running int   `json:"running"`
	Workers int   `json:"workers"` // that crawl sites of the job
	Pages   int64 `json:"pages"`
	Listed  int64 `json:"listed"`
	Broken  int64 `json:"broken"`
	Waiting int64 `json:"waiting"` // URLs found and not fetched yet, of the running sites
}

// Status counts what has been done.
func (f *Follower) Status() (s JobStatus) {
	v := f.view
	v.mutex.Lock()
	for i := range v.groups {
		if v.groups[i].Owner != "" {
			s.Running++
		}
		for _, end := range v.groups[i].Ended {
			s.Ended++
			if end.Failure != "" {
				s.Failed++
			}
			s.Pages += int64(end.Pages)
			s.Listed += int64(end.Listed)
			s.Broken += int64(end.Broken)
		}
	}
	v.mutex.Unlock()
	for _, report := range f.peers.reports() {
		crawls := false
		for _, site := range report.Sites {
			if site.Job == v.job.Name && f.End(site.Site) == nil {
				crawls = true
				s.Pages += site.Pages
				s.Waiting += site.Waiting
			}
		}
		if crawls {
			s.Workers++
		}
	}
	return s
}

// Replay hands back what was committed of a site that has ended, as [crawl.Shard] does.
func (f *Follower) Replay(
	ctx context.Context, site int, end *SiteEnd, begin func(crawl.Meta) error, each func(crawl.Commit) error,
) error {
	subject := logSubject(f.view.job.Name, f.view.groupOf(site))
	return replaySite(ctx, f.view.stream, subject, site, end.Sequence, begin, each)
}
