// Package sqlitestore keeps the state of a watcher in one SQLite file. [Open] opens or
// makes it. The file survives a kill at any moment: a change is in it whole or not at all.
package sqlitestore

import (
	"context"
	"database/sql"
	_ "embed"
	"encoding/binary"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/mapatools/mapa/internal/sqlite"
	"github.com/mapatools/mapa/internal/statefile"
	"github.com/mapatools/mapa/watch"
)

// What can be wrong with a state file. The error of [Open] names the file.
var (
	// ErrLocked means that another process uses the file.
	ErrLocked = sqlite.ErrLocked
	// ErrNotState means that the file is something else.
	ErrNotState = sqlite.ErrForeign
	// ErrVersion means that another version of Mapa made the file.
	ErrVersion = statefile.ErrVersion
	// ErrDamaged means that parts of the file are lost or changed.
	ErrDamaged = sqlite.ErrDamaged
	// ErrFull means that the disk is full. What was in the file before still is.
	ErrFull = sqlite.ErrFull
)

//go:embed schema.sql
var schema string

var _ watch.Store = (*Store)(nil)

// spec describes a state file. It waits for a reader that opens or closes it.
var spec = sqlite.Spec{
	Kind: sqlite.KindWatch, Version: 1, Schema: schema, Fill: sqlite.AddKey,
	Settings: "pragma page_size = 8192; pragma synchronous = full; pragma cache_size = -8192; pragma journal_size_limit = 67108864;",
	Lock:     sqlite.LockFile, Log: true, Private: true, Wait: 5 * time.Second,
}

// A Store is an open state file. Until it is closed, no other process can open it, except
// with [OpenReader]. Its methods may be called by several goroutines.
type Store struct {
	file   *sqlite.File
	conn   *sql.Conn // the only one
	mutex  sync.Mutex
	secret [32]byte
}

// Open opens the state file called name, or makes it. Only its owner may read it: it takes
// the permissions of others from a file that has them. The error wraps ErrLocked,
// ErrNotState, ErrVersion or ErrDamaged when it cannot be used.
func Open(ctx context.Context, name string) (*Store, error) { return open(ctx, name, sqlite.Create) }

// OpenReader opens a state file for Sites and Pending only, even while a watcher uses it.
// The error wraps fs.ErrNotExist when there is none.
func OpenReader(ctx context.Context, name string) (*Store, error) {
	return open(ctx, name, sqlite.Share)
}

func open(ctx context.Context, name string, access sqlite.Access) (*Store, error) {
	file, err := sqlite.Open(ctx, name, &spec, access)
	if err != nil {
		return nil, err
	}
	s := &Store{file: file}
	if s.secret, err = file.ReadKey(); err == nil {
		s.conn, err = file.Pool(1).Conn(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return s, nil
}

func (s *Store) exec(ctx context.Context, text string, args ...any) error {
	_, err := s.conn.ExecContext(ctx, text, args...)
	return err
}

// inTransaction runs change and keeps all that it does, or nothing when it fails.
func (s *Store) inTransaction(ctx context.Context, change func() error) error {
	if err := s.exec(ctx, "begin immediate"); err != nil {
		return s.file.Explain(err)
	}
	err := change()
	if err == nil {
		err = s.exec(ctx, "commit")
	}
	if err != nil {
		// ctx may have ended, and after some errors SQLite has already rolled back.
		_ = s.exec(context.WithoutCancel(ctx), "rollback")
	}
	return s.file.Explain(err)
}

// Close closes the file and releases the lock.
func (s *Store) Close() error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return errors.Join(s.conn.Close(), s.file.Close())
}

// Key implements [watch.Store].
func (s *Store) Key(context.Context) ([32]byte, error) { return s.secret, nil }

// Sites implements [watch.Store].
func (s *Store) Sites(ctx context.Context) ([]watch.Site, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	rows, err := s.conn.QueryContext(ctx, "select record from sites order by name")
	if err != nil {
		return nil, s.file.Explain(err)
	}
	sites, err := scanRecords[watch.Site](rows)
	return sites, s.file.Explain(err)
}

// scanRecords decodes and closes rows of one JSON column.
func scanRecords[T any](rows *sql.Rows) (all []T, err error) {
	defer rows.Close()
	for rows.Next() {
		var text []byte
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		var value T
		if err := json.Unmarshal(text, &value); err != nil {
			return nil, ErrDamaged
		}
		all = append(all, value)
	}
	return all, rows.Err()
}

// Update implements [watch.Store].
func (s *Store) Update(ctx context.Context, site string, change func(watch.Tx) error) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.inTransaction(ctx, func() error {
		t := &tx{ctx: ctx, store: s, site: site}
		defer t.close()
		return change(t)
	})
}

// Pending implements [watch.Store].
func (s *Store) Pending(ctx context.Context, limit int) (pending []watch.Event, err error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	through, err := s.acknowledged(ctx)
	if err != nil {
		return nil, err
	}
	rows, err := s.conn.QueryContext(ctx, "select first, lines from events where last > ? order by last", through)
	if err != nil {
		return nil, s.file.Explain(err)
	}
	defer rows.Close()
	for len(pending) < limit && rows.Next() {
		var first int64
		var lines []byte
		if err := rows.Scan(&first, &lines); err != nil {
			return nil, s.file.Explain(err)
		}
		events, err := decodeEvents(lines)
		if err != nil {
			return nil, s.file.Explain(err)
		}
		for i := range events {
			if number := first + int64(i); number > through && len(pending) < limit {
				events[i].ID = watch.EventID(s.secret, number)
				pending = append(pending, events[i])
			}
		}
	}
	return pending, s.file.Explain(rows.Err())
}

// PendingCount returns the number of events that were not acknowledged.
func (s *Store) PendingCount(ctx context.Context) (int, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	last, err := s.counter(ctx, "events")
	if err != nil {
		return 0, err
	}
	through, err := s.acknowledged(ctx)
	return int(last - through), err
}

// acknowledged returns the number of the last event that was delivered.
func (s *Store) acknowledged(ctx context.Context) (int64, error) {
	return s.counter(ctx, "acknowledged")
}

// counter returns a number of the table meta, 0 when there is none.
func (s *Store) counter(ctx context.Context, name string) (int64, error) {
	var value []byte
	err := s.conn.QueryRowContext(ctx, "select value from meta where name = ?", name).Scan(&value)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return 0, nil
	case err != nil:
		return 0, s.file.Explain(err)
	case len(value) != 8:
		return 0, s.file.Explain(ErrDamaged)
	}
	return int64(binary.BigEndian.Uint64(value)), nil
}

func (s *Store) setCounter(ctx context.Context, name string, value int64) error {
	return s.exec(ctx, "insert or replace into meta (name, value) values (?, ?)", name,
		binary.BigEndian.AppendUint64(nil, uint64(value)))
}

// Subscriptions implements [watch.Store].
func (s *Store) Subscriptions(ctx context.Context) ([]watch.Subscription, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	rows, err := s.conn.QueryContext(ctx, "select record from subscriptions order by id")
	if err != nil {
		return nil, s.file.Explain(err)
	}
	subscriptions, err := scanRecords[watch.Subscription](rows)
	return subscriptions, s.file.Explain(err)
}

// SetSubscription implements [watch.Store].
func (s *Store) SetSubscription(ctx context.Context, of watch.Subscription) error {
	text, err := json.Marshal(of)
	if err != nil {
		return err
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.file.Explain(s.exec(ctx, "insert or replace into subscriptions (id, record) values (?, ?)", of.ID, string(text)))
}

// Acknowledge implements [watch.Store].
func (s *Store) Acknowledge(ctx context.Context, id string) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	through, err := watch.EventNumber(id)
	if err != nil {
		return err
	}
	return s.inTransaction(ctx, func() error {
		already, err := s.acknowledged(ctx)
		if err != nil || through <= already {
			return err
		}
		if err := s.exec(ctx, "delete from events where last <= ?", through); err != nil {
			return err
		}
		return s.setCounter(ctx, "acknowledged", through)
	})
}
