package announce

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/mapatools/mapa/internal/format"
)

// A job is how one kind of items reaches a provider.
type job struct {
	kind  Kind
	items iter.Seq2[Item, error]
	// target returns where an item goes, or why it cannot be sent.
	target   func(Item) (string, *Error)
	size     int // most items of one request
	cooldown time.Duration
	// zone is where the days of the quota begin.
	zone Zone
	// before, when set, is called before each request to a target, such as to ask for
	// its quota. An error stops the target.
	before func(ctx context.Context, target string) *Error
	// send sends the items of one request.
	send func(ctx context.Context, target string, items []Item) sending
}

// A sending is what came of one request.
type sending struct {
	pending  bool // received, but the site has yet to be verified
	rejected int  // items of the request that the provider refuses
	note     string
	err      *Error
}

// A courier delivers the items of a job.
type courier struct {
	*service
	*job
	batches batches
	results map[string]*Result
	stopped map[string]bool // targets that get nothing more in this run
}

// single yields items that are in memory.
func single(items ...Item) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		for _, item := range items {
			if item.URL != "" && !yield(item, nil) {
				return
			}
		}
	}
}

// deliver delivers the items of a job and returns a result for each target.
func (s *service) deliver(ctx context.Context, j *job) []Result {
	if j.items == nil {
		return nil
	}
	c := &courier{s, j, newBatches(j.size), map[string]*Result{}, map[string]bool{}}
	for item, err := range j.items {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			c.result("").fail(err, 0)
			break
		}
		c.add(ctx, item)
	}
	for _, target := range c.batches.targets() {
		c.flush(ctx, target)
	}
	var results []Result
	for _, target := range slices.Sorted(maps.Keys(c.results)) {
		results = append(results, *c.results[target])
	}
	return results
}

func (c *courier) result(target string) *Result {
	r := c.results[target]
	if r == nil {
		r = &Result{Provider: c.provider, Kind: c.kind, Target: target}
		c.results[target] = r
	}
	return r
}

func (c *courier) add(ctx context.Context, item Item) {
	item, target, e := c.route(c.job, item)
	if e != nil {
		c.result(target).fail(e, 1)
	} else if full, ok := c.batches.add(target, item); ok {
		c.flush(ctx, full)
	}
}

// route returns an item as it is sent, and its target.
func (s *service) route(j *job, item Item) (Item, string, *Error) {
	item, e := s.check(item)
	if e != nil {
		return item, "", e
	}
	target, e := j.target(item)
	return item, target, e
}

// check returns an item as it is sent.
func (s *service) check(item Item) (Item, *Error) {
	item.URL, _, _ = strings.Cut(item.URL, "#")
	u, err := url.Parse(item.URL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil ||
		strings.ContainsAny(item.URL, " \t\r\n") {
		return item, s.invalidURL(item.URL)
	}
	return item, nil
}

func (s *service) invalidURL(address string) *Error {
	clean, _ := format.CutUser(address)
	return &Error{Provider: s.provider, Reason: ReasonInvalidURL, Message: "cannot be announced: " + s.clean(clean)}
}

// flush claims the batch of a target, sends what may be sent, and records the outcome.
func (c *courier) flush(ctx context.Context, target string) {
	items := c.batches.take(target)
	r := c.result(target)
	if c.stopped[target] || ctx.Err() != nil {
		r.Waiting += len(items)
		if ctx.Err() != nil {
			r.fail(c.failure(ctx, ctx.Err()), 0)
		}
		return
	}
	if c.before != nil {
		if e := c.before(ctx, target); e != nil {
			c.conclude(ctx, r, sending{err: e}, len(items))
			c.stopped[target] = true
			return
		}
	}
	const slack = 5 * time.Minute // requests and the record
	claim, err := c.options.Ledger.Claim(ctx, &Batch{
		Channel: c.channel(), Target: target, Kind: c.kind, Items: items, Cooldown: c.cooldown,
		Lease: c.options.Wait + slack,
	})
	if err != nil {
		c.stopped[target] = true
		r.fail(&Error{Provider: c.provider, Reason: ReasonLedger, Err: err}, len(items))
		return
	}
	c.count(r, claim)
	if len(claim.Items) == 0 {
		return
	}
	s := c.job.send(ctx, target, claim.Items)
	outcome := outcomeOf(s)
	// What was sent is recorded even when ctx has ended.
	recording, cancel := context.WithTimeout(context.WithoutCancel(ctx), requestTime)
	defer cancel()
	if err := c.options.Ledger.Settle(recording, claim, outcome); err != nil {
		c.stopped[target] = true
		r.fail(&Error{Provider: c.provider, Reason: ReasonLedger, Err: fmt.Errorf("sent, but not recorded: %w", err)}, 0)
	}
	c.conclude(recording, r, s, len(claim.Items))
}

// count adds what a claim leaves out to the result.
func (c *courier) count(r *Result, claim *Claim) {
	r.Known += claim.Known
	r.Repeated += claim.Repeated
	r.Waiting += claim.Busy + claim.Cooling + claim.OverQuota
	if !claim.Until.IsZero() {
		r.Until = earlier(r.Until, claim.Until)
	}
	if claim.Repeated > 0 {
		r.note("some items are sent again: an earlier run was cut off, or got no answer, while it sent them")
	}
	if claim.Busy > 0 {
		r.note("another run is sending some of the items")
	}
	if claim.Cooling > 0 {
		r.note("some items were sent less than " + spoken(c.cooldown) + " ago")
	}
	if claim.OverQuota > 0 {
		r.note("the quota is used up")
	}
}

// accountError returns the error of results that keeps the rest from being sent, or nil.
func accountError(results []Result) *Error {
	for i := range results {
		var e *Error
		if errors.As(results[i].Err, &e) && e.concernsAccount() {
			return e
		}
	}
	return nil
}

func outcomeOf(s sending) Outcome {
	switch {
	case s.err == nil:
		return OutcomeSent
	case s.err.Status != 0 || s.err.unsent:
		return OutcomeRefused
	}
	return OutcomeUnknown
}

// conclude adds what came of a request to the result.
func (c *courier) conclude(ctx context.Context, r *Result, s sending, items int) {
	r.note(s.note)
	switch {
	case s.err == nil && s.pending:
		r.Pending += items
	case s.err == nil:
		r.Sent += items - s.rejected
		r.Failed += s.rejected
	case s.err.Reason == ReasonKeyPending:
		r.Pending += items
		r.note(s.err.Message)
		r.note(s.err.Advice())
		c.stopped[r.Target] = true
	case s.err.Reason == ReasonQuota:
		r.Waiting += items
		r.note("the quota is used up")
		r.Until = earlier(r.Until, c.holdUntil(ctx, r.Target, s.err))
		c.stopped[r.Target] = true
	default:
		r.fail(s.err, items)
		c.stopped[r.Target] = c.stopped[r.Target] || !s.err.concernsItems()
		if !s.err.Until.IsZero() {
			r.Until = earlier(r.Until, s.err.Until)
		}
	}
}

// holdUntil records that a quota is used up, and returns when it resets.
func (c *courier) holdUntil(ctx context.Context, target string, e *Error) time.Time {
	since, resets := c.zone.Day(time.Now())
	if !e.Until.IsZero() {
		resets = e.Until
	}
	// A quota that cannot be recorded costs one more request, which is refused.
	_ = c.options.Ledger.SetQuota(ctx, Quota{
		Channel: c.channel(), Target: target, Kind: c.kind, Since: since, Resets: resets,
	})
	return resets
}

// spoken returns a duration as people say it.
func spoken(d time.Duration) string {
	switch {
	case d >= time.Hour && d%time.Hour == 0:
		return format.Plural(int(d/time.Hour), "hour")
	case d >= time.Minute && d%time.Minute == 0:
		return format.Plural(int(d/time.Minute), "minute")
	}
	return d.Round(time.Second).String()
}
