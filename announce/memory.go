package announce

import (
	"context"
	"sync"
	"time"
)

// A MemoryLedger is a [Ledger] that lasts as long as the process. It grows by some hundred
// bytes for every item that is sent. The zero value is an empty ledger.
type MemoryLedger struct {
	mutex  sync.Mutex
	tries  map[itemKey]try
	claims []claimed // by ID, from 1
	quotas map[quotaKey]statedQuota
}

type itemKey struct {
	channel string
	kind    Kind
	url     string
}

type quotaKey struct {
	channel, target string
	kind            Kind
}

// A try is the last attempt to send an item.
type try struct {
	version string
	at      time.Time
	claim   int64
	outcome Outcome // while the claim is open, that of the attempt before
	before  bool    // there was one
}

// A claimed batch. It is open until it is settled.
type claimed struct {
	key   quotaKey
	at    time.Time
	until time.Time
	items []itemKey
	count int
	open  bool
}

// A statedQuota is one that a provider named after some claims.
type statedQuota struct {
	Quota
	after int64 // ID of the last claim before
}

// NewMemoryLedger returns an empty ledger.
func NewMemoryLedger() *MemoryLedger { return &MemoryLedger{} }

// Claim implements [Ledger].
func (m *MemoryLedger) Claim(_ context.Context, b *Batch) (*Claim, error) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.tries == nil {
		m.tries = map[itemKey]try{}
	}
	now := time.Now()
	key := quotaKey{b.Channel, b.Target, b.Kind}
	left, resets, limited := m.leftLocked(key, now)
	c := &Claim{ID: int64(len(m.claims)) + 1}
	record := claimed{key: key, at: now, until: now.Add(b.Lease), open: true}
	for _, item := range b.Items {
		k := itemKey{b.Channel, b.Kind, item.URL}
		last, tried := m.tries[k]
		isOpen, unknown := m.stateLocked(last, tried, now)
		isSent := tried && !isOpen && !unknown && last.outcome == OutcomeSent
		switch cooled := last.at.Add(b.Cooldown); {
		case isSent && last.version == item.Version && item.Version != "":
			c.Known++
		case isOpen:
			c.Busy++
		case isSent && now.Before(cooled):
			c.Cooling++
			c.Until = earlier(c.Until, cooled)
		case limited && len(c.Items) >= left:
			c.OverQuota++
			c.Until = earlier(c.Until, resets)
		default:
			if unknown {
				c.Repeated++
			}
			c.Items = append(c.Items, item)
			record.items = append(record.items, k)
			next := try{version: item.Version, at: now, claim: c.ID, before: unknown}
			m.tries[k] = next
		}
	}
	if record.count = len(c.Items); record.count == 0 {
		c.ID = 0
		return c, nil
	}
	m.claims = append(m.claims, record)
	return c, nil
}

// stateLocked reports whether the last try of an item is going on, or ended without a
// known outcome.
func (m *MemoryLedger) stateLocked(last try, tried bool, now time.Time) (isOpen, unknown bool) {
	if !tried {
		return false, false
	}
	if record := m.claims[last.claim-1]; record.open {
		return now.Before(record.until), !now.Before(record.until)
	}
	return false, last.outcome == OutcomeUnknown
}

// earlier returns the first of two times, where zero means no time.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || b.Before(a) {
		return b
	}
	return a
}

// leftLocked returns what is left of a quota, if it is known.
func (m *MemoryLedger) leftLocked(key quotaKey, now time.Time) (left int, resets time.Time, limited bool) {
	q, found := m.quotas[key]
	if !found || !now.Before(q.Resets) {
		return 0, time.Time{}, false
	}
	left = q.Left
	for _, record := range m.claims[q.after:] {
		if record.key == key {
			left -= record.count
		}
	}
	return max(left, 0), q.Resets, true
}

// Settle implements [Ledger].
func (m *MemoryLedger) Settle(_ context.Context, c *Claim, o Outcome) error {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	record := &m.claims[c.ID-1]
	for _, k := range record.items {
		last := m.tries[k]
		last.outcome = o
		if o == OutcomeRefused && last.before {
			last.outcome = OutcomeUnknown // the attempt before may have been received
		}
		m.tries[k] = last
	}
	record.open, record.items = false, nil
	return nil
}

// SetQuota implements [Ledger].
func (m *MemoryLedger) SetQuota(_ context.Context, q Quota) error {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.quotas == nil {
		m.quotas = map[quotaKey]statedQuota{}
	}
	m.quotas[quotaKey{q.Channel, q.Target, q.Kind}] = statedQuota{q, int64(len(m.claims))}
	return nil
}

// Quotas implements [Ledger].
func (m *MemoryLedger) Quotas(context.Context) ([]Quota, error) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	now := time.Now()
	var all []Quota
	for key, q := range m.quotas {
		left, _, limited := m.leftLocked(key, now)
		if !limited {
			continue
		}
		quota := q.Quota
		quota.Left = left
		for _, record := range m.claims {
			if record.key == key && !record.at.Before(q.Since) {
				quota.Used += record.count
			}
		}
		all = append(all, quota)
	}
	return all, nil
}
