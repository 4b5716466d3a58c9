package announce

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/mapatools/mapa/announce/internal/calendar"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/urlnorm"
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
	zone calendar.Zone
	// askQuota, when set, is called before the first request to a target. An error stops
	// the target.
	askQuota func(ctx context.Context, target string) *Error
	// send sends the items of one request.
	send func(ctx context.Context, target string, items []Item) sendResult
}

// A sendResult is the result of one request.
type sendResult struct {
	pending  bool // received, but the site has yet to be verified
	rejected int  // items of the request that the provider refuses
	note     string
	err      *Error
}

// A delivery delivers the items of a job.
type delivery struct {
	*service
	*job
	batches batches
	results map[string]*Result
	asked   map[string]bool // targets whose quota is known
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
	d := &delivery{s, j, newBatches(j.size), map[string]*Result{}, map[string]bool{}, map[string]bool{}}
	for item, err := range j.items {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			d.result("").fail(err, 0)
			break
		}
		d.add(ctx, item)
	}
	for _, target := range d.batches.targets() {
		d.flush(ctx, target)
	}
	var results []Result
	for _, target := range slices.Sorted(maps.Keys(d.results)) {
		results = append(results, *d.results[target])
	}
	return results
}

func (d *delivery) result(target string) *Result {
	r := d.results[target]
	if r == nil {
		r = &Result{Provider: d.provider, Kind: d.kind, Target: target}
		d.results[target] = r
	}
	return r
}

func (d *delivery) add(ctx context.Context, item Item) {
	item, target, e := d.route(d.job, item)
	if e != nil {
		d.result(target).fail(e, 1)
	} else if full, ok := d.batches.add(target, item); ok {
		d.flush(ctx, full)
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
	if u := urlnorm.ParseHTTP(item.URL); u == nil || u.User != nil || strings.ContainsAny(item.URL, " \t\r\n") {
		return item, s.invalidURL(item.URL)
	}
	return item, nil
}

func (s *service) invalidURL(address string) *Error {
	clean, _ := format.CutUser(address)
	return &Error{Provider: s.provider, Reason: ReasonInvalidURL, Message: "cannot be announced: " + s.clean(clean)}
}

// flush claims the batch of a target, sends what may be sent, and records the outcome.
func (d *delivery) flush(ctx context.Context, target string) {
	items := d.batches.take(target)
	r := d.result(target)
	if d.stopped[target] || ctx.Err() != nil {
		r.Waiting += len(items)
		if ctx.Err() != nil {
			r.fail(d.failure(ctx, ctx.Err()), 0)
		}
		return
	}
	if d.askQuota != nil && !d.asked[target] {
		d.asked[target] = true
		if e := d.askQuota(ctx, target); e != nil {
			d.conclude(ctx, r, sendResult{err: e}, len(items))
			d.stopped[target] = true
			return
		}
	}
	const slack = 5 * time.Minute // requests and the record
	claim, err := d.options.Ledger.Claim(ctx, &Batch{
		Channel: d.channel(), Target: target, Kind: d.kind, Items: items, Cooldown: d.cooldown,
		Lease: d.options.Wait + slack,
	})
	if err != nil {
		d.stopped[target] = true
		r.fail(&Error{Provider: d.provider, Reason: ReasonLedger, Err: err}, len(items))
		return
	}
	d.count(r, claim)
	if len(claim.Items) == 0 {
		return
	}
	s := d.job.send(ctx, target, claim.Items)
	outcome := outcomeOf(s)
	// What was sent is recorded even when ctx has ended.
	recording, cancel := context.WithTimeout(context.WithoutCancel(ctx), requestTime)
	defer cancel()
	if err := d.options.Ledger.Settle(recording, claim, outcome); err != nil {
		d.stopped[target] = true
		r.fail(&Error{Provider: d.provider, Reason: ReasonLedger, Err: fmt.Errorf("sent, but not recorded: %w", err)}, 0)
	}
	d.conclude(recording, r, s, len(claim.Items))
}

// count adds what a claim leaves out to the result.
func (d *delivery) count(r *Result, claim *Claim) {
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
		r.note("some items were sent less than " + durationText(d.cooldown) + " ago")
	}
	if claim.OverQuota > 0 {
		r.note("the quota is used up")
	}
}

// deliverAfter delivers the items of a job after others, and returns the results of all. An
// earlier error that concerns the account stops every target.
func (s *service) deliverAfter(ctx context.Context, results []Result, j *job) []Result {
	for i := range results {
		if e, ok := errors.AsType[*Error](results[i].Err); ok && e.concernsAccount() {
			j.askQuota = func(context.Context, string) *Error { return e }
			break
		}
	}
	return append(results, s.deliver(ctx, j)...)
}

// setQuota records a quota of a target.
func (s *service) setQuota(ctx context.Context, q Quota) *Error {
	q.Channel, q.Left = s.channel(), max(q.Left, 0)
	if err := s.options.Ledger.SetQuota(ctx, q); err != nil {
		return &Error{Provider: s.provider, Reason: ReasonLedger, Err: err}
	}
	return nil
}

func outcomeOf(s sendResult) Outcome {
	switch {
	case s.err == nil:
		return OutcomeSent
	case s.err.Status != 0 || s.err.unsent:
		return OutcomeRefused
	}
	return OutcomeUnknown
}

// conclude adds the result of a request to that of its target.
func (d *delivery) conclude(ctx context.Context, r *Result, s sendResult, items int) {
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
		d.stopped[r.Target] = true
	case s.err.Reason == ReasonQuota:
		r.Waiting += items
		r.note("the quota is used up")
		r.Until = earlier(r.Until, d.holdUntil(ctx, r.Target, s.err))
		d.stopped[r.Target] = true
	default:
		r.fail(s.err, items)
		d.stopped[r.Target] = d.stopped[r.Target] || !s.err.concernsItems()
		if !s.err.Until.IsZero() {
			r.Until = earlier(r.Until, s.err.Until)
		}
	}
}

// holdUntil records that a quota is used up, and returns when it resets.
func (d *delivery) holdUntil(ctx context.Context, target string, e *Error) time.Time {
	since, resets := d.zone.Day(time.Now())
	if !e.Until.IsZero() {
		resets = e.Until
	}
	// A quota that cannot be recorded costs one more request, which is refused.
	_ = d.setQuota(ctx, Quota{Target: target, Kind: d.kind, Since: since, Resets: resets})
	return resets
}

// durationText returns a duration for people, such as 10 minutes.
func durationText(d time.Duration) string {
	switch {
	case d >= time.Hour && d%time.Hour == 0:
		return format.Plural(int(d/time.Hour), "hour")
	case d >= time.Minute && d%time.Minute == 0:
		return format.Plural(int(d/time.Minute), "minute")
	}
	return d.Round(time.Second).String()
}
