package jobs

import (
	"errors"
	"time"

	"github.com/mapatools/mapa/internal/sqlite"
)

// A Usage is what was used on a day.
type Usage struct{ Crawls, Bytes int64 }

// day returns the day of a time, in UTC.
func day(t time.Time) string { return t.UTC().Format(time.DateOnly) }

// AddUsage adds to what a client used on the day of a time, and forgets earlier days.
func (tx *Tx) AddUsage(at time.Time, client string, u Usage) error {
	if err := tx.exec("delete from usage where day < ?", day(at)); err != nil {
		return err
	}
	return tx.exec(`insert into usage (day, client, crawls, bytes) values (?, ?, ?, ?)
		on conflict (day, client) do update set crawls = crawls + excluded.crawls, bytes = bytes + excluded.bytes`,
		day(at), client, u.Crawls, u.Bytes)
}

// Usage returns what a client used on the day of a time.
func (tx *Tx) Usage(at time.Time, client string) (u Usage, err error) {
	err = tx.row("select coalesce(sum(crawls), 0), coalesce(sum(bytes), 0) from usage where day = ? and client = ?",
		day(at), client).Scan(&u.Crawls, &u.Bytes)
	return u, err
}

// TotalUsage returns what all clients used on the day of a time.
func (tx *Tx) TotalUsage(at time.Time) (u Usage, err error) {
	err = tx.row("select coalesce(sum(crawls), 0), coalesce(sum(bytes), 0) from usage where day = ?", day(at)).
		Scan(&u.Crawls, &u.Bytes)
	return u, err
}

// SetOwner stores that a client proved to own a site, and forgets proofs that are over.
func (tx *Tx) SetOwner(client, site string, now, until time.Time) error {
	if err := tx.exec("delete from owner where until <= ?", sqlite.Millis(now)); err != nil {
		return err
	}
	return tx.exec("insert or replace into owner (client, site, until) values (?, ?, ?)", client, site, sqlite.Millis(until))
}

// IsOwner reports whether a client has proved to own a site.
func (tx *Tx) IsOwner(client, site string, now time.Time) (bool, error) {
	var until int64
	err := missingAsNotFound(tx.row("select until from owner where client = ? and site = ?", client, site).Scan(&until))
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}
	return until > sqlite.Millis(now), err
}
