package journal

import (
	"context"
	"errors"
	"time"
)

// trouble is what keeps a worker from the sites of a job. Other jobs go on: such a job is
// tried again only after a pause, which grows.
type trouble struct {
	since   time.Time     // when the first attempt in a row failed
	next    time.Time     // when the next one is made
	pause   time.Duration // until then
	said    string        // the last reason that was reported
	damages int           // attempts that found the job damaged
}

const (
	// openTime is how long opening a job may take. Other jobs wait meanwhile.
	openTime = 30 * time.Second
	// A job is given up after one worker has found it damaged damagedTries times, in
	// damagedTime or longer: servers that were cut off may lack something for a while.
	damagedTime  = leaseTime
	damagedTries = 3
)

// isRival reports whether a site was not claimed since others claim it too.
func isRival(err error) bool {
	return errors.Is(err, errConflict) || errors.Is(err, errHostTaken) || errors.Is(err, ErrLost)
}

// isDamage reports whether an error says that what the servers have of a job is not, or not
// any more, what workers need.
func isDamage(err error) bool {
	return errors.Is(err, ErrDamaged) || isRefused(err)
}

// isInTrouble reports whether a job is not to be tried yet.
func (w *Worker) isInTrouble(job string) bool {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	t := w.troubles[job]
	return t != nil && time.Now().Before(t.next)
}

// noteSuccess notes that a job can be crawled.
func (w *Worker) noteSuccess(job string) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if t := w.troubles[job]; t != nil {
		delete(w.troubles, job)
		if t.said != "" {
			w.notice("job " + job + " goes on")
		}
	}
}

// noteTrouble notes why a job cannot be crawled now, and says so once. A job that stays
// damaged is given up, so that all who wait for it learn the reason.
func (w *Worker) noteTrouble(ctx context.Context, job *Job, err error) {
	if ctx.Err() == nil && w.addTrouble(job.Name, err) {
		w.endJob(ctx, job, JobDamaged, failureText(err))
	}
}

// addTrouble notes the trouble with a job. It reports whether the job is to be given up.
func (w *Worker) addTrouble(job string, err error) (giveUp bool) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	t := w.troubles[job]
	if t == nil {
		t = &trouble{since: time.Now()}
		w.troubles[job] = t
	}
	t.pause = min(max(2*t.pause, claimTime), leaseTime)
	t.next = time.Now().Add(t.pause)
	reason := err.Error()
	if IsUnanswered(err) {
		reason = "the servers do not answer"
	}
	isElection := IsUnanswered(err) && time.Since(t.since) < silentTime
	if reason != t.said && !isElection {
		t.said = reason
		w.notice("job " + job + " waits: " + reason)
	}
	if isDamage(err) {
		t.damages++
	}
	return t.damages >= damagedTries && time.Since(t.since) >= damagedTime
}

// confirm looks at the running jobs now and then until the worker ends: a job may have been
// removed or damaged in a way that no watch hears of.
func (w *Worker) confirm() {
	present, damaged := map[string]*presence{}, map[string]bool{}
	ticker := time.NewTicker(confirmTime)
	defer ticker.Stop()
	for {
		select {
		case <-w.ctx.Done():
			return
		case <-ticker.C:
		}
		for _, job := range w.runningJobs() {
			if present[job.Name] == nil {
				present[job.Name] = &presence{}
			}
			e, known := present[job.Name].look(w.ctx, w.servers, job.Name)
			if known && (e.value == nil || e.revision != job.revision) {
				w.takeJob(e)
				continue
			}
			err := w.tryOpen(w.ctx, job.journal())
			if isDamage(err) && damaged[job.Name] {
				w.endJob(w.ctx, &job, JobDamaged, failureText(err))
			}
			damaged[job.Name] = isDamage(err)
		}
	}
}

// tryOpen returns the error of opening a journal.
func (w *Worker) tryOpen(ctx context.Context, journal string) error {
	_, err := within(ctx, func(ctx context.Context) (any, error) {
		_, _, err := w.servers.open(ctx, journal)
		return nil, err
	})
	return err
}

// runningJobs returns the jobs that this worker crawls.
func (w *Worker) runningJobs() (jobs []Job) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	for _, job := range w.known {
		jobs = append(jobs, job)
	}
	return jobs
}
