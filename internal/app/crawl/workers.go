package crawl

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/addresses"
	"github.com/mapatools/mapa/internal/journal"
)

// Workers crawl sites for this process. Each crawl is a job of its own, which goes on
// while this process does not run. The methods may be called by several goroutines.
type Workers struct {
	cluster *journal.Cluster
}

// ConnectWorkers connects to the servers through which workers share crawls.
func ConnectWorkers(ctx context.Context, a *app.App, s *NATSSettings) (*Workers, error) {
	cluster, err := s.Connect(ctx, a)
	if err != nil {
		return nil, err
	}
	return &Workers{cluster}, nil
}

// Close closes the connection. The crawls go on.
func (w *Workers) Close() { w.cluster.Close() }

// Hold suspends a crawl until it is crawled again. A crawl that has ended can then go on,
// if it failed or reached its max-time. A crawl that does not exist is not an error.
func (w *Workers) Hold(ctx context.Context, job string) error {
	return classified(unlessMissing(w.cluster.Hold(ctx, job)))
}

// Delete ends a crawl, if it runs, and removes what the servers have of it.
func (w *Workers) Delete(ctx context.Context, job string) error {
	return classified(unlessMissing(w.cluster.Delete(ctx, job)))
}

func unlessMissing(err error) error {
	if errors.Is(err, journal.ErrNoJob) {
		return nil
	}
	return err
}

// A WorkerError says why workers could not crawl a site, in their words.
type WorkerError struct {
	Text  string
	Began bool // pages were fetched before
}

// Error returns the text.
func (e *WorkerError) Error() string { return e.Text }

// Unwrap returns [crawl.ErrStart] when nothing began.
func (e *WorkerError) Unwrap() error {
	if e.Began {
		return nil
	}
	return crawl.ErrStart
}

// ErrNotFollowed means that a crawl on workers cannot be followed now, as when the servers
// do not answer. The crawl may go on, and can be followed later.
var ErrNotFollowed = errors.New("the crawl on the workers cannot be followed")

var errHeld = fmt.Errorf("%w: its job was canceled", ErrNotFollowed)

// classified adds ErrNotFollowed to an error of servers that do not answer.
func classified(err error) error {
	if journal.IsUnanswered(err) {
		return fmt.Errorf("%w: %w", ErrNotFollowed, err)
	}
	return err
}

// Jobs returns the names of the crawls that begin with a prefix.
func (w *Workers) Jobs(ctx context.Context, prefix string) (names []string, err error) {
	all, err := w.cluster.Jobs(ctx)
	for i := range all {
		if strings.HasPrefix(all[i].Name, prefix) {
			names = append(names, all[i].Name)
		}
	}
	return names, err
}

// Crawl is [RunSite] on the workers, under the name of a job. A crawl of that name
// that runs is followed, and one that is held goes on. When the cause of the end of ctx is
// [InterruptConclude], the workers stop and what was found is written; after any other end
// of ctx they go on.
func (w *Workers) Crawl(ctx context.Context, a *app.App, job, address string, s *Settings) (*Result, error) {
	start, err := addresses.ReadStart(address)
	if err != nil {
		return nil, err
	}
	run, err := newRun(a, start, nil, false, s)
	if err != nil {
		return nil, err
	}
	ctx, concluded, end := untilSuspended(ctx)
	defer end()
	proceed := w.cluster.Resume
	if context.Cause(concluded) == InterruptConclude {
		proceed = w.cluster.Cancel
	}
	if err = proceed(ctx, job); errors.Is(err, journal.ErrNoJob) {
		err = w.submit(ctx, a, job, address, s)
	}
	var follow *journal.Follower
	if err == nil {
		follow, err = w.cluster.Follow(ctx, job)
	}
	if err != nil {
		return nil, classified(err)
	}
	defer follow.Close()
	if err := w.watch(ctx, concluded, a, run, follow); err != nil {
		return nil, classified(err)
	}
	a.Emit(app.Ended{})
	return concludeJob(ctx, run, follow)
}

// untilSuspended returns a context that outlives [InterruptConclude], and another one that
// ends with it.
func untilSuspended(ctx context.Context) (lasting, concluded context.Context, end func()) {
	lasting, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		if cause := context.Cause(ctx); cause != InterruptConclude {
			cancel(cause)
		}
	})
	return lasting, ctx, func() { stop(); cancel(nil) }
}

// submit creates the job of a crawl.
func (w *Workers) submit(ctx context.Context, a *app.App, name, address string, s *Settings) error {
	sent := *s
	sent.Output = ""
	if sent.Access.UserAgent == "" {
		sent.Access.UserAgent = a.UserAgent() // it may name this server
	}
	job := journal.Job{Name: name, Program: a.Version}
	sites, err := jobSites(a, []JobSite{{address, &sent}}, &job)
	if err == nil {
		err = w.cluster.Submit(ctx, job, sites)
	}
	if errors.Is(err, journal.ErrJobExists) { // an attempt that seemed to fail
		return nil
	}
	return err
}

// followTime is the time between two looks at a crawl.
const followTime = time.Second

// watch reports the progress of a crawl until it has ended. When it is to be concluded
// earlier, watch stops the workers.
func (w *Workers) watch(
	ctx, concluded context.Context, a *app.App, run *crawlRun, follow *journal.Follower,
) error {
	ticker := time.NewTicker(followTime)
	defer ticker.Stop()
	for last := (crawl.Progress{}); follow.Job().State == journal.JobRunning; {
		if p := follow.Progress(0); p != last {
			last = p
			a.Emit(app.Progress{Progress: p, Total: run.total(&p), DefaultRate: run.defaultRate()})
		}
		select {
		case <-ticker.C:
			continue
		case <-concluded.Done():
		}
		if cause := context.Cause(concluded); cause != InterruptConclude {
			return cause
		}
		return w.cluster.Cancel(ctx, follow.Job().Name)
	}
	if err := follow.Err(); err != nil {
		return err
	}
	if follow.Job().State == journal.JobCanceled && context.Cause(concluded) != InterruptConclude {
		return errHeld
	}
	return nil
}

// concludeJob writes the results of the site of a job that does not run any more.
func concludeJob(ctx context.Context, run *crawlRun, follow *journal.Follower) (*Result, error) {
	ctx, cancel := context.WithTimeout(ctx, concludeTime)
	defer cancel()
	end, err := follow.Stopped(ctx, 0)
	if err != nil {
		return nil, classified(fmt.Errorf("what the workers have stored cannot be read: %w", err))
	}
	j := &siteJournal{job: follow.Job(), follow: follow, end: end, stopped: follow.End(0) == nil}
	result, err := run.collect(ctx, j)
	if !errors.Is(err, errNoResult) {
		return result, err
	}
	if cut := j.cut(); cut != nil {
		return nil, cut
	}
	return nil, &WorkerError{Text: end.Failure, Began: end.Pages > 0}
}
