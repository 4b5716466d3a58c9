package ledger

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/mapatools/mapa/announce"
	"github.com/mapatools/mapa/internal/sqlite"
)

// current selects the quotas whose period is now. One that begins in the future was
// recorded before the clock was set back.
const current = "resets > ? and since <= ?"

// quotaLeft returns what is left of a quota, if it is known.
func quotaLeft(
	ctx context.Context, q querier, channel, target, kind string, now time.Time,
) (left int, resets time.Time, limited bool, err error) {
	var end int64
	err = q.QueryRowContext(ctx, `select resets, remains - (select coalesce(sum(items), 0) from claim
			where claim.channel = quota.channel and claim.target = quota.target and claim.kind = quota.kind and claim.id > after)
		from quota where channel = ? and target = ? and kind = ? and `+current,
		channel, target, kind, sqlite.Millis(now), sqlite.Millis(now)).Scan(&end, &left)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, time.Time{}, false, nil
	}
	return max(left, 0), sqlite.TimeOf(end), err == nil, err
}

// SetQuota implements [announce.Ledger].
func (l *Ledger) SetQuota(ctx context.Context, q announce.Quota) error {
	return l.inTransaction(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `insert or replace into quota
			values (?, ?, ?, ?, ?, ?, ?, (select coalesce(max(id), 0) from claim))`,
			q.Channel, q.Target, string(q.Kind), q.Limit, q.Left, sqlite.Millis(q.Since), sqlite.Millis(q.Resets))
		return err
	})
}

// Quotas implements [announce.Ledger].
func (l *Ledger) Quotas(ctx context.Context) (all []announce.Quota, err error) {
	err = l.retryBusy(ctx, func() error {
		all, err = l.quotas(ctx)
		return err
	})
	return all, err
}

func (l *Ledger) quotas(ctx context.Context) (all []announce.Quota, err error) {
	now := sqlite.Millis(time.Now())
	rows, err := l.db.QueryContext(ctx, `select channel, target, kind, allowed,
			remains - (select coalesce(sum(items), 0) from claim where claim.channel = quota.channel
				and claim.target = quota.target and claim.kind = quota.kind and claim.id > after),
			(select coalesce(sum(items), 0) from claim where claim.channel = quota.channel
				and claim.target = quota.target and claim.kind = quota.kind and begun >= since),
			since, resets
		from quota where `+current+` order by channel, target, kind`, now, now)
	if err != nil {
		return nil, l.file.Explain(err)
	}
	defer rows.Close()
	for rows.Next() {
		var q announce.Quota
		var since, resets int64
		err := rows.Scan(&q.Channel, &q.Target, &q.Kind, &q.Limit, &q.Left, &q.Used, &since, &resets)
		if err != nil {
			return nil, l.file.Explain(err)
		}
		q.Left, q.Since, q.Resets = max(q.Left, 0), sqlite.TimeOf(since), sqlite.TimeOf(resets)
		all = append(all, q)
	}
	return all, l.file.Explain(rows.Err())
}
