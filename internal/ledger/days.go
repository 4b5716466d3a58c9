package ledger

import (
	"context"
	"errors"
	"slices"

	"github.com/mapatools/mapa/announce"
	"github.com/mapatools/mapa/internal/sqlite"
)

// Days returns the days, as YYYY-MM-DD in UTC, on which something was announced to a target that isWanted, the oldest
// first. A target is the host, the site or the property as the provider names it. The error wraps fs.ErrNotExist when
// there is no ledger.
func Days(ctx context.Context, name string, isWanted func(target string) bool) (days []string, err error) {
	l, err := openFile(ctx, name, sqlite.Share)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	err = l.retryBusy(ctx, func() error {
		days = nil
		rows, err := l.db.QueryContext(ctx,
			"select distinct date(begun / 1000, 'unixepoch'), target from claim where outcome = ? order by 1",
			int(announce.OutcomeSent))
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var day, target string
			if err := rows.Scan(&day, &target); err != nil {
				return err
			}
			if isWanted(target) {
				days = append(days, day)
			}
		}
		return rows.Err()
	})
	return slices.Compact(days), err
}
