package journal

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mapatools/mapa/crawl"
)

const (
	// endTime is how long the last records of a shard may take after it is to end.
	endTime = 20 * time.Second
	// maxTries is how often a site that does not answer is crawled before it counts as
	// ended, and retryTime the time between two attempts.
	maxTries  = 3
	retryTime = 5 * time.Minute
	// maxOffer is how many bytes of URLs one message offers.
	maxOffer = maxMessage
)

// ErrLost means that another worker has taken the shard over. Nothing of the commit is
// kept.
var ErrLost = errors.New("another worker has taken over")

// Shard is one site of a job: the unit of politeness and of ownership. A worker has it until
// Close, or until another worker takes it over. Its methods are called by one goroutine at a
// time, except where they say otherwise.
type Shard struct {
	worker *Worker
	view   *jobView
	id     string // of the worker's lease
	group  int
	site   int
	writer logWriter
	from   uint64        // sequence of the takeover
	spent  time.Duration // by earlier owners
	lock   hostLock

	writing chan struct{} // holds a value while state is written
	state   groupState
	rev     uint64 // of state

	mutex     sync.Mutex
	slowed    float64   // requests a second that the site was slowed down to, 0 when it was not
	postponed time.Time // until when the site asks for a pause

	ctx     context.Context // ends when the shard is lost, with the cause
	end     context.CancelCauseFunc
	offered uint64 // sequence of the last offer that was handed out
	// saidOffer says that an offer was reported as damaged.
	saidOffer bool
	close     sync.Once

	canceled atomic.Bool // nothing more is requested, and what was fetched is stored
	progress atomic.Pointer[crawl.Progress]
}

// claim makes the worker the owner of a group, for one of its sites.
func (w *Worker) claim(
	ctx context.Context, v *jobView, group int, seen groupView, worker string,
) (_ *Shard, err error) {
	s := &Shard{
		worker: w, view: v, id: worker, group: group, state: seen.groupState, writing: make(chan struct{}, 1),
	}
	s.progress.Store(&crawl.Progress{})
	s.site, s.slowed = v.siteOf(group, &s.state), seen.Rate
	s.lock = hostLock{v.job.Name, worker}
	locking, cancel := context.WithTimeout(ctx, lockTime)
	defer cancel()
	if err := w.lockHost(locking, s.host(), s.lock); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			unlocking, cancel := context.WithTimeout(ctx, lockTime)
			defer cancel()
			err = errors.Join(err, w.unlockHost(unlocking, s.host(), s.lock))
		}
	}()
	s.state.Owner = worker
	if err := s.findBeginning(ctx); err != nil {
		return nil, err
	}
	if s.rev, err = s.putState(ctx, seen.revision); err != nil {
		if errors.Is(err, errConflict) {
			v.refresh(ctx, group)
		}
		return nil, err
	}
	s.ctx, s.end = context.WithCancelCause(w.ctx)
	s.writer = logWriter{
		stream: v.stream, subject: logSubject(v.job.journal(), group),
		notices: logNotices{full: s.noticeFull, stuck: s.noticeStuck, cut: s.noticeCut, mute: s.noticeMute},
	}
	err = takeOver(ctx, &s.writer, worker, func() error { return w.lease.holds(worker) })
	if err != nil {
		s.end(err)
		return nil, err
	}
	s.from = s.writer.last
	w.mutex.Lock()
	w.shards[s] = true
	w.mutex.Unlock()
	return s, nil
}

// lockTime is how long the lock of a host may take: meanwhile no other site is claimed.
const lockTime = 2 * answerTime

// findBeginning notes where the records of a site begin that shares its log with others.
func (s *Shard) findBeginning(ctx context.Context) error {
	if !s.view.isShared() {
		return nil
	}
	last, err := within(ctx, func(ctx context.Context) (message, error) {
		return s.view.stream.last(ctx, logSubject(s.view.job.journal(), s.group))
	})
	if err != nil {
		return err
	}
	from := maps.Clone(s.state.From)
	if from == nil {
		from = map[int]uint64{}
	}
	if known, found := from[s.site]; !found {
		from[s.site] = last.sequence
	} else if known > last.sequence {
		from[s.site] = 0 // servers have lost records, and give out their sequences again
	}
	s.state.From = from
	return nil
}

func (s *Shard) host() string { return s.view.sites[s.site].Host }

// putState replaces the state of the group.
func (s *Shard) putState(ctx context.Context, revision uint64) (uint64, error) {
	value, err := json.Marshal(&s.state)
	if err != nil {
		return 0, err
	}
	return within(ctx, func(ctx context.Context) (uint64, error) {
		return s.view.states.put(ctx, groupKey(s.group), value, revision)
	})
}

func (s *Shard) noticeFull(full bool) {
	if full {
		s.worker.notice("the servers are full: job " + s.view.job.Name + " waits until there is room, and loses nothing")
	} else {
		s.worker.notice("the servers have room again: job " + s.view.job.Name + " goes on")
	}
}

func (s *Shard) noticeStuck() {
	s.worker.notice("the servers do not continue the log of " + s.host() + " in job " + s.view.job.Name +
		": start them again, one after the other; nothing is lost")
}

func (s *Shard) noticeCut() {
	s.worker.notice("the servers have lost records of " + s.host() + " in job " + s.view.job.Name +
		": what they had is fetched again")
}

func (s *Shard) noticeMute(last error) {
	if last != nil {
		s.worker.notice("job " + s.view.job.Name + " waits: the servers do not store what was fetched of " + s.host() +
			": " + last.Error())
	} else {
		s.worker.notice("the servers store again what is fetched of " + s.host() + " in job " + s.view.job.Name)
	}
}

// Meta returns the site as the job names it, and the options of its crawl.
func (s *Shard) Meta() crawl.Meta {
	site := &s.view.sites[s.site]
	options := site.Options
	if options == nil {
		options = s.view.job.Options
	}
	return crawl.Meta{Start: site.Start, Options: string(options), Program: s.view.job.Program}
}

// Held returns an error once another worker may have the shard, or the work on it has been
// called off: no request may be sent then. It may be called at any time, by several
// goroutines.
func (s *Shard) Held() error {
	if s.canceled.Load() {
		return ErrCanceled
	}
	return s.owned()
}

// owned returns an error once another worker may have the shard, or its job was deleted:
// nothing is stored then.
func (s *Shard) owned() error {
	if s.ctx.Err() != nil {
		return context.Cause(s.ctx)
	}
	return s.worker.lease.holds(s.id)
}

// Replay hands back what earlier owners appended, in order: begin before the commits of each
// beginning, which replaces what came before it, and each for every commit. A page of it has
// what [crawl.Store].Replay asks for.
func (s *Shard) Replay(ctx context.Context, begin func(crawl.Meta) error, each func(crawl.Commit) error) (err error) {
	ctx, stop := s.until(ctx)
	defer stop()
	s.spent, err = replaySite(
		ctx, s.view.stream, s.writer.subject, s.site, s.state.From[s.site], s.from, begin, each)
	return err
}

// Spent returns how long earlier owners have crawled the shard since it last began or was
// finished, as far as Replay has handed back pages of theirs.
func (s *Shard) Spent() time.Duration { return s.spent }

// until returns a context that also ends when the shard does. It has ended when the shard
// has.
func (s *Shard) until(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	if s.ctx.Err() != nil { // AfterFunc would cancel it a moment later
		cancel(context.Cause(s.ctx))
	}
	stop := context.AfterFunc(s.ctx, func() { cancel(context.Cause(s.ctx)) })
	return ctx, func() { stop(); cancel(nil) }
}

// write appends records, all of them or as many as until another worker takes over.
func (s *Shard) write(ctx context.Context, records ...record) error {
	ctx, stop := s.until(ctx)
	defer stop()
	for i := range records {
		if err := s.writer.append(ctx, &records[i]); err != nil {
			switch {
			case errors.Is(err, ErrLost):
				s.end(ErrLost)
			case errors.Is(err, errGone):
				s.end(ErrCanceled)
			}
			return err
		}
	}
	return nil
}

// Begin discards what was appended. Every shard begins before its first commit, and again
// where its start turns out to be another one.
func (s *Shard) Begin(ctx context.Context, meta crawl.Meta) error {
	body, err := json.Marshal(meta)
	if err != nil {
		return err
	}
	return s.write(ctx, record{kind: kindBegin, site: s.site, body: body})
}

// Append keeps a commit as [crawl.Store].Append does. It returns [ErrLost] when another worker
// owns the shard now.
func (s *Shard) Append(ctx context.Context, c crawl.Commit) error {
	records, err := commitRecords(s.site, &c)
	if err != nil {
		return err
	}
	return s.write(ctx, records...)
}

// Offer gives URLs to the shard of the host that they are on. Those of a host without a shard
// are dropped. They are durable once Offer returns. It can be repeated, and called while
// another method runs.
func (s *Shard) Offer(ctx context.Context, host string, urls []string) error {
	site, found := s.view.byHost[host]
	if !found || site == s.site {
		return nil
	}
	ctx, stop := s.until(ctx)
	defer stop()
	subject := offerSubject(s.view.job.journal(), site)
	for len(urls) > 0 {
		n := fitting(urls)
		if err := s.offer(ctx, subject, encodeOffer(urls[:n])); err != nil {
			return err
		}
		urls = urls[n:]
	}
	return nil
}

// fitting returns how many URLs one message offers: one or more.
func fitting(urls []string) int {
	size := 0
	for i, url := range urls {
		if size += len(url) + binary.MaxVarintLen32; size > maxOffer && i > 0 {
			return i
		}
	}
	return len(urls)
}

// offer publishes until it is known to have succeeded. Its ID makes the servers drop
// what is published twice within their memory; what they do not drop is known to the
// crawl of the site.
func (s *Shard) offer(ctx context.Context, subject string, data []byte) error {
	hash := fnv.New128a()
	hash.Write([]byte(subject))
	hash.Write(data)
	id := fmt.Sprintf("%x", hash.Sum(nil))
	full := false
	for wait := (pause{}); ; {
		_, err := within(ctx, func(ctx context.Context) (any, error) {
			return nil, s.view.stream.offer(ctx, subject, data, id)
		})
		if full != errors.Is(err, errFull) {
			full = !full
			s.noticeFull(full)
		}
		if err == nil {
			return nil
		}
		if err := wait.sleep(ctx); err != nil {
			return err
		}
	}
}

// encodeOffer returns the message that offers URLs to a site.
func encodeOffer(urls []string) []byte {
	c := &coder{b: []byte{recordVersion}}
	c.offer(&urls)
	return c.b
}

func (c *coder) offer(urls *[]string) { list(c, urls, func(url *string) { text(c, url) }) }

func decodeOffer(data []byte) (urls []string, err error) {
	if len(data) == 0 || data[0] != recordVersion {
		return nil, fmt.Errorf("%w: offered URLs of another version", ErrDamaged)
	}
	c := &coder{b: data[1:], reads: true}
	if c.offer(&urls); c.bad {
		return nil, fmt.Errorf("%w: offered URLs cannot be read", ErrDamaged)
	}
	return urls, nil
}

// Offered returns the next URLs that other shards have offered, none at the end. A later owner
// gets them again, unless the shard was finished in between. Offers that are damaged are left
// out.
func (s *Shard) Offered(ctx context.Context) ([]string, error) {
	ctx, stop := s.until(ctx)
	defer stop()
	subject := offerSubject(s.view.job.journal(), s.site)
	for wait := (pause{}); ; {
		m, err := within(ctx, func(ctx context.Context) (message, error) {
			return s.view.stream.next(ctx, subject, s.offered)
		})
		if errors.Is(err, errGone) {
			s.end(ErrCanceled)
			return nil, err
		}
		if err != nil {
			if err := wait.sleep(ctx); err != nil {
				return nil, err
			}
			continue
		}
		if m.sequence == 0 {
			return nil, nil
		}
		s.offered = m.sequence
		if urls, err := decodeOffer(m.data); err == nil {
			return urls, nil
		}
		if !s.saidOffer {
			s.saidOffer = true
			s.worker.notice("links to " + s.host() + " in job " + s.view.job.Name + " are damaged, and are left out")
		}
	}
}

// Report notes how far the crawl of the shard is. It may be called at any time.
func (s *Shard) Report(p crawl.Progress) { s.progress.Store(&p) }

func (s *Shard) report() SiteReport {
	p := s.progress.Load()
	return SiteReport{
		Job: s.view.job.Name, Site: s.site, Pages: int64(p.Pages), Waiting: int64(p.Waiting), Listed: int64(p.Listed),
		Broken: int64(p.Broken), Redirects: int64(p.Redirects), Blocked: int64(p.Blocked), Requests: int64(p.Requests),
		Bytes: p.Bytes,
	}
}

// Slow notes that the site is requested more slowly than the crawl asks for, 0 when it is not
// any more. It may be called at any time, by several goroutines.
func (s *Shard) Slow(perSecond float64) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.slowed = perSecond
	s.worker.noteSite()
}

// Slowed returns what this owner or the one before has noted by Slow. It may be called at any
// time, by several goroutines.
func (s *Shard) Slowed() float64 {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.slowed
}

// Postpone notes that the site asks for a pause until some time, as by Retry-After (RFC 9110,
// section 10.2.3). The next owner gets the shard no earlier, and at most some minutes later.
// It may be called at any time, by several goroutines.
func (s *Shard) Postpone(until time.Time) {
	if latest := time.Now().Add(retryTime); until.After(latest) {
		until = latest
	}
	until = until.Truncate(time.Second).Add(time.Second) // so that few answers change it
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if until.After(s.postponed) {
		s.postponed = until
		s.worker.noteSite()
	}
}

func (s *Shard) postponedUntil() time.Time {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.postponed
}

// keepNotes stores what is noted of the site for the next owner, if it has changed.
func (s *Shard) keepNotes(ctx context.Context) {
	s.writing <- struct{}{}
	defer func() { <-s.writing }()
	slowed, postponed := s.Slowed(), s.postponedUntil()
	if s.state.Rate == slowed && !postponed.After(s.state.After.Time) || s.state.Owner == "" || s.owned() != nil {
		return
	}
	s.state.Rate, s.state.After = slowed, deadline{postponed}
	if revision, err := s.putState(ctx, s.rev); err == nil {
		s.rev = revision
	} else {
		s.state.Rate = -1 // the next attempt finds out
		s.findRevision(ctx)
	}
}

// findRevision takes in the revision of the state after it is not known whether it was
// written. It reports false when another worker has written it. One that is damaged or was
// removed still belongs to this worker, which has the lock of the host.
func (s *Shard) findRevision(ctx context.Context) bool {
	e, err := within(ctx, func(ctx context.Context) (entry, error) {
		return s.view.states.get(ctx, groupKey(s.group))
	})
	if err != nil {
		return true // the next attempt finds out
	}
	state, err := decodeState(s.view.layout, s.group, e.value)
	isOwn := err != nil || e.value == nil || state.Owner == s.id
	if isOwn {
		s.rev = e.revision
	}
	return isOwn
}

// ShardEnd says how the work on a shard ended.
type ShardEnd struct {
	Progress crawl.Progress
	// Again leaves the shard to the next Claim.
	Again bool
	// Outage leaves it to a later one, a few times, since the site does not answer.
	Outage bool
	// Failure says why the crawl could not begin or go on, in words; empty when it ended
	// well or at a limit.
	Failure string
}

// Close gives the shard back. Unless end says otherwise it is finished: it is handed out again
// only when URLs are offered after that, and never when it failed or reached a limit.
func (s *Shard) Close(ctx context.Context, end ShardEnd) (err error) {
	s.close.Do(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTime)
		defer cancel()
		s.Report(end.Progress)
		w := s.worker
		if s.owned() == nil {
			err = w.unlockHost(ctx, s.host(), s.lock)
		}
		err = errors.Join(err, s.finish(ctx, &end))
		if err != nil {
			err = fmt.Errorf("%s of job %s is left to other workers: %w", s.host(), s.view.job.Name, err)
		}
		w.mutex.Lock()
		delete(w.shards, s)
		w.pages += int64(s.progress.Load().Pages)
		w.mutex.Unlock()
		s.end(ErrLost)
		w.changed()
	})
	return err
}

// finish records how the work on the shard ended, and gives it back.
func (s *Shard) finish(ctx context.Context, end *ShardEnd) error {
	if err := s.owned(); err != nil {
		return err
	}
	s.writing <- struct{}{}
	defer func() { <-s.writing }()
	s.state.Rate = s.Slowed()
	s.state.Owner, s.state.After = "", deadline{s.postponedUntil()}
	again := end.Again
	if end.Outage {
		if s.state.Tries++; s.state.Tries < maxTries {
			again, s.state.After = true, deadline{time.Now().Add(retryTime)}
		}
	}
	if !again {
		s.state.After, s.state.Tries = deadline{}, 0
		if s.view.isShared() {
			s.state.Rate = 0 // the next site of the group is another one
		}
		if err := s.recordEnd(ctx, end); err != nil {
			return err
		}
	}
	for wait := (pause{}); ; {
		_, err := s.putState(ctx, s.rev)
		if err == nil || errors.Is(err, errConflict) && !s.findRevision(ctx) {
			return nil // or the write succeeded before, or another worker has taken over
		}
		if err := wait.sleep(ctx); err != nil {
			return err
		}
	}
}

// recordEnd records in the log that the site has ended, and removes what was offered to it.
func (s *Shard) recordEnd(ctx context.Context, end *ShardEnd) error {
	p := &end.Progress
	ended := &SiteEnd{
		Pages: p.Pages, Listed: p.Listed, Broken: p.Broken, Requests: p.Requests, Bytes: p.Bytes,
		Seconds: (s.spent + p.Elapsed).Round(time.Millisecond).Seconds(), Limit: string(p.Limit), Unanswered: p.Unanswered,
		Failure: end.Failure,
	}
	body, err := json.Marshal(ended)
	if err != nil {
		return err
	}
	if err := s.write(ctx, record{kind: kindEnd, site: s.site, body: body}); err != nil {
		return err
	}
	ended.Sequence = s.writer.last
	states := make(map[int]*SiteEnd, len(s.state.Ended)+1)
	maps.Copy(states, s.state.Ended)
	states[s.site] = ended
	s.state.Ended = states
	s.purgeOffers(ctx)
	return nil
}

// purgeOffers removes the offers that were handed out. Those that stay, since the servers
// do not answer, open the site again for a moment.
func (s *Shard) purgeOffers(ctx context.Context) {
	s.view.forgetOffers(s.group, s.site)
	if s.offered == 0 {
		return
	}
	_, _ = within(ctx, func(ctx context.Context) (any, error) {
		return nil, s.view.stream.purge(ctx, offerSubject(s.view.job.journal(), s.site), s.offered)
	})
}
