package ledger

import (
	"context"
	"database/sql"
	"errors"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/mapatools/mapa/announce"
	"github.com/mapatools/mapa/internal/sqlite"
)

// A Page is what the ledger knows of a listed page.
type Page struct {
	URL, LastMod, Digest string
	// Version identifies this state of the page. SetPage ignores it.
	Version string
}

// A Change is the last change of a page.
type Change struct {
	URL string
	// Kind is the kind of the change, as the caller names it.
	Kind string
	// Version is that of the page, or the same for all pages that are not listed.
	Version string
}

// changeTime is how long a change is kept for a provider that has not received it.
const changeTime = 30 * 24 * time.Hour

// Update counts the changes of a sitemap, given by its URL, from the recorded state. It keeps
// all changes that do makes, or none when do returns an error. Changes that were older than
// 30 days at the update before are forgotten.
func (l *Ledger) Update(ctx context.Context, sitemap string, do func(*Update) error) error {
	return l.inTransaction(ctx, func(tx *sql.Tx) error {
		u := &Update{ctx: ctx, tx: tx, sitemap: sitemap, now: sqlite.Millis(time.Now())}
		err := tx.QueryRowContext(ctx, "select seen from sitemap where url = ?", sitemap).Scan(&u.seen)
		if u.Known = err == nil; err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		const next = "select coalesce(max(version), 0) + 1 from sitemap"
		if err := tx.QueryRowContext(ctx, next).Scan(&u.version); err != nil {
			return err
		}
		if err := u.exec("create temp table fresh (url text primary key, lastmod text, digest text, gone int) without rowid"); err != nil {
			return err
		}
		if err := do(u); err != nil {
			return err
		}
		return u.finish()
	})
}

// An Update is a change of the state of a sitemap. It is for one goroutine.
type Update struct {
	// Known reports whether there is a state to count changes from.
	Known bool

	ctx     context.Context
	tx      *sql.Tx
	sitemap string
	version int64 // of the pages that are set
	seen    int64 // time of the update before
	now     int64
}

func (u *Update) exec(query string, args ...any) error {
	_, err := u.tx.ExecContext(u.ctx, query, args...)
	return err
}

// Pages yields the pages that were recorded before the update, in the order of the bytes
// of their URLs.
func (u *Update) Pages() iter.Seq2[Page, error] {
	return func(yield func(Page, error) bool) {
		rows, err := u.tx.QueryContext(u.ctx, "select url, lastmod, digest, version from page where sitemap = ? order by url", u.sitemap)
		if err != nil {
			yield(Page{}, err)
			return
		}
		defer rows.Close()
		for rows.Next() {
			var p Page
			if err := rows.Scan(&p.URL, &p.LastMod, &p.Digest, &p.Version); !yield(p, err) || err != nil {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(Page{}, err)
		}
	}
}

// Add records a change of a page. A channel that has received the page in its state has
// received the change.
func (u *Update) Add(url, kind string) error {
	return u.exec("insert or replace into change values (?, ?, ?, (select coalesce(max(id), 0) from claim), ?)",
		u.sitemap, url, kind, u.now)
}

// Forget removes the change of a page that no channel needs any more.
func (u *Update) Forget(url string) error {
	return u.exec("delete from change where sitemap = ? and url = ?", u.sitemap, url)
}

// SetPage records the new state of a page.
func (u *Update) SetPage(p Page) error {
	return u.exec("insert or replace into fresh values (?, ?, ?, 0)", p.URL, p.LastMod, p.Digest)
}

// DropPage records that a page is not listed any more.
func (u *Update) DropPage(url string) error {
	return u.exec("insert or replace into fresh values (?, '', '', 1)", url)
}

func (u *Update) finish() error {
	for _, statement := range []struct {
		text string
		args []any
	}{
		{"delete from page where sitemap = ? and url in (select url from fresh where gone)", []any{u.sitemap}},
		{"insert or replace into page select ?, url, lastmod, digest, ? from fresh where not gone", []any{u.sitemap, u.version}},
		{"drop table fresh", nil},
		{"insert or replace into sitemap values (?, ?, ?)", []any{u.sitemap, u.now, u.version}},
		// A clock that is wrong once forgets nothing.
		{"delete from change where at < ?", []any{min(u.now, u.seen) - changeTime.Milliseconds()}},
	} {
		if err := u.exec(statement.text, statement.args...); err != nil {
			return err
		}
	}
	return nil
}

// pageSize is the number of changes that are read at once: between two reads, others can
// use the ledger.
const pageSize = 1000

// pending selects the changes of a sitemap that a channel has not received: it received
// nothing about the page since, and something else before.
const pending = ` from change left join page on page.sitemap = change.sitemap and page.url = change.url
	where change.sitemap = ? and not exists (select 1 from item join claim on claim.id = item.claim
		where item.channel = ? and item.kind = ? and item.url = change.url and outcome = ?
		and (item.claim > change.after or item.version = cast(` + pageVersion + ` as text)))`

const pageVersion = "coalesce(page.version, 0)"

func pendingArgs(sitemap, channel string) []any {
	return []any{sitemap, channel, string(announce.KindURLs), int(announce.OutcomeSent)}
}

// Pending yields the changes of a sitemap that a channel has not received, in the order
// of the bytes of their URLs.
func (l *Ledger) Pending(ctx context.Context, sitemap, channel string) iter.Seq2[Change, error] {
	const query = "select change.url, kind, " + pageVersion + pending + " and change.url > ? order by change.url limit ?"
	return byPages(func(last string) (some []Change, err error) {
		err = l.read(ctx, query, append(pendingArgs(sitemap, channel), last, pageSize), func(rows *sql.Rows) error {
			var c Change
			err := rows.Scan(&c.URL, &c.Kind, &c.Version)
			some = append(some, c)
			return err
		})
		return some, err
	}, func(c Change) string { return c.URL })
}

// Listed yields the pages that a sitemap listed at the last update, in the order of the
// bytes of their URLs.
func (l *Ledger) Listed(ctx context.Context, sitemap string) iter.Seq2[Page, error] {
	const query = "select url, lastmod, digest, version from page where sitemap = ? and url > ? order by url limit ?"
	return byPages(func(last string) (some []Page, err error) {
		err = l.read(ctx, query, []any{sitemap, last, pageSize}, func(rows *sql.Rows) error {
			var p Page
			err := rows.Scan(&p.URL, &p.LastMod, &p.Digest, &p.Version)
			some = append(some, p)
			return err
		})
		return some, err
	}, func(p Page) string { return p.URL })
}

// byPages yields what read returns: up to pageSize values after the one of a URL.
func byPages[T any](read func(last string) ([]T, error), url func(T) string) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for last := ""; ; {
			some, err := read(last)
			if err != nil {
				yield(*new(T), err)
				return
			}
			for _, value := range some {
				if !yield(value, nil) {
					return
				}
			}
			if len(some) < pageSize {
				return
			}
			last = url(some[len(some)-1])
		}
	}
}

// read calls each for every row of a query. It waits for its turn, but no row is read
// twice.
func (l *Ledger) read(ctx context.Context, query string, args []any, each func(*sql.Rows) error) error {
	var rows *sql.Rows
	err := l.retryBusy(ctx, func() (err error) {
		rows, err = l.db.QueryContext(ctx, query, args...)
		return err
	})
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := each(rows); err != nil {
			return l.file.Explain(err)
		}
	}
	return l.file.Explain(rows.Err())
}

// CountPending returns the number of changes of a sitemap that a channel has not
// received.
func (l *Ledger) CountPending(ctx context.Context, sitemap, channel string) (n int, err error) {
	err = l.retryBusy(ctx, func() error {
		return l.db.QueryRowContext(ctx, "select count(*)"+pending, pendingArgs(sitemap, channel)...).Scan(&n)
	})
	return n, err
}

// IsSent reports whether an item was received in its version.
func (l *Ledger) IsSent(ctx context.Context, channel string, kind announce.Kind, item announce.Item) (bool, error) {
	var t try
	err := l.retryBusy(ctx, func() (err error) {
		t, err = lastTry(ctx, l.db, &announce.Batch{Channel: channel, Kind: kind}, item.URL, time.Now())
		return err
	})
	return t.sent && t.version == item.Version, err
}

// Distinct yields the pending changes of several channels, each URL once and in order.
func (l *Ledger) Distinct(ctx context.Context, sitemap string, channels []string) iter.Seq2[Change, error] {
	return func(yield func(Change, error) bool) {
		type side struct {
			next func() (Change, error, bool)
			head Change
		}
		var sides []*side
		for _, channel := range channels {
			next, stop := iter.Pull2(l.Pending(ctx, sitemap, channel))
			defer stop()
			s := &side{next: next}
			change, err, ok := next()
			if err != nil {
				yield(Change{}, err)
				return
			}
			if s.head = change; ok {
				sides = append(sides, s)
			}
		}
		for len(sides) > 0 {
			least := slices.MinFunc(sides, func(a, b *side) int { return strings.Compare(a.head.URL, b.head.URL) }).head
			if !yield(least, nil) {
				return
			}
			for _, s := range slices.Clone(sides) {
				if s.head.URL != least.URL {
					continue
				}
				change, err, ok := s.next()
				if err != nil {
					yield(Change{}, err)
					return
				}
				if s.head = change; !ok {
					sides = slices.DeleteFunc(sides, func(other *side) bool { return other == s })
				}
			}
		}
	}
}
