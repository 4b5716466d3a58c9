package journal

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/mapatools/mapa/crawl"
)

const (
	// leaseTime is how long the lease of a worker must not have changed before others
	// take its sites over. Every worker measures it by its own clock, from when it saw the
	// last change.
	leaseTime = 30 * time.Second
	// renewTime is the time between two renewals.
	renewTime = 5 * time.Second
	// heldTime is the age of the last renewal up to which a worker requests pages. The
	// age counts from before the renewal was sent, so all requests end long before others
	// take over, also those of a process that was stopped and goes on.
	heldTime = leaseTime / 2
	// gapTime is the longest time without a change of any lease after which none was missed:
	// at least one worker, the one that looks, renews its own.
	gapTime = 2 * renewTime
)

// lease is the sign of life of this worker: a key that it renews. When it cannot for
// too long, the worker gives up all that it has and goes on under another ID.
type lease struct {
	bucket bucket

	mutex    sync.Mutex
	id       string
	revision uint64
	renewed  time.Time // when the last renewal that succeeded was sent
	report   WorkerReport
}

// WorkerReport is what a worker says about itself with its lease.
type WorkerReport struct {
	Name  string       `json:"name"` // such as its host's
	Pages int64        `json:"pages"`
	Sites []SiteReport `json:"sites,omitempty"` // that it crawls now
}

// SiteReport is the progress of a site that is being crawled.
type SiteReport struct {
	Job     string `json:"job"`
	Site    int    `json:"site"`
	Pages   int64  `json:"pages"`
	Waiting int64  `json:"waiting"`

	Listed    int64 `json:"listed,omitempty"`
	Broken    int64 `json:"broken,omitempty"`
	Redirects int64 `json:"redirects,omitempty"`
	Blocked   int64 `json:"blocked,omitempty"`
	Requests  int64 `json:"requests,omitempty"`
	Bytes     int64 `json:"bytes,omitempty"`
}

func (r *SiteReport) progress() crawl.Progress {
	return crawl.Progress{
		Pages: int(r.Pages), Waiting: int(r.Waiting), Listed: int(r.Listed), Broken: int(r.Broken),
		Redirects: int(r.Redirects), Blocked: int(r.Blocked), Requests: int(r.Requests), Bytes: r.Bytes,
	}
}

const idLength = 16

// newID returns a name that nothing else has.
func newID() string { return strings.ToLower(rand.Text()[:idLength]) }

// isID reports whether newID may have returned a text.
func isID(text string) bool {
	return len(text) == idLength && strings.Trim(text, "abcdefghijklmnopqrstuvwxyz234567") == ""
}

// held returns the ID of the worker, and false when the lease is too old.
func (l *lease) held() (string, bool) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.id, time.Since(l.renewed) < heldTime
}

// holds returns [ErrLost] unless the worker has a lease under an ID.
func (l *lease) holds(id string) error {
	if current, held := l.held(); !held || current != id {
		return ErrLost
	}
	return nil
}

// begin takes a lease under a new ID.
func (l *lease) begin(ctx context.Context) error {
	l.mutex.Lock()
	l.id, l.revision, l.renewed = newID(), 0, time.Time{}
	l.mutex.Unlock()
	return l.renew(ctx)
}

// start takes the first lease. It tries until the servers answer.
func (l *lease) start(ctx context.Context) error {
	err := l.begin(ctx)
	for wait := (pause{}); IsUnanswered(err) || errors.Is(err, errConflict); err = l.renew(ctx) {
		if wait.sleep(ctx) != nil {
			return unansweredError(ctx, "taking a lease", err)
		}
	}
	return err
}

// renew renews the lease once.
func (l *lease) renew(ctx context.Context) error {
	l.mutex.Lock()
	key, revision, sent := l.id, l.revision, time.Now()
	value, err := json.Marshal(&l.report)
	l.mutex.Unlock()
	if err != nil {
		return err
	}
	revision, err = within(ctx, func(ctx context.Context) (uint64, error) {
		return l.bucket.put(ctx, key, value, revision)
	})
	if errors.Is(err, errConflict) {
		// An attempt before this one succeeded. Nobody else writes the key.
		present, failed := within(ctx, func(ctx context.Context) (entry, error) { return l.bucket.get(ctx, key) })
		if failed == nil {
			l.setRevision(key, present.revision)
		}
	}
	if err != nil {
		return err
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.id == key {
		l.revision, l.renewed = revision, sent
	}
	return nil
}

func (l *lease) setRevision(id string, revision uint64) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.id == id {
		l.revision = revision
	}
}

// keep renews the lease until ctx ends. When the lease is too old, it calls changed with false,
// and begins another one, after which it calls changed with true.
func (l *lease) keep(ctx context.Context, changed func(held bool)) {
	timer := time.NewTimer(renewTime)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		next := renewTime
		if old, held := l.held(); !held {
			changed(false)
			if l.begin(ctx) == nil {
				changed(true)
				_, _ = within(ctx, func(ctx context.Context) (any, error) { return nil, l.drop(ctx, old) })
			} else {
				next = firstPause
			}
		} else if l.renew(ctx) != nil {
			next = time.Second
		}
		timer.Reset(next)
	}
}

// drop removes the lease of an ID under which nothing is requested any more, so that
// nobody waits for it to expire.
func (l *lease) drop(ctx context.Context, id string) error {
	present, err := l.bucket.get(ctx, id)
	if err != nil || present.revision == 0 {
		return err
	}
	return l.bucket.remove(ctx, id, present.revision)
}

// peers is what is known of the leases of all workers.
type peers struct {
	mutex sync.Mutex
	seen  map[string]*peer
	// latest is when the last change was seen, and begin when the first was after which no
	// gap was longer than gapTime.
	begin, latest time.Time
}

type peer struct {
	since   time.Time // when its last change was seen, or when it was first asked for
	dropped bool
	report  WorkerReport
}

// changed records a lease that was added, renewed or removed.
func (p *peers) changed(e entry) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	seen := p.peerLocked(e.key)
	if time.Since(p.latest) > gapTime {
		p.begin = time.Now()
	}
	p.latest = time.Now()
	seen.since, seen.dropped = time.Now(), e.value == nil
	seen.report = WorkerReport{}
	_ = json.Unmarshal(e.value, &seen.report) // a worker of another version may report more
	for id, other := range p.seen {
		if time.Since(other.since) > forgetTime {
			delete(p.seen, id)
		}
	}
}

// forgetTime is how long a worker is remembered after its last sign of life.
const forgetTime = 10 * leaseTime

func (p *peers) peerLocked(id string) *peer {
	if p.seen == nil {
		p.seen = map[string]*peer{}
	}
	if p.seen[id] == nil {
		// A group may be seen before the lease of its owner.
		p.seen[id] = &peer{since: time.Now()}
	}
	return p.seen[id]
}

// isGone reports whether the sites of a worker may be taken over. A worker that sees no
// changes, not even of its own lease, is cut off: it does not know who is gone.
func (p *peers) isGone(id string) bool {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	seen := p.peerLocked(id)
	return seen.dropped || p.latest.Sub(seen.since) >= leaseTime && p.latest.Sub(p.begin) >= leaseTime
}

// areAllGone reports whether no worker has given a sign of life for the time of a lease.
func (p *peers) areAllGone() bool {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return time.Since(p.latest) >= leaseTime
}

// reports returns what the workers that are not gone say about themselves.
func (p *peers) reports() (all []WorkerReport) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	for _, seen := range p.seen {
		if !seen.dropped && time.Since(seen.since) < leaseTime {
			all = append(all, seen.report)
		}
	}
	return all
}
