package ledger

import (
	"context"
	"errors"

	"github.com/mapatools/mapa/announce"
	"github.com/mapatools/mapa/internal/sqlite"
)

// Days returns the days, as YYYY-MM-DD in UTC, on which something was announced, the oldest first. The error wraps
// fs.ErrNotExist when there is no ledger.
func Days(ctx context.Context, name string) (days []string, err error) {
	l, err := openFile(ctx, name, sqlite.Share)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	err = l.retryBusy(ctx, func() error {
		days = nil
		rows, err := l.db.QueryContext(ctx,
			"select distinct date(begun / 1000, 'unixepoch') from claim where outcome = ? order by 1", int(announce.OutcomeSent))
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var day string
			if err := rows.Scan(&day); err != nil {
				return err
			}
			days = append(days, day)
		}
		return rows.Err()
	})
	return days, err
}
