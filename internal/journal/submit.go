package journal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// ErrSubmitting means that another process submits or deletes a job of the same name.
var ErrSubmitting = errors.New("another process submits or deletes a job of that name")

// A submission makes a job step by step. Every step may be repeated, since a server that
// fails leaves it unknown whether a step took place.
//
// The first step takes the name of the job, in the state JobSubmitting. The last one lets
// workers begin. Both are writes of one key, so a name has one submission. The journal has the
// ID of the submission in its name, so that late requests of others cannot touch it. A
// submission that was cut off leaves the state JobSubmitting: the next one takes the name
// over, and removes the journal that it finds named there.
type submission struct {
	servers servers
	job     Job
	list    [][]byte // the messages with the sites
	ids     []string // of all attempts to take the name; the last one is that of the job
	left    string   // the journal of a submission that was cut off, "" for none
}

// Submit creates a job. Workers begin with it when Submit returns. The error is
// ErrJobExists when there is one of that name.
func (c *Cluster) Submit(ctx context.Context, job Job, sites []Site) error {
	if err := CheckJobName(job.Name); err != nil {
		return err
	}
	list, err := encodeSites(sites)
	if err != nil {
		return err
	}
	job.Created, job.Records, job.Sites = time.Now().UTC(), recordVersion, len(sites)
	ctx, cancel := operation(ctx)
	defer cancel()
	s := submission{servers: c.servers, job: job, list: list}
	for _, step := range []func(context.Context) error{s.takeName, s.removeLeft, s.makeJournal, s.storeList, s.begin} {
		err := step(ctx)
		if errors.Is(err, errGone) {
			return ErrSubmitting
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// takeName takes the name of the job. It is free also when a submission was cut off. Every
// attempt has an ID of its own: after one that was not answered, another submission may have
// taken the name over, and may be about to remove the journal of that ID.
func (s *submission) takeName(ctx context.Context) error {
	return s.put(ctx, "taking the name of the job", JobSubmitting, func(present *Job, exists bool) error {
		if exists && present.State != JobSubmitting {
			return ErrJobExists
		}
		if exists {
			s.left = present.journal()
		}
		s.job.Submission = newID()
		s.ids = append(s.ids, s.job.Submission)
		return nil
	})
}

// removeLeft removes the journal of a submission that was cut off.
func (s *submission) removeLeft(ctx context.Context) error {
	if s.left == "" {
		return nil
	}
	return do(ctx, "removing what an earlier submission has left", func(ctx context.Context) error {
		return s.servers.remove(ctx, s.left)
	})
}

// makeJournal makes the stream and the bucket of the job.
func (s *submission) makeJournal(ctx context.Context) error {
	return do(ctx, "making the stream and the bucket of the job", func(ctx context.Context) error {
		return s.servers.create(ctx, s.job.journal())
	})
}

// begin lets workers begin with the job.
func (s *submission) begin(ctx context.Context) error {
	return s.put(ctx, "starting the job", JobRunning, func(present *Job, exists bool) error {
		switch {
		case !exists:
			return fmt.Errorf("%w: it was deleted while it was submitted", ErrNoJob)
		case present.Submission == s.job.Submission:
			return nil
		case present.State == JobSubmitting:
			return ErrSubmitting
		}
		return ErrJobExists
	})
}

// put stores the job in a state, unless mayReplace returns an error for what is there.
func (s *submission) put(
	ctx context.Context, step string, state JobState, mayReplace func(present *Job, exists bool) error,
) error {
	for wait := (pause{}); ; {
		e, err := getEntry(ctx, s.servers, s.job.Name, step)
		if err != nil {
			return err
		}
		present, err := decodeJob(e)
		if errors.Is(err, ErrDamaged) {
			return err
		}
		exists := err == nil
		isOwn := exists && slices.Contains(s.ids, present.Submission)
		if isOwn && (present.State == state || present.State != JobSubmitting) { // an attempt before succeeded
			s.job.Submission = present.Submission
			return nil
		}
		if err := mayReplace(&present, exists); err != nil {
			return err
		}
		job := s.job
		job.State, job.revision = state, e.revision
		if err = putJob(ctx, s.servers, &job); err == nil {
			return nil
		}
		if !errors.Is(err, errConflict) && !IsUnanswered(err) {
			return err
		}
		if wait.sleep(ctx) != nil {
			return unansweredError(ctx, step, err)
		}
	}
}

// storeList stores the list of sites.
func (s *submission) storeList(ctx context.Context) error {
	log, _, err := openJournal(ctx, s.servers, s.job.journal())
	if err != nil {
		return err
	}
	list := listWriter{stream: log, subject: sitesSubject(s.job.journal())}
	for _, data := range s.list {
		if err := list.append(ctx, data); err != nil {
			return err
		}
	}
	return nil
}

// A listWriter appends the messages of a list of sites.
type listWriter struct {
	stream  stream
	subject string
	last    uint64 // sequence of the last message
	before  []byte // the message
}

// append appends a message. Servers may store it twice when they get a second attempt before
// they have stored the first: readers pass over a message that is repeated.
func (w *listWriter) append(ctx context.Context, data []byte) error {
	const step = "storing the list of sites"
	for wait := (pause{}); ; {
		sequence, err := within(ctx, func(ctx context.Context) (uint64, error) {
			return w.stream.publish(ctx, w.subject, data, w.last)
		})
		if err == nil {
			w.last, w.before = sequence, data
			return nil
		}
		if !errors.Is(err, errConflict) && !IsUnanswered(err) {
			return err
		}
		stored, failed := answered(ctx, step, func(ctx context.Context) (message, error) {
			return w.stream.next(ctx, w.subject, w.last)
		})
		if failed != nil {
			return failed
		}
		if stored.sequence > 0 {
			w.last = stored.sequence
			switch {
			case bytes.Equal(stored.data, data): // an attempt before succeeded
				w.before = data
				return nil
			case !bytes.Equal(stored.data, w.before):
				return fmt.Errorf("%w: its list of sites has something else", ErrDamaged)
			}
		}
		if wait.sleep(ctx) != nil {
			return unansweredError(ctx, step, err)
		}
	}
}

// openJournal opens the stream and the bucket of a journal.
func openJournal(ctx context.Context, s servers, journal string) (log stream, states bucket, err error) {
	err = do(ctx, "opening the job", func(ctx context.Context) (err error) {
		log, states, err = s.open(ctx, journal)
		return err
	})
	return log, states, err
}
