package journal

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"time"

	"github.com/mapatools/mapa/crawl"
)

const (
	// answerTime is how long one request to the servers may take.
	answerTime = 5 * time.Second
	// firstPause is the pause after a failed request, which doubles up to maxPause.
	firstPause = 100 * time.Millisecond
	maxPause   = 5 * time.Second
)

// logWriter appends to the log of a group that this worker owns.
type logWriter struct {
	stream  stream
	subject string
	last    uint64          // sequence of the last record
	owner   uint32          // in the nonces of all records since the takeover
	number  uint32          // of the next record since then, in its nonce
	before  uint64          // nonce of the last record
	onFull  func(full bool) // called when appending waits for room, and when it need not any more
	onStuck func()          // called when the servers refuse to continue what they have
	onCut   func()          // called when the servers have lost records of the log
}

// ErrCut means that the servers have lost records that they had acknowledged, as by a power
// cut without sync_interval.
var ErrCut = errors.New("the servers have lost records that they had stored")

// stuckTries is after how many refusals in a row, while nobody else has appended, the
// servers are taken to be inconsistent. Version 2.9.10 is after it has refused a message of
// the subject for lack of room, until it is started again. The tries take longer than a
// leader needs to notice that it is cut off, which may refuse everything until then.
const stuckTries = 12

// takeOver makes a worker the only one that can append to a log. lost reports whether the
// worker should rather give up.
func takeOver(ctx context.Context, w *logWriter, worker string, lost func() error) error {
	w.owner = rand.Uint32N(math.MaxUint32) + 1 // a nonce is not 0
	for wait := (pause{}); ; {
		if err := lost(); err != nil {
			return err
		}
		last, err := within(ctx, func(ctx context.Context) (message, error) { return w.stream.last(ctx, w.subject) })
		if err == nil {
			w.last, w.before = last.sequence, nonceOf(last.data)
			err = w.append(ctx, &record{kind: kindTakeover, body: []byte(worker)})
			if !errors.Is(err, crawl.ErrLost) { // otherwise the owner before appended in between
				return err
			}
		}
		if err := wait.sleep(ctx); err != nil {
			return err
		}
	}
}

// append appends a record. It tries until it is known that the record is in the log, or
// that another worker owns the log now: then the error is [crawl.ErrLost].
func (w *logWriter) append(ctx context.Context, r *record) error {
	r.nonce, r.after = uint64(w.owner)<<32|uint64(w.number), w.before
	w.number++
	data := r.encode()
	full, conflicts := false, 0
	for wait := (pause{}); ; {
		sequence, err := within(ctx, func(ctx context.Context) (uint64, error) {
			return w.stream.publish(ctx, w.subject, data, w.last)
		})
		if full && !errors.Is(err, errFull) {
			full = false
			w.onFull(full)
		}
		if err == nil {
			w.last, w.before = sequence, r.nonce
			return nil
		}
		if errors.Is(err, errFull) {
			if !full && w.onFull != nil {
				full = true
				w.onFull(full)
			}
		} else if found, err := w.find(ctx, r.nonce); found || err != nil {
			return err
		}
		if errors.Is(err, errConflict) {
			if isCut(ctx, w.stream, w.subject, w.last) {
				w.onCut()
				return crawl.ErrLost // whoever has the site next goes on from what is there
			}
			if conflicts++; conflicts == stuckTries && w.onStuck != nil {
				w.onStuck()
			}
		}
		if err := wait.sleep(ctx); err != nil {
			return err
		}
	}
}

// isCut reports whether a log is known to end before a sequence that it had.
func isCut(ctx context.Context, s stream, subject string, had uint64) bool {
	last, err := within(ctx, func(ctx context.Context) (message, error) { return s.last(ctx, subject) })
	return err == nil && last.sequence < had
}

// find reports whether the record with a nonce is in the log, after it is not known whether
// it was appended. It returns [crawl.ErrLost] when another worker has taken over since.
// What else was appended counts for nobody, see [logFilter].
func (w *logWriter) find(ctx context.Context, nonce uint64) (bool, error) {
	for {
		next, err := within(ctx, func(ctx context.Context) (message, error) {
			return w.stream.next(ctx, w.subject, w.last)
		})
		if err != nil || next.sequence == 0 {
			return false, nil // the next attempt finds out
		}
		r, err := decodeRecord(next.data)
		if err != nil {
			return false, err
		}
		if r.kind == kindTakeover && uint32(r.nonce>>32) != w.owner {
			return false, crawl.ErrLost
		}
		w.last = next.sequence
		if r.nonce == nonce {
			w.before = nonce
			return true, nil
		}
	}
}

// nonceOf returns the nonce of the record in a message, 0 when there is none to read.
func nonceOf(data []byte) uint64 {
	r, err := decodeRecord(data)
	if err != nil {
		return 0
	}
	return r.nonce
}

// A logFilter leaves out records that do not count, and notices that records are missing.
// Servers may append several messages that name the same one before them, when these were
// on their way at the same time: an attempt that seemed to fail and the one after it, or
// the last record of an owner and the takeover by the next one. And a server that takes
// over from another may lack messages in the middle, which were acknowledged.
type logFilter struct {
	isPart bool // of a log, which begins with a takeover
	owner  uint32
	owners map[uint32]bool // until now
	seen   map[uint64]bool // records, by nonce
}

// counts reports whether the next record of a log counts, and whether records before it are
// missing.
func (f *logFilter) counts(r *record) (counts, afterGap bool) {
	if f.seen == nil {
		f.seen, f.owners = map[uint64]bool{}, map[uint32]bool{}
	}
	isRepeated, isFirst := f.seen[r.nonce], len(f.seen) == 0
	f.seen[r.nonce] = true
	owner := uint32(r.nonce >> 32)
	if r.kind == kindTakeover || !f.owners[owner] { // or its takeover is missing
		f.owner, f.owners[owner] = owner, true
	}
	if owner != f.owner || isRepeated {
		return false, false
	}
	switch {
	case isFirst && f.isPart:
		return true, r.kind != kindTakeover
	case isFirst:
		return true, r.after != 0
	}
	return true, !f.seen[r.after]
}

// readLog calls each with the records of a log after a sequence, where an owner takes
// over, and up to another one, in order. afterGap says that records before it are missing.
// It returns ErrCut when the last one is.
func readLog(
	ctx context.Context, s stream, subject string, from, to uint64, each func(r *record, afterGap bool) error,
) error {
	if from > to {
		return ErrCut
	}
	wait, filter := pause{}, logFilter{isPart: from > 0}
	for at := from; at < to; {
		m, err := within(ctx, func(ctx context.Context) (message, error) { return s.next(ctx, subject, at) })
		if err == nil && m.sequence == 0 && isCut(ctx, s, subject, to) {
			return ErrCut
		}
		if errors.Is(err, ErrNoJob) {
			return err
		}
		if err != nil || m.sequence == 0 { // a server that has not caught up
			if err := wait.sleep(ctx); err != nil {
				return err
			}
			continue
		}
		if m.sequence > to {
			return ErrCut
		}
		wait = pause{}
		at = m.sequence
		r, err := decodeRecord(m.data)
		if err != nil {
			return err
		}
		if counts, afterGap := filter.counts(&r); counts {
			if err := each(&r, afterGap); err != nil {
				return err
			}
		}
	}
	return nil
}

// within makes one request, which may take answerTime.
func within[T any](ctx context.Context, request func(context.Context) (T, error)) (T, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	return request(ctx)
}

// electionTime is how long the servers may be without a leader before what needs one is
// given up.
const electionTime = 30 * time.Second

// retryUnanswered calls try again, for up to electionTime, while the servers do not answer, for
// example because they elect a leader.
func retryUnanswered(ctx context.Context, try func(context.Context) error) error {
	end := time.Now().Add(electionTime)
	for wait := (pause{}); ; {
		err := try(ctx)
		if err == nil || !IsUnanswered(err) || ctx.Err() != nil || time.Now().After(end) {
			return err
		}
		if err := wait.sleep(ctx); err != nil {
			return err
		}
	}
}

// pause is the growing wait between the attempts of a request.
type pause struct{ next time.Duration }

// sleep returns the cause of ctx when it ends first.
func (p *pause) sleep(ctx context.Context) error {
	p.next = min(max(2*p.next, firstPause), maxPause)
	timer := time.NewTimer(p.next/2 + rand.N(p.next/2))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
