package journal

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"time"
)

// logWriter appends to the log of a group that this worker owns.
type logWriter struct {
	stream  stream
	subject string
	last    uint64 // sequence of the last record
	owner   uint32 // in the nonces of all records since the takeover
	number  uint32 // of the next record since then, in its nonce
	before  uint64 // nonce of the last record
	notices logNotices
}

// ErrCut means that the servers have lost records that they had acknowledged, as by a power
// cut without sync_interval.
var ErrCut = errors.New("the servers have lost records that they had stored")

// stuckTries is after how many refusals in a row, while nobody else has appended, the
// servers are taken to be inconsistent. Version 2.9.10 is after it has refused a message of
// the subject for lack of room, until it is started again. The tries take longer than a
// leader needs to notice that it is cut off, which may refuse everything until then.
const stuckTries = 12

const (
	// takeOverTries is how many attempts to take a log over may fail: other logs wait too.
	takeOverTries = 3
	// takeOverTime is how long one of them may take to append its record.
	takeOverTime = 2 * answerTime
)

// takeOver makes a worker the only one that can append to a log. lost reports whether the
// worker should rather give up.
func takeOver(ctx context.Context, w *logWriter, worker string, lost func() error) error {
	wait, failed := pause{}, 0
	for {
		if err := lost(); err != nil {
			return err
		}
		err := w.takeOverOnce(ctx, worker)
		if err == nil {
			return nil
		}
		if !errors.Is(err, ErrLost) { // otherwise the owner before appended in between
			failed++
		}
		if failed == takeOverTries || !errors.Is(err, ErrLost) && !IsUnanswered(err) {
			return err
		}
		if err := wait.sleep(ctx); err != nil {
			return err
		}
	}
}

// takeOverOnce makes one attempt to take a log over, as an owner of its own: when the record of
// the attempt before is stored late, this one has to begin again after it.
func (w *logWriter) takeOverOnce(ctx context.Context, worker string) error {
	w.owner = rand.Uint32N(math.MaxUint32) + 1 // a nonce is not 0
	last, err := within(ctx, func(ctx context.Context) (message, error) { return w.stream.last(ctx, w.subject) })
	if err != nil {
		return err
	}
	w.last = last.sequence
	if w.before, err = lastNonce(ctx, w.stream, w.subject, last); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, takeOverTime)
	defer cancel()
	return w.append(ctx, &record{kind: kindTakeover, body: []byte(worker)})
}

// lastNonce returns the nonce of the last record of a log up to its last message, 0 when
// there is none. When somebody else has appended another message, it reads the whole log.
func lastNonce(ctx context.Context, s stream, subject string, last message) (nonce uint64, err error) {
	if r, err := decodeRecord(last.data); err == nil || last.sequence == 0 {
		return r.nonce, nil
	}
	for at := uint64(0); at < last.sequence; {
		m, err := within(ctx, func(ctx context.Context) (message, error) { return s.next(ctx, subject, at) })
		if err != nil || m.sequence == 0 {
			return nonce, err
		}
		at = m.sequence
		if r, err := decodeRecord(m.data); err == nil {
			nonce = r.nonce
		}
	}
	return nonce, nil
}

// append appends a record. It tries until it is known that the record is in the log, or
// that another worker owns the log now: then the error is [ErrLost].
func (w *logWriter) append(ctx context.Context, r *record) (err error) {
	r.nonce, r.after = uint64(w.owner)<<32|uint64(w.number), w.before
	w.number++
	data := r.encode()
	var waits logWaits
	defer func() {
		if err == nil {
			waits.end(w)
		}
	}()
	for wait := (pause{}); ; {
		sequence, err := within(ctx, func(ctx context.Context) (uint64, error) {
			return w.stream.publish(ctx, w.subject, data, w.last)
		})
		if err == nil {
			w.last, w.before = sequence, r.nonce
			return nil
		}
		if !errors.Is(err, errFull) {
			if found, err := w.find(ctx, r.nonce); found || err != nil {
				return err
			}
		}
		if isRefused(err) {
			return err
		}
		if errors.Is(err, errConflict) && isCut(ctx, w.stream, w.subject, w.last) {
			w.notices.cut()
			return ErrLost // whoever has the site next goes on from what is there
		}
		waits.note(w, err)
		if err := wait.sleep(ctx); err != nil {
			return err
		}
	}
}

// logNotices are called for people who wonder why a log does not grow.
type logNotices struct {
	full  func(full bool)  // appending waits for room, and need not any more
	stuck func()           // the servers refuse to continue what they have
	cut   func()           // the servers have lost records of the log
	mute  func(last error) // they have not answered for some time, and nil when they do
}

// muteTime is how long the servers may leave a log unanswered before that is reported. When
// they answer nothing at all, the worker loses its lease earlier.
const muteTime = leaseTime

// logWaits is why appending a record has waited until now.
type logWaits struct {
	full, mute bool
	conflicts  int
	begun      time.Time
}

// note reports an attempt that has failed.
func (l *logWaits) note(w *logWriter, err error) {
	if l.begun.IsZero() {
		l.begun = time.Now()
	}
	switch {
	case errors.Is(err, errFull):
		if !l.full {
			l.full = true
			w.notices.full(true)
		}
	case errors.Is(err, errConflict):
		if l.conflicts++; l.conflicts == stuckTries {
			w.notices.stuck()
		}
	case !l.mute && time.Since(l.begun) > muteTime:
		l.mute = true
		w.notices.mute(err)
	}
}

// end reports that appending waits no more.
func (l *logWaits) end(w *logWriter) {
	if l.full {
		w.notices.full(false)
	}
	if l.mute {
		w.notices.mute(nil)
	}
}

// isCut reports whether a log is known to end before a sequence that it had.
func isCut(ctx context.Context, s stream, subject string, had uint64) bool {
	last, err := within(ctx, func(ctx context.Context) (message, error) { return s.last(ctx, subject) })
	return err == nil && last.sequence < had
}

// find reports whether the record with a nonce is in the log, after it is not known whether
// it was appended. It returns [ErrLost] when another worker has taken over since.
// What else was appended counts for nobody, see [logFilter].
func (w *logWriter) find(ctx context.Context, nonce uint64) (bool, error) {
	for {
		next, err := within(ctx, func(ctx context.Context) (message, error) {
			return w.stream.next(ctx, w.subject, w.last)
		})
		if errors.Is(err, errGone) {
			return false, err
		}
		if err != nil || next.sequence == 0 {
			return false, nil // the next attempt finds out
		}
		r, err := decodeRecord(next.data)
		if err == nil && r.kind == kindTakeover && uint32(r.nonce>>32) != w.owner {
			return false, ErrLost
		}
		w.last = next.sequence
		if err == nil && r.nonce == nonce {
			w.before = nonce
			return true, nil
		}
	}
}

// A logFilter leaves out records that do not count, and notices that records are missing.
// Servers may append several messages that name the same one before them, when these were
// on their way at the same time: an attempt that seemed to fail and the one after it, or
// the last record of an owner and the takeover by the next one. And a server that takes
// over from another may lack messages in the middle, which were acknowledged. What is no
// record at all does not count either: it was appended by somebody else.
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
	filter := logFilter{isPart: from > 0}
	for at := from; at < to; {
		m, err := nextOf(ctx, s, subject, at, to)
		if err != nil {
			return err
		}
		at = m.sequence
		r, err := decodeRecord(m.data)
		if err != nil {
			continue
		}
		if counts, afterGap := filter.counts(&r); counts {
			if err := each(&r, afterGap); err != nil {
				return err
			}
		}
	}
	return nil
}

// nextOf returns the first message of a log after a sequence, which is at most to. It waits
// for a server that has not caught up. The error is ErrCut when the servers have lost it.
func nextOf(ctx context.Context, s stream, subject string, at, to uint64) (message, error) {
	ctx, cancel := operation(ctx)
	defer cancel()
	for wait := (pause{}); ; {
		m, err := answered(ctx, "reading the log of a site", func(ctx context.Context) (message, error) {
			return s.next(ctx, subject, at)
		})
		switch {
		case err != nil:
			return m, err
		case m.sequence > to, m.sequence == 0 && isCut(ctx, s, subject, to):
			return m, ErrCut
		case m.sequence > 0:
			return m, nil
		}
		if wait.sleep(ctx) != nil {
			return m, unansweredError(ctx, "reading the log of a site", context.DeadlineExceeded)
		}
	}
}
