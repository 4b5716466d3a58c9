package journal

import (
	"context"
	"sync"
	"time"

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
	err = retryUnanswered(ctx, func(context.Context) error {
		f, err = c.follow(ctx, name)
		return err
	})
	return f, err
}

func (c *Cluster) follow(ctx context.Context, name string) (*Follower, error) {
	job, err := c.Job(ctx, name)
	if err == nil {
		err = job.checkRecords()
	}
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
	if e.revision == 0 { // its value follows
		return
	}
	job, err := decodeJob(e)
	f.mutex.Lock()
	if err != nil || !job.Created.Equal(f.job.Created) { // deleted, perhaps for another one
		job.State = JobCanceled
	}
	f.job.State = job.State
	f.mutex.Unlock()
	f.changed()
}

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

// Stopped returns how far a site of a job that does not run was crawled, once no worker has
// it any more: how it ended, or only the sequence of its last record, 0 without one.
func (f *Follower) Stopped(ctx context.Context, site int) (*SiteEnd, error) {
	group := f.view.groupOf(site)
	ticker := time.NewTicker(claimTime)
	defer ticker.Stop()
	for {
		state := f.view.group(group)
		if end := state.Ended[site]; end != nil {
			return end, nil
		}
		isFree := state.Owner == "" || f.peers.isGone(state.Owner) || f.peers.areAllGone()
		if f.Job().State != JobDone && isFree {
			break
		}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-f.changes:
		case <-ticker.C:
		}
	}
	if _, begun := f.view.group(group).From[site]; f.view.isShared() && !begun {
		return &SiteEnd{}, nil
	}
	var last message
	err := retryUnanswered(ctx, func(ctx context.Context) (err error) {
		last, err = within(ctx, func(ctx context.Context) (message, error) {
			return f.view.stream.last(ctx, logSubject(f.view.job.Name, group))
		})
		return err
	})
	return &SiteEnd{Sequence: last.sequence}, err
}

// Progress returns how far a site is that is being crawled, as far as its worker has
// reported, or how it ended.
func (f *Follower) Progress(site int) crawl.Progress {
	if end := f.End(site); end != nil {
		return end.Progress()
	}
	for _, report := range f.peers.reports() {
		for _, r := range report.Sites {
			if r.Job == f.view.job.Name && r.Site == site {
				return r.progress()
			}
		}
	}
	return crawl.Progress{}
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

// Reopen lets workers go on with a job whose servers have lost what they had stored: some
// sites count as not ended, and a job that is done runs again.
func (f *Follower) Reopen(ctx context.Context, sites []int) error {
	for _, site := range sites {
		group := f.view.groupOf(site)
		state := f.view.group(group)
		isLost := func(other int, _ *SiteEnd) bool { return other == site }
		if err := f.cluster.putReopened(ctx, f.view, group, &state, isLost); err != nil {
			return err
		}
	}
	return f.cluster.setState(ctx, f.view.job.Name, JobRunning, JobDone)
}

// Replay hands back what was committed of a site that has ended, as [crawl.Shard] does. It
// returns ErrCut when the servers have lost some of it.
func (f *Follower) Replay(
	ctx context.Context, site int, end *SiteEnd, begin func(crawl.Meta) error, each func(crawl.Commit) error,
) error {
	group := f.view.groupOf(site)
	from := f.view.group(group).From[site]
	_, err := replaySite(ctx, f.view.stream, logSubject(f.view.job.Name, group), site, from, end.Sequence, begin, each)
	return err
}
