package ledger

import (
	"context"
	"database/sql"
	"errors"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mapatools/mapa/announce"
)

// A Page is what the ledger knows of a listed page.
type Page struct{ URL, LastMod, Digest string }

// A Change is the last change of a page.
type Change struct {
	URL string
	// Kind is the kind of the change, as the caller names it.
	Kind string
	// Version counts the changes of the sitemap.
	Version string
}

// changeTime is how long a change is kept for a provider that has not received it.
const changeTime = 30 * 24 * time.Hour

// Update counts the changes of a sitemap, given by its URL, from the recorded state. All
// that do does is kept, or nothing when it returns an error. Changes older than 30 days
// are forgotten.
func (l *Ledger) Update(ctx context.Context, sitemap string, do func(*Update) error) error {
	return l.inTransaction(ctx, func(tx *sql.Tx) error {
		u := &Update{ctx: ctx, tx: tx, sitemap: sitemap, now: time.Now()}
		err := tx.QueryRowContext(ctx, "select version from sitemap where url = ?", sitemap).Scan(&u.version)
		if u.Known = err == nil; err != nil && !errors.Is(err, sql.ErrNoRows) {
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
	version int64
	now     time.Time
}

func (u *Update) exec(query string, args ...any) error {
	_, err := u.tx.ExecContext(u.ctx, query, args...)
	return err
}

// Pages yields the recorded pages in the order of the bytes of their URLs.
func (u *Update) Pages() iter.Seq2[Page, error] {
	return func(yield func(Page, error) bool) {
		rows, err := u.tx.QueryContext(u.ctx, "select url, lastmod, digest from page where sitemap = ? order by url", u.sitemap)
		if err != nil {
			yield(Page{}, classify(err))
			return
		}
		defer rows.Close()
		for rows.Next() {
			var p Page
			if err := rows.Scan(&p.URL, &p.LastMod, &p.Digest); !yield(p, classify(err)) || err != nil {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(Page{}, classify(err))
		}
	}
}

// Add records a change of a page.
func (u *Update) Add(url, kind string) error {
	u.version++
	return u.exec("insert or replace into change values (?, ?, ?, ?, ?)",
		u.sitemap, url, kind, u.version, milliseconds(u.now))
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
		{"insert or replace into page select ?, url, lastmod, digest from fresh where not gone", []any{u.sitemap}},
		{"drop table fresh", nil},
		{"insert or replace into sitemap values (?, ?, ?)", []any{u.sitemap, milliseconds(u.now), u.version}},
		{"delete from change where at < ?", []any{milliseconds(u.now.Add(-changeTime))}},
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
// nothing about the page since.
const pending = ` from change where sitemap = ?
	and not exists (select 1 from item join claim on claim.id = item.claim
		where item.channel = ? and item.kind = ? and item.url = change.url and item.at >= change.at and outcome = ?)`

func pendingArgs(sitemap, channel string) []any {
	return []any{sitemap, channel, string(announce.KindURLs), int(announce.OutcomeSent)}
}

// Pending yields the changes of a sitemap that a channel has not received, in the order
// of the bytes of their URLs.
func (l *Ledger) Pending(ctx context.Context, sitemap, channel string) iter.Seq2[Change, error] {
	return func(yield func(Change, error) bool) {
		last := ""
		for {
			var page []Change
			err := patiently(ctx, func() (err error) {
				page, err = l.pendingAfter(ctx, sitemap, channel, last)
				return err
			})
			if err != nil {
				yield(Change{}, err)
				return
			}
			for _, c := range page {
				if !yield(c, nil) {
					return
				}
			}
			if len(page) < pageSize {
				return
			}
			last = page[len(page)-1].URL
		}
	}
}

func (l *Ledger) pendingAfter(ctx context.Context, sitemap, channel, last string) (page []Change, err error) {
	args := append(pendingArgs(sitemap, channel), last, pageSize)
	rows, err := l.db.QueryContext(ctx, "select url, kind, version"+pending+" and url > ? order by url limit ?", args...)
	if err != nil {
		return nil, classify(err)
	}
	defer rows.Close()
	for rows.Next() {
		var c Change
		var version int64
		if err := rows.Scan(&c.URL, &c.Kind, &version); err != nil {
			return nil, classify(err)
		}
		c.Version = strconv.FormatInt(version, 10)
		page = append(page, c)
	}
	return page, classify(rows.Err())
}

// CountPending returns the number of changes of a sitemap that a channel has not
// received.
func (l *Ledger) CountPending(ctx context.Context, sitemap, channel string) (n int, err error) {
	err = patiently(ctx, func() error {
		return l.db.QueryRowContext(ctx, "select count(*)"+pending, pendingArgs(sitemap, channel)...).Scan(&n)
	})
	return n, err
}

// IsSent reports whether an item was received in its version.
func (l *Ledger) IsSent(ctx context.Context, channel string, kind announce.Kind, item announce.Item) (bool, error) {
	var t try
	err := patiently(ctx, func() (err error) {
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
