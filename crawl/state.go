package crawl

import (
	"errors"
	"sync"
	"time"

	"github.com/mapatools/mapa/internal/bitset"
	"github.com/mapatools/mapa/internal/fetch"
)

const (
	maxUnsaved  = 500 // pages that a kill may cost
	commitPages = maxUnsaved / 2
)

// state is what changes during a run. The mutex protects every field below it.
// Methods that need the lock end in Locked. A page needs it twice: recordContent
// asks whether its text is new, and settle records the result.
type state struct {
	*site
	began time.Time

	mutex       sync.Mutex
	wake        *sync.Cond    // when takeItem may have to look again
	ended       chan struct{} // closed when stopped is set
	seen        *seenSet
	trapCounts  *trapCounter
	parameters  *parameterCounter
	urls        normalizer // for parameters
	months      *monthCounter
	pages       levels                 // pages of the site
	earlier     earlierURLs            // of Options.Previous
	later       [variantRanks]frontier // of them, those with a parameter that canonicals drop
	checks      checkQueue             // assets and other sites
	nofollowed  bitset.Set[ID]         // URLs that only nofollow links lead to, so far
	provisional bitset.Set[ID]         // URLs that only links which are not followed lead to, so far
	redirects   map[ID]redirect        // for loops
	landing     ID                     // the start page, or the page that it redirects to
	lastID      ID                     // of the newest URL
	inFlight    int                    // items that workers have taken and not settled
	first       int                    // of them, pages that are not of later
	requested   int                    // pages taken, for Limits.Pages
	outage      outage                 // pages without an answer
	looks       lookList               // pages with a fault that another request has to confirm
	delay       time.Duration          // Crawl-delay of the site, until noticeDelay has reported it
	seedSources []SeedSource           // by ID, while seeding
	seeded      bool                   // an earlier run took in all seeds
	asking      bool                   // all else is done: see askVanished
	stopped     bool                   // workers take nothing more
	failed      error                  // why the crawl failed
	pending     batch                  // results that are not sent to the store yet
	writing     int                    // pages in batches that the store has not confirmed
	writingSize int                    // bytes of these batches
	received    int64                  // bytes of bodies in this run
	expanded    int64                  // bytes in files; see expansionOf
	largePages  chan struct{}          // a place for each large page; see maxLargePages
	largeBodies *fetch.LargeBodies
	workers     workerPool
	tally       Progress

	// For Options.Renderer.

	renders         chan struct{} // a place for each page in the browser
	trials          trialTable
	renderedMissing missingPages
	tolerated       map[Detail]bool // failed requests, by their details, of pages that have content all the same
	renderTransport *renderTransport
	left            int              // pages that wait for the next run
	unrendered      *UnrenderedError // why; nil unless some do
}

func newState(s *site) *state {
	c := &state{
		site:        s,
		began:       time.Now(),
		seen:        &seenSet{},
		trapCounts:  newTrapCounter(s.options.Traps),
		parameters:  newParameterCounter(s.options.Traps.Canonical),
		urls:        normalizer{site: s},
		months:      newMonthCounter(s.options.Traps.Months),
		redirects:   map[ID]redirect{},
		landing:     startID,
		tolerated:   map[Detail]bool{},
		pages:       levels{folder: s.options.TempDir, limit: s.options.Limits.Depth},
		ended:       make(chan struct{}),
		checks:      newCheckQueue(s.options.TempDir, checksPerHost(s.options.Concurrency)),
		largePages:  make(chan struct{}, maxLargePages),
		largeBodies: fetch.NewLargeBodies(maxLargeBodies),
	}
	for i := range c.later {
		c.later[i].disk.folder = s.options.TempDir
	}
	if s.options.Renderer != nil {
		c.renders = make(chan struct{}, rendersAtOnce())
		c.renderedMissing.start = s.hosts.start
		c.renderTransport = newRenderTransport(s)
	}
	c.wake = sync.NewCond(&c.mutex)
	c.workers = newWorkerPool(c)
	return c
}

// takeItem returns the next page, or the next URL that is only checked, and waits for one if
// other workers may find more. It reports false when there will be none.
func (s *state) takeItem(isPage bool) (item, bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for {
		if s.stopped {
			return item{}, false
		}
		limited := s.options.Limits.Pages > 0 && s.requested >= s.options.Limits.Pages
		if isPage && s.hasRoomLocked() {
			now := time.Now()
			if limited {
				s.outage.retries.begin(now, now.Sub(s.began))
			}
			if next, ok := s.outage.retries.take(now); ok {
				s.beginLocked(&next)
				return next, true
			}
		}
		if limited && isPage && s.waitingLocked() > 0 {
			s.reachLimitLocked(LimitPages)
			return item{}, false
		}
		if s.hasRoomLocked() {
			next, ok, err := s.popLocked(isPage)
			if err != nil {
				s.failLocked(err)
				return item{}, false
			}
			if ok {
				s.beginLocked(&next)
				if next.role == RolePage {
					s.requested++
				}
				return next, true
			}
		}
		if s.inFlight == 0 && s.waitingLocked() == 0 && s.checks.count() == 0 && !s.outage.retries.waits() {
			s.wake.Broadcast() // the others end too
			return item{}, false
		}
		s.wake.Wait()
	}
}

// hasRoomLocked reports whether another item may be taken: not while the site may be
// down, nor while too many results are unsaved.
func (s *state) hasRoomLocked() bool {
	return !s.outage.probing && s.fitsLocked() &&
		s.inFlight+len(s.pending.Done)+s.writing+len(s.outage.unanswered) < maxUnsaved
}

// popLocked removes the next item. Pages with a parameter that canonicals drop are next when
// no other is left, nor in flight.
func (s *state) popLocked(isPage bool) (item, bool, error) {
	if !isPage {
		return s.checks.pop()
	}
	for {
		next, ok, err := s.pages.pop(s.first == 0)
		switch {
		case err != nil:
			return next, ok, err
		case !ok && s.first == 0:
			return s.popLaterLocked()
		case !ok || !s.parameters.isDropped(next.url):
			return next, ok, nil
		}
		s.offerLocked(&next)
		rank := s.parameters.rank(next.url, s.withoutLocked(next.url))
		if err := s.later[rank].push(next); err != nil {
			return item{}, false, err
		}
	}
}

// popLaterLocked removes the next page with a parameter that canonicals drop.
func (s *state) popLaterLocked() (item, bool, error) {
	for rank := range s.later {
		if next, ok, err := s.later[rank].pop(); ok || err != nil {
			next.isLater, next.isFirst = true, rank == rankFirst
			return next, ok, err
		}
	}
	return item{}, false, nil
}

// offerLocked notes that a page without a parameter that canonicals drop links to the URL of
// an item, which has one. What the URL is without it is known then.
func (s *state) offerLocked(i *item) {
	if !i.isDependent {
		s.parameters.offer(s.withoutLocked(i.url))
	}
}

// withoutLocked returns what a URL is without the parameters that canonicals drop.
func (s *state) withoutLocked(address string) fingerprint {
	return s.urls.key([]byte(s.parameters.without(address)))
}

// beginLocked counts an item that a worker takes.
func (s *state) beginLocked(i *item) { s.countInFlightLocked(i, 1) }

// endLocked counts an item that is settled or given back.
func (s *state) endLocked(i *item) {
	s.countInFlightLocked(i, -1)
	if i.host != nil {
		s.checks.end(i.host)
	}
}

func (s *state) countInFlightLocked(i *item, n int) {
	s.inFlight += n
	if i.role == RolePage && !i.isLater {
		s.first += n
	}
}

// waitingLocked returns how many pages wait to be fetched.
func (s *state) waitingLocked() int {
	n := s.pages.count
	for i := range s.later {
		n += s.later[i].count
	}
	return n
}

// abandonItem gives back an item that was interrupted. The next run fetches it.
func (s *state) abandonItem(i *item) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.endLocked(i)
	s.wake.Broadcast()
}

// queueLocked adds an item to the queue of its role.
func (s *state) queueLocked(i item) {
	push := s.pages.push
	if i.role != RolePage {
		push = s.checks.push
	}
	if err := push(i); err != nil {
		s.failLocked(err)
	}
}

// finishPageLocked adds the page of an item to the pending batch.
func (s *state) finishPageLocked(i *item, page *Page) {
	applyRules(s.options.Checks.Policy, i.url, page)
	s.tally.countRequest(page)
	if !i.isEarlier {
		s.tally.countResult(page)
	}
	s.received += page.Size
	if i.role == RolePage && !page.skipped() && !i.isEarlier {
		s.tally.Pages++
	}
	s.pending.Done = append(s.pending.Done, *page)
	s.pending.size += page.weight()
	if limit := s.options.Limits.Bytes; limit > 0 && s.tally.Bytes >= limit {
		s.reachLimitLocked(LimitBytes)
	}
}

// recordLinkLocked adds a new or changed URL to the pending batch.
func (s *state) recordLinkLocked(link Link) {
	s.pending.Found = append(s.pending.Found, link)
	s.pending.size += link.weight()
}

// fitsLocked reports whether another result may wait for the store.
func (s *state) fitsLocked() bool { return s.pending.size+s.writingSize < maxUnsavedBytes }

// awaitStoreLocked waits until another result may wait for the store.
func (s *state) awaitStoreLocked() {
	for !s.fitsLocked() {
		s.wake.Wait()
	}
}

// stop lets the workers finish what they have taken.
func (s *state) stop() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.stopLocked()
}

func (s *state) stopLocked() {
	if !s.stopped {
		s.stopped = true
		close(s.ended)
	}
	s.wake.Broadcast()
}

// reachLimit ends the crawl at a limit. A limit that is reached while only old URLs are asked does
// not make the crawl less complete.
func (s *state) reachLimit(limit string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.reachLimitLocked(limit)
}

func (s *state) reachLimitLocked(limit string) {
	if s.stopped {
		return
	}
	if !s.asking {
		s.tally.Limit = limit
	}
	s.stopLocked()
}

// fail ends the crawl with an error. The first one counts.
func (s *state) fail(err error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.failLocked(err)
}

func (s *state) failLocked(err error) {
	if s.failed == nil {
		s.failed = err
	}
	s.stopLocked()
}

// progress returns a snapshot.
func (s *state) progress() Progress {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	p := s.tally
	p.Found = int(s.lastID)
	p.Waiting = s.waitingLocked() + s.checks.count() + len(s.outage.unanswered) + s.outage.retries.count() + s.left
	if s.outage.detected {
		p.Unanswered = len(s.outage.unanswered)
	}
	p.Elapsed = time.Since(s.began)
	return p
}

// close removes the files of the queues.
func (s *state) close() error {
	s.renderTransport.close()
	err := errors.Join(s.pages.close(), s.checks.close())
	for i := range s.later {
		err = errors.Join(err, s.later[i].disk.close())
	}
	return err
}
