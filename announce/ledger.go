package announce

import (
	"context"
	"time"
)

// A Ledger records what is sent, before it is sent. Several processes may share one. Its
// methods are safe for concurrent use. Package ledgertest has the suite that every
// implementation passes.
type Ledger interface {
	// Claim decides which items of a batch may be sent now, and records that they are
	// about to be. It leaves out, in this order, items that were sent in the same
	// version, items that another claim holds, items in their cooldown, and those after
	// the quota is used up.
	Claim(ctx context.Context, b *Batch) (*Claim, error)
	// Settle records the outcome of a claim, and ends it. A claim that is not settled
	// counts as unknown when its process or its lease has ended.
	Settle(ctx context.Context, c *Claim, o Outcome) error
	// SetQuota records what a provider says about a quota. Claims after it count
	// against it until it resets.
	SetQuota(ctx context.Context, q Quota) error
	// Quotas returns the quotas that have not reset yet, with what is used and left now.
	Quotas(ctx context.Context) ([]Quota, error)
}

// A Batch is what is about to be sent in one request.
type Batch struct {
	Channel string // as Channel returns it
	Target  string // the site, host or property
	Kind    Kind
	Items   []Item
	// Cooldown is the time for which an item that was sent is not sent again, even in
	// another version.
	Cooldown time.Duration
	// Lease is how long sending takes at most.
	Lease time.Duration
}

// A Claim is the part of a batch that may be sent.
type Claim struct {
	// ID identifies the claim in its ledger; 0 without items.
	ID int64
	// Items may be sent now, and must be settled.
	Items []Item
	// Repeated is the number of Items with an earlier attempt of unknown outcome.
	Repeated int
	// Known, Busy, Cooling and OverQuota count the items that are left out: sent before,
	// held by another claim, in their cooldown, and after the end of the quota.
	Known, Busy, Cooling, OverQuota int
	// Until is when the first item that is cooling or over the quota may be sent.
	Until time.Time
}

// An Outcome is how sending a claim ended.
type Outcome int

// The outcomes.
const (
	OutcomeUnknown Outcome = iota // it may have been received
	OutcomeSent                   // it was received
	OutcomeRefused                // it was not accepted, and may be sent again
)

// A Quota is how many items a target takes in a period.
type Quota struct {
	Channel string
	Target  string
	Kind    Kind
	// Limit is the number of items of the period; 0 if it is not known.
	Limit int
	// Left is the number of items that are left: in SetQuota those that the provider
	// says, in Quotas less those that were claimed since.
	Left int
	// Used is the number of items that were claimed in the period. SetQuota ignores it.
	Used int
	// Since is the beginning of the period, and Resets its end.
	Since, Resets time.Time
}
