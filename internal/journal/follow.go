package journal

import (
	"context"
	"errors"
	"fmt"
	"strings"
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

// Follow follows a job until ctx ends or Close. It returns ErrNoJob when the job does not exist.
func (c *Cluster) Follow(ctx context.Context, name string) (*Follower, error) {
	starting, cancel := operation(ctx)
	defer cancel()
	job, err := c.Job(ctx, name)
	if err == nil {
		err = job.checkRecords()
	}
	if err != nil {
		return nil, err
	}
	s, states, err := openJournal(starting, c.servers, job.journal())
	var sites []Site
	if err == nil {
		sites, err = readSites(starting, s, &job)
	}
	if err != nil {
		return nil, err
	}
	ctx, end := context.WithCancel(ctx)
	f := &Follower{cluster: c, job: job, changes: make(chan struct{}, 1)}
	f.view = newView(job, s, states, sites, f.changed, func(string) {})
	watches := []<-chan struct{}{
		f.view.watch(ctx), c.servers.leases().watch(ctx, ">", f.peers.changed),
		c.servers.jobs().watch(ctx, jobKey(name), f.takeJob),
	}
	var confirming sync.WaitGroup
	confirming.Go(func() { f.confirm(ctx) })
	f.cancel = func() {
		end()
		confirming.Wait()
	}
	for _, ready := range watches {
		if err := awaitWatch(starting, "following the job", ready); err != nil {
			f.Close()
			return nil, err
		}
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

// takeJob handles a change of the job. An entry without a key comes before its value.
func (f *Follower) takeJob(e entry) {
	defer f.changed()
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if e.key == "" {
		f.job.revision = 0
		return
	}
	if e.value != nil && e.revision < f.job.revision {
		return
	}
	f.job.revision = e.revision
	job, err := decodeJob(e)
	switch {
	case errors.Is(err, ErrDamaged):
		f.job.State, f.job.Failure = JobDamaged, failureText(err)
	case err != nil || job.State == JobSubmitting || job.Submission != f.job.Submission: // deleted
		f.job.State = JobCanceled
	default:
		f.job.State, f.job.Failure = job.State, job.Failure
	}
}

// failureText returns the reason of a damaged job as its entry has it.
func failureText(err error) string { return strings.TrimPrefix(err.Error(), ErrDamaged.Error()+": ") }

// confirmTime is the time between two looks at a job for changes that no watch hears of.
const confirmTime = 30 * time.Second

// confirm looks at the job now and then until ctx ends: its entry may have been removed in a
// way that no watch hears of.
func (f *Follower) confirm(ctx context.Context) {
	present := presence{}
	ticker := time.NewTicker(confirmTime)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		if e, changed := present.look(ctx, f.cluster.servers, f.view.job.Name); changed {
			f.takeJob(e)
		}
	}
}

// presence is whether a job was there when it was looked for last.
type presence struct{ missing bool }

// look returns the entry of a job, and whether it is certain. A missing entry is certain when it
// is missing twice, because a leader that has lost its peers may not know the job.
func (p *presence) look(ctx context.Context, s servers, name string) (e entry, known bool) {
	e, err := within(ctx, func(ctx context.Context) (entry, error) { return s.jobs().get(ctx, jobKey(name)) })
	if err != nil {
		return e, false
	}
	wasMissing := p.missing
	p.missing = e.value == nil
	return e, !p.missing || wasMissing
}

// Err returns ErrDamaged, with the reason, once the job cannot go on.
func (f *Follower) Err() error {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if f.job.State != JobDamaged {
		return nil
	}
	return fmt.Errorf("%w: %s", ErrDamaged, f.job.Failure)
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
	if site < 0 || site >= len(f.view.sites) {
		return nil
	}
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
	asking, cancel := operation(ctx)
	defer cancel()
	last, err := answered(asking, "reading the end of a log", func(ctx context.Context) (message, error) {
		return f.view.stream.last(ctx, logSubject(f.view.job.journal(), group))
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

// Replay hands back what was committed of a site that has ended, as [*Shard] does. It
// returns ErrCut when the servers have lost some of it.
func (f *Follower) Replay(
	ctx context.Context, site int, end *SiteEnd, begin func(crawl.Meta) error, each func(crawl.Commit) error,
) error {
	group := f.view.groupOf(site)
	from := f.view.group(group).From[site]
	subject := logSubject(f.view.job.journal(), group)
	_, err := replaySite(ctx, f.view.stream, subject, site, from, end.Sequence, begin, each)
	return err
}
