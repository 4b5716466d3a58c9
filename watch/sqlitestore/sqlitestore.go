// Package sqlitestore keeps the state of a watcher in one SQLite file. [Open] opens or
// makes it. The file survives a kill at any moment: a change is in it whole or not at all.
package sqlitestore

import (
	"context"
	"crypto/rand"
	"database/sql"
	_ "embed"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"sync"

	"github.com/mapatools/mapa/internal/sqlitecode"
	"github.com/mapatools/mapa/internal/statefile"
	"github.com/mapatools/mapa/watch"
	_ "modernc.org/sqlite" // the driver "sqlite"
)

var (
	// ErrLocked means that another process uses the state file.
	ErrLocked = errors.New("the state file is in use by another process")
	// ErrNotState means that the file is something else, or was made by another version.
	ErrNotState = errors.New("not the state of a watcher")
	// ErrDamaged means that parts of the state file are lost or changed.
	ErrDamaged = errors.New("the state file is damaged")
	// ErrFull means that the disk is full. What was in the file before still is.
	ErrFull = errors.New("the disk is full")
)

// applicationID marks a SQLite file as the state of a watcher: "MapW" in ASCII.
const applicationID = 0x4d617057

// version of the schema.
const version = 1

//go:embed schema.sql
var schema string

var _ watch.Store = (*Store)(nil)

// lockSuffix is what the name of the lock file has after that of the state file. It is a
// SQLite file without a table: its lock excludes a second watcher, not readers, and ends
// with the process.
const lockSuffix = "-lock"

// A Store is an open state file. Until it is closed, no other process can open it, except
// with [OpenReader]. Its methods may be called by several goroutines.
type Store struct {
	name   string
	db     *sql.DB
	conn   *sql.Conn // the only one
	lock   *sql.DB   // nil for a reader
	mutex  sync.Mutex
	secret [32]byte
}

// Open opens the state file called name, or makes it. Only its owner may read it: it takes
// the permissions of others from a file that has them. The error wraps ErrLocked,
// ErrNotState or ErrDamaged when it cannot be used.
func Open(ctx context.Context, name string) (*Store, error) {
	for _, file := range []string{name, name + lockSuffix} {
		if !sqlitecode.MayBeDatabase(file) {
			return nil, fmt.Errorf("open %s: %w", file, ErrNotState)
		}
	}
	s := &Store{name: name}
	if err := s.open(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("open %s: %w", name, classify(err)), s.Close())
	}
	return s, nil
}

// OpenReader opens a state file for Sites and Pending only, even while a watcher uses it.
// The error wraps fs.ErrNotExist when there is none.
func OpenReader(ctx context.Context, name string) (*Store, error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("open %s: %w", name, ErrNotState)
	}
	s := &Store{name: name}
	err = s.connect(ctx, "ro")
	if err == nil {
		err = s.check(ctx)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open %s: %w", name, classify(err)), s.Close())
	}
	return s, nil
}

// connect opens the connection.
func (s *Store) connect(ctx context.Context, mode string) (err error) {
	if s.db, err = database(s.name, mode); err != nil {
		return err
	}
	s.conn, err = s.db.Conn(ctx)
	return err
}

func database(name, mode string) (*sql.DB, error) {
	absolute, err := filepath.Abs(name)
	if err != nil {
		return nil, err
	}
	address := url.URL{Scheme: "file", Path: filepath.ToSlash(absolute), RawQuery: "mode=" + mode}
	return sql.Open("sqlite", address.String())
}

func (s *Store) open(ctx context.Context) (err error) {
	if err := errors.Join(statefile.Create(s.name+lockSuffix), statefile.Create(s.name)); err != nil {
		return err
	}
	if s.lock, err = database(s.name+lockSuffix, "rwc"); err != nil {
		return err
	}
	s.lock.SetMaxOpenConns(1)
	if _, err := s.lock.ExecContext(ctx, "pragma locking_mode = exclusive; begin exclusive"); err != nil {
		return err
	}
	if err := s.connect(ctx, "rwc"); err != nil {
		return err
	}
	var tables int
	if err := s.conn.QueryRowContext(ctx, "select count(*) from sqlite_schema").Scan(&tables); err != nil {
		return err
	}
	if tables == 0 {
		if err := s.create(ctx); err != nil {
			return err
		}
	}
	if err := s.check(ctx); err != nil {
		return err
	}
	if err := errors.Join(statefile.RestrictDatabase(s.name+lockSuffix), statefile.RestrictDatabase(s.name)); err != nil {
		return err
	}
	return s.exec(ctx, settings)
}

// check reports a file that is not the state of a watcher, and reads the key.
func (s *Store) check(ctx context.Context) error {
	var application, made int
	var secret []byte
	marks := "select (select application_id from pragma_application_id), (select user_version from pragma_user_version)"
	if err := s.conn.QueryRowContext(ctx, marks).Scan(&application, &made); err != nil {
		return err
	}
	switch {
	case application != applicationID:
		return ErrNotState
	case made != version:
		return fmt.Errorf("%w: it has version %d, this program reads %d", ErrNotState, made, version)
	}
	err := s.conn.QueryRowContext(ctx, "select value from meta where name = 'key'").Scan(&secret)
	if errors.Is(err, sql.ErrNoRows) || err == nil && len(secret) != len(s.secret) {
		err = ErrDamaged
	}
	copy(s.secret[:], secret)
	return err
}

const settings = `
pragma journal_mode = wal;
pragma synchronous = full;
pragma cache_size = -8192;
pragma trusted_schema = off;
pragma journal_size_limit = 67108864;
`

func (s *Store) create(ctx context.Context) error {
	if err := s.exec(ctx, "pragma page_size = 8192"); err != nil {
		return err
	}
	return s.inTransaction(ctx, func() error {
		if err := s.exec(ctx, schema); err != nil {
			return err
		}
		marks := fmt.Sprintf("pragma application_id = %d; pragma user_version = %d", applicationID, version)
		if err := s.exec(ctx, marks); err != nil {
			return err
		}
		var secret [32]byte
		rand.Read(secret[:])
		return s.exec(ctx, "insert into meta (name, value) values ('key', ?)", secret[:])
	})
}

func (s *Store) exec(ctx context.Context, text string, args ...any) error {
	_, err := s.conn.ExecContext(ctx, text, args...)
	return err
}

// inTransaction runs change and keeps all that it does, or nothing when it fails.
func (s *Store) inTransaction(ctx context.Context, change func() error) error {
	if err := s.exec(ctx, "begin immediate"); err != nil {
		return classify(err)
	}
	err := change()
	if err == nil {
		err = s.exec(ctx, "commit")
	}
	if err != nil {
		// ctx may have ended, and after some errors SQLite has already rolled back.
		_ = s.exec(context.WithoutCancel(ctx), "rollback")
	}
	return classify(err)
}

// Close closes the file and releases the lock.
func (s *Store) Close() error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	var errs []error
	if s.conn != nil {
		errs = append(errs, s.conn.Close())
	}
	for _, db := range []*sql.DB{s.db, s.lock} {
		if db != nil {
			errs = append(errs, db.Close())
		}
	}
	return errors.Join(errs...)
}

// Key implements [watch.Store].
func (s *Store) Key(context.Context) ([32]byte, error) { return s.secret, nil }

// Sites implements [watch.Store].
func (s *Store) Sites(ctx context.Context) ([]watch.Site, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	rows, err := s.conn.QueryContext(ctx, "select record from sites order by name")
	if err != nil {
		return nil, classify(err)
	}
	return scanRecords[watch.Site](rows)
}

// scanRecords decodes and closes rows of one JSON column.
func scanRecords[T any](rows *sql.Rows) (all []T, err error) {
	defer rows.Close()
	for rows.Next() {
		var text []byte
		if err := rows.Scan(&text); err != nil {
			return nil, classify(err)
		}
		var value T
		if err := json.Unmarshal(text, &value); err != nil {
			return nil, ErrDamaged
		}
		all = append(all, value)
	}
	return all, classify(rows.Err())
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
		return nil, classify(err)
	}
	defer rows.Close()
	for len(pending) < limit && rows.Next() {
		var first int64
		var lines []byte
		if err := rows.Scan(&first, &lines); err != nil {
			return nil, classify(err)
		}
		events, err := decodeEvents(lines)
		if err != nil {
			return nil, err
		}
		for i := range events {
			if number := first + int64(i); number > through && len(pending) < limit {
				events[i].ID = watch.EventID(s.secret, number)
				pending = append(pending, events[i])
			}
		}
	}
	return pending, classify(rows.Err())
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
		return 0, classify(err)
	case len(value) != 8:
		return 0, ErrDamaged
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
		return nil, classify(err)
	}
	return scanRecords[watch.Subscription](rows)
}

// SetSubscription implements [watch.Store].
func (s *Store) SetSubscription(ctx context.Context, of watch.Subscription) error {
	text, err := json.Marshal(of)
	if err != nil {
		return err
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return classify(s.exec(ctx, "insert or replace into subscriptions (id, record) values (?, ?)", of.ID, string(text)))
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

// classify turns SQLite's result codes into the errors of this package.
func classify(err error) error {
	codes := sqlitecode.Errors{
		Locked: ErrLocked, NotDatabase: ErrNotState, Damaged: ErrDamaged, Full: ErrFull,
	}
	return codes.Classify(err)
}
