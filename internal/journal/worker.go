package journal

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
	"time"
)

// ErrCanceled means that the job of a shard was canceled or deleted.
var ErrCanceled = errors.New("the job was canceled")

// claimTime is the time between two searches for a site when nothing changes.
const claimTime = time.Second

// WorkerOptions configure a [Worker].
type WorkerOptions struct {
	// Name is what the worker is called in reports, such as the name of its machine.
	Name string
	// Job limits the worker to one job: Claim returns io.EOF when the job has ended.
	Job string
	// OnNotice is called with a text for people, from several goroutines. It may be nil.
	OnNotice func(text string)
}

// Worker crawls sites of the jobs of a cluster. Several goroutines may call its methods at once.
type Worker struct {
	servers servers
	options WorkerOptions
	lease   lease
	peers   peers
	wake    chan struct{} // holds a value when something has changed
	noted   chan struct{} // holds a value when a shard has notes for its next owner

	ctx      context.Context
	cancel   context.CancelFunc
	keeping  sync.WaitGroup
	claiming sync.Mutex // held by the Claim that searches
	next     *Shard     // that the next Claim returns, see share

	mutex  sync.Mutex
	known  map[string]Job      // running jobs
	views  map[string]*jobView // of those that were opened
	shards map[*Shard]bool     // that this worker has
	pages  int64               // of shards that were closed

	troubles map[string]*trouble // by job
}

// newWorker starts a worker, which works until Close.
func newWorker(ctx context.Context, s servers, options WorkerOptions) (*Worker, error) {
	w := &Worker{
		servers: s, options: options, wake: make(chan struct{}, 1), noted: make(chan struct{}, 1),
		lease: lease{bucket: s.leases(), report: WorkerReport{Name: options.Name}},
		known: map[string]Job{}, views: map[string]*jobView{}, shards: map[*Shard]bool{}, troubles: map[string]*trouble{},
	}
	w.ctx, w.cancel = context.WithCancel(context.WithoutCancel(ctx))
	starting, cancel := operation(ctx)
	defer cancel()
	err := w.lease.start(starting)
	leases := w.lease.bucket.watch(w.ctx, ">", w.peers.changed)
	jobs := s.jobs().watch(w.ctx, jobPattern, w.takeJob)
	if err == nil {
		err = awaitWatch(starting, "reading the leases of workers", leases)
	}
	if err == nil {
		err = awaitWatch(starting, "reading the jobs", jobs)
	}
	if err != nil {
		w.cancel()
		return nil, err
	}
	w.keeping.Go(func() { w.lease.keep(w.ctx, w.leaseChanged()) })
	w.keeping.Go(w.reportOn)
	w.keeping.Go(w.confirm)
	return w, nil
}

// Close ends the lease. Shards that are not closed are left to others.
func (w *Worker) Close(ctx context.Context) error {
	w.giveUp()
	w.cancel()
	w.keeping.Wait()
	id, _ := w.lease.held()
	return w.lease.drop(ctx, id)
}

// leaseChanged returns what handles the end of the lease and the beginning of another one.
func (w *Worker) leaseChanged() func(held bool) {
	wasHeld := true
	return func(held bool) {
		if !held {
			w.giveUp()
		}
		switch {
		case wasHeld && !held:
			w.notice("the lease has expired: nothing is requested until the NATS servers answer")
		case held && !wasHeld:
			w.notice("there is a lease again")
		}
		wasHeld = held
	}
}

// giveUp ends all shards: others may have taken them over.
func (w *Worker) giveUp() {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	for s := range w.shards {
		s.end(ErrLost)
	}
}

// takeJob handles a job that is new or has changed. An entry without a key comes before the
// present values.
func (w *Worker) takeJob(e entry) {
	if e.key == "" {
		return
	}
	job, err := decodeJob(e)
	w.mutex.Lock()
	defer w.mutex.Unlock()
	name := jobOfKey(e.key)
	isMine := w.options.Job == "" || w.options.Job == name
	running := err == nil && job.State == JobRunning
	if running && job.Records != recordVersion {
		running, err = false, job.checkRecords()
	}
	_, wasRunning := w.known[name]
	switch {
	case !isMine:
	case err != nil && e.value != nil:
		w.notice(fmt.Sprintf("job %s is left alone: %v", name, err))
	case job.State == JobDamaged && wasRunning:
		w.notice(fmt.Sprintf("job %s is given up: %v: %s", name, ErrDamaged, job.Failure))
	}
	if v := w.views[name]; v != nil && err == nil && v.job.Submission != job.Submission { // another job of that name
		w.closeViewLocked(name)
		w.cancelLocked(name, true)
	}
	if running && isMine {
		w.known[name] = job
	} else {
		delete(w.known, name)
		delete(w.troubles, name)
		w.closeViewLocked(name)
		if job.State != JobDone {
			w.cancelLocked(name, e.value == nil || job.State == JobSubmitting) // the journal is being removed
		}
	}
	w.changed()
}

// closeViewLocked forgets a job.
func (w *Worker) closeViewLocked(name string) {
	if v := w.views[name]; v != nil {
		v.stop()
		delete(w.views, name)
	}
}

// cancelLocked ends what is done for a job: what was fetched is still stored, unless the
// job was deleted.
func (w *Worker) cancelLocked(name string, deleted bool) {
	for s := range w.shards {
		if s.view.job.Name != name {
			continue
		}
		s.canceled.Store(true)
		if deleted {
			s.end(ErrCanceled)
		}
	}
}

// changed wakes a waiting Claim.
func (w *Worker) changed() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// Claim returns a shard that no other worker has, and waits until there is one. It returns
// io.EOF when every shard of the worker's job is finished.
func (w *Worker) Claim(ctx context.Context) (*Shard, error) {
	w.claiming.Lock()
	defer w.claiming.Unlock()
	if s := w.next; s != nil {
		w.next = nil
		return s, nil
	}
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		s, err := w.claimAny(ctx)
		if s != nil || err != nil {
			return s, err
		}
		timer.Reset(claimTime)
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-w.ctx.Done():
			return nil, ErrLost
		case <-w.wake:
		case <-timer.C:
		}
	}
}

// claimAny claims a site, first from the job that this worker crawls the fewest sites of.
// It returns nil when no site waits.
func (w *Worker) claimAny(ctx context.Context) (*Shard, error) {
	worker, held := w.lease.held()
	if !held {
		return nil, nil
	}
	for _, v := range w.openViews(ctx) {
		if s := w.claimOf(ctx, v, worker); s != nil {
			return s, nil
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if done, err := v.isDone(ctx); err == nil && done {
			w.finish(ctx, v)
		}
	}
	return nil, w.ended(ctx)
}

// claimOf claims a site of a job. It returns nil when none waits, and when one cannot be
// claimed.
func (w *Worker) claimOf(ctx context.Context, v *jobView, worker string) *Shard {
	if w.isInTrouble(v.job.Name) {
		return nil
	}
	isFree := w.freeGroups(v, worker)
	for range claimTries {
		group, state, ok := v.claimable(isFree)
		if !ok || ctx.Err() != nil {
			return nil
		}
		s, err := w.claim(ctx, v, group, state, worker)
		if err == nil {
			w.noteSuccess(v.job.Name)
			return s
		}
		if !isRival(err) {
			w.noteTrouble(ctx, &v.job, err)
			return nil
		}
	}
	return nil
}

// claimTries is how many groups of a job are tried in a row: others claim them too.
const claimTries = 16

// freeGroups returns what reports whether this worker may claim a group that it does not have:
// nobody has it, its owner is gone, or it belongs to this worker. That happens when the
// servers do not answer a claim that took place, or at the end of a shard.
func (w *Worker) freeGroups(v *jobView, worker string) func(group int, owner string) bool {
	has := map[int]bool{}
	for _, s := range w.held() {
		if s.view.job.Name == v.job.Name {
			has[s.group] = true
		}
	}
	return func(group int, owner string) bool {
		return !has[group] && (owner == "" || owner == worker || w.peers.isGone(owner))
	}
}

// ended returns io.EOF when the only job of the worker has ended.
func (w *Worker) ended(ctx context.Context) error {
	if w.options.Job == "" {
		return nil
	}
	e, err := within(ctx, func(ctx context.Context) (entry, error) {
		return w.servers.jobs().get(ctx, jobKey(w.options.Job))
	})
	if err != nil {
		return nil // the next attempt finds out
	}
	job, err := decodeJob(e)
	if err != nil || job.State != JobRunning {
		return io.EOF
	}
	return nil
}

// finish records that a job is done.
func (w *Worker) finish(ctx context.Context, v *jobView) {
	w.endJob(ctx, &v.job, JobDone, "")
}

// endJob ends a running job. When another worker was first, its change arrives.
func (w *Worker) endJob(ctx context.Context, job *Job, state JobState, failure string) {
	w.mutex.Lock()
	known, running := w.known[job.Name] // of a later revision than when it was opened
	w.mutex.Unlock()
	if running && known.Submission == job.Submission {
		known.State, known.Failure = state, failure
		_ = putJob(ctx, w.servers, &known) // the next attempt finds out
	}
}

// openViews returns the running jobs, those first that this worker crawls the fewest sites
// of.
func (w *Worker) openViews(ctx context.Context) []*jobView {
	w.mutex.Lock()
	var missing []Job
	for name, job := range w.known {
		if w.views[name] == nil {
			missing = append(missing, job)
		}
	}
	w.mutex.Unlock()
	for _, job := range missing {
		if !w.isInTrouble(job.Name) {
			w.openView(ctx, job)
		}
	}
	views := w.openedViews()
	w.mutex.Lock()
	defer w.mutex.Unlock()
	held := map[*jobView]int{}
	for s := range w.shards {
		held[s.view]++
	}
	slices.SortFunc(views, func(a, b *jobView) int {
		return cmp.Or(held[a]-held[b], a.job.Created.Compare(b.job.Created), cmp.Compare(a.job.Name, b.job.Name))
	})
	return views
}

// openedViews returns the running jobs that were opened.
func (w *Worker) openedViews() []*jobView {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return slices.Collect(maps.Values(w.views))
}

// openView opens a job. When that fails, a later search tries again.
func (w *Worker) openView(ctx context.Context, job Job) {
	opening, cancel := context.WithTimeout(ctx, openTime)
	defer cancel()
	s, states, err := openJournal(opening, w.servers, job.journal())
	var sites []Site
	if err == nil {
		sites, err = readSites(opening, s, &job)
	}
	var v *jobView
	if err == nil {
		v = newView(job, s, states, sites, w.changed, w.notice)
		err = awaitWatch(opening, "reading the states of sites", v.watch(w.ctx))
	}
	if err != nil {
		if v != nil {
			v.stop()
		}
		w.noteTrouble(ctx, &job, err)
		return
	}
	w.noteSuccess(job.Name)
	id, _ := w.lease.held()
	v.next = startGroup(id, len(v.groups))
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if _, running := w.known[job.Name]; !running {
		v.stop()
		return
	}
	w.views[job.Name] = v
}

// startGroup returns where a worker begins to search, so that workers do not all try the
// same groups.
func startGroup(worker string, groups int) int {
	sum := 0
	for _, c := range []byte(worker) {
		sum = sum*31 + int(c)
	}
	return int(uint(sum) % uint(max(groups, 1)))
}

func (w *Worker) notice(text string) {
	if w.options.OnNotice != nil {
		w.options.OnNotice(text)
	}
}

// noteSite lets the notes of shards be stored soon.
func (w *Worker) noteSite() {
	select {
	case w.noted <- struct{}{}:
	default:
	}
}

// reportOn updates what the lease says about the sites that are crawled.
func (w *Worker) reportOn() {
	ticker := time.NewTicker(renewTime / 2)
	defer ticker.Stop()
	for {
		select {
		case <-w.ctx.Done():
			return
		case <-w.noted:
		case <-ticker.C:
		}
		for _, s := range w.held() {
			s.keepNotes(w.ctx)
		}
		w.share(w.ctx)
		report := w.Report()
		w.lease.mutex.Lock()
		w.lease.report = report
		w.lease.mutex.Unlock()
	}
}

// held returns the shards of the worker.
func (w *Worker) held() []*Shard {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return slices.Collect(maps.Keys(w.shards))
}

// Healthy reports whether the worker has a lease, without which it requests nothing.
func (w *Worker) Healthy() bool {
	_, held := w.lease.held()
	return held
}

// Report returns what the worker has done and does.
func (w *Worker) Report() WorkerReport {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	report := WorkerReport{Name: w.options.Name, Pages: w.pages}
	for s := range w.shards {
		site := s.report()
		report.Pages += site.Pages
		report.Sites = append(report.Sites, site)
	}
	return report
}
