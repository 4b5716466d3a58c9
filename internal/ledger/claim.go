package ledger

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/mapatools/mapa/announce"
	"github.com/mapatools/mapa/internal/sqlite"
)

// Claim implements [announce.Ledger]. A claim whose process has ended counts as unknown.
func (l *Ledger) Claim(ctx context.Context, b *announce.Batch) (c *announce.Claim, err error) {
	err = l.inTransaction(ctx, func(tx *sql.Tx) error {
		c, err = claim(ctx, tx, b, time.Now())
		return err
	})
	if err != nil {
		return nil, err
	}
	return c, nil
}

func claim(ctx context.Context, tx *sql.Tx, b *announce.Batch, now time.Time) (*announce.Claim, error) {
	left, resets, limited, err := quotaLeft(ctx, tx, b.Channel, b.Target, string(b.Kind), now)
	if err != nil {
		return nil, err
	}
	result, err := tx.ExecContext(ctx, `insert into claim
		(channel, target, kind, items, begun, until, machine, pid, process) values (?, ?, ?, 0, ?, ?, ?, ?, ?)`,
		b.Channel, b.Target, string(b.Kind), sqlite.Millis(now), sqlite.Millis(now.Add(b.Lease)),
		self.machine, self.pid, self.token)
	if err != nil {
		return nil, err
	}
	c := &announce.Claim{}
	if c.ID, err = result.LastInsertId(); err != nil {
		return nil, err
	}
	for _, item := range b.Items {
		last, err := lastTry(ctx, tx, b, item.URL, now)
		if err != nil {
			return nil, err
		}
		switch cooled := last.at.Add(b.Cooldown); {
		case last.sent && last.version == item.Version && item.Version != "":
			c.Known++
		case last.open:
			c.Busy++
		case last.sent && now.Before(cooled) && !isAhead(last.at, now):
			c.Cooling++
			c.Until = first(c.Until, cooled)
		case limited && len(c.Items) >= left:
			c.OverQuota++
			c.Until = first(c.Until, resets)
		default:
			if last.unknown {
				c.Repeated++
			}
			c.Items = append(c.Items, item)
			_, err := tx.ExecContext(ctx, "insert or replace into item values (?, ?, ?, ?, ?, ?, ?)",
				b.Channel, string(b.Kind), item.URL, item.Version, sqlite.Millis(now), c.ID, last.unknown)
			if err != nil {
				return nil, err
			}
		}
	}
	if len(c.Items) == 0 {
		_, err = tx.ExecContext(ctx, "delete from claim where id = ?", c.ID)
		c.ID = 0
		return c, err
	}
	_, err = tx.ExecContext(ctx, "update claim set items = ? where id = ?", len(c.Items), c.ID)
	return c, err
}

// isAhead reports whether a recorded time is in the future: the clock was set back since,
// so that the time says nothing.
func isAhead(at, now time.Time) bool { return at.After(now.Add(time.Minute)) }

// first returns the earlier of two times. A zero time counts as absent.
func first(a, b time.Time) time.Time {
	if a.IsZero() || b.Before(a) {
		return b
	}
	return a
}

// A try is the last attempt to send an item.
type try struct {
	version string
	at      time.Time
	open    bool // it is going on
	sent    bool // it was received
	unknown bool // it, or one before, may have been received
}

func lastTry(ctx context.Context, q querier, b *announce.Batch, address string, now time.Time) (t try, err error) {
	var at int64
	var earlier bool
	var o owner
	err = q.QueryRowContext(ctx, `select version, at, earlier, outcome, begun, until, machine, pid, process
		from item join claim on claim.id = item.claim where item.channel = ? and item.kind = ? and url = ?`,
		b.Channel, string(b.Kind), address,
	).Scan(&t.version, &at, &earlier, &o.outcome, &o.begun, &o.until, &o.machine, &o.pid, &o.process)
	if errors.Is(err, sql.ErrNoRows) {
		return t, nil
	}
	t.at = sqlite.TimeOf(at)
	t.open = o.isOpen(now)
	t.sent = o.outcome.Valid && announce.Outcome(o.outcome.Int64) == announce.OutcomeSent
	isUnknown := !o.outcome.Valid || announce.Outcome(o.outcome.Int64) == announce.OutcomeUnknown
	t.unknown = !t.open && !t.sent && (isUnknown || earlier)
	return t, err
}

// Settle implements [announce.Ledger].
func (l *Ledger) Settle(ctx context.Context, c *announce.Claim, o announce.Outcome) error {
	return l.inTransaction(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "update claim set outcome = ? where id = ?", int(o), c.ID)
		return err
	})
}

// An Interrupted is a batch whose sending was cut off: it may have been received.
type Interrupted struct {
	Channel, Target string
	Kind            announce.Kind
	Items           int
	Begun           time.Time
}

// Interrupted returns the batches that were cut off and have not been sent again, and
// those that got no answer.
func (l *Ledger) Interrupted(ctx context.Context) (all []Interrupted, err error) {
	err = l.retryBusy(ctx, func() error {
		all, err = l.interrupted(ctx)
		return err
	})
	return all, err
}

func (l *Ledger) interrupted(ctx context.Context) (all []Interrupted, err error) {
	rows, err := l.db.QueryContext(ctx, `select channel, target, kind,
			(select count(*) from item where item.claim = claim.id), outcome, begun, until, machine, pid, process
		from claim where outcome is null or outcome = ? order by id`, int(announce.OutcomeUnknown))
	if err != nil {
		return nil, l.file.Explain(err)
	}
	defer rows.Close()
	now := time.Now()
	for rows.Next() {
		var i Interrupted
		var o owner
		err := rows.Scan(&i.Channel, &i.Target, &i.Kind, &i.Items,
			&o.outcome, &o.begun, &o.until, &o.machine, &o.pid, &o.process)
		if err != nil {
			return nil, l.file.Explain(err)
		}
		if i.Begun = sqlite.TimeOf(o.begun); i.Items > 0 && !o.isOpen(now) {
			all = append(all, i)
		}
	}
	return all, l.file.Explain(rows.Err())
}
