package jobs

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/mapatools/mapa/internal/sqlite"
	"github.com/mapatools/mapa/internal/statefile"
)

func open(t *testing.T, folder string) *Store {
	t.Helper()
	s, err := Open(t.Context(), folder)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func update(t *testing.T, s *Store, change func(*Tx) error) {
	t.Helper()
	if err := s.Update(t.Context(), change); err != nil {
		t.Fatal(err)
	}
}

// TestOpen keeps the key, excludes a second server, and refuses other files untouched.
func TestOpen(t *testing.T) {
	folder := t.TempDir()
	s := open(t, folder)
	if _, err := Open(t.Context(), folder); !errors.Is(err, sqlite.ErrLocked) {
		t.Errorf("a second server: %v", err)
	}
	key := s.Key()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(folder, FileName))
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if again := open(t, folder); len(key) != 32 || !reflect.DeepEqual(again.Key(), key) {
		t.Errorf("key %x, then %x", key, again.Key())
	}
	for name, text := range map[string]string{
		"text": "This is a text and no database at all.", "zeros": string(make([]byte, 9000)),
	} {
		folder := t.TempDir()
		file := filepath.Join(folder, FileName)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(t.Context(), folder); !errors.Is(err, sqlite.ErrForeign) {
			t.Errorf("%s: %v", name, err)
		}
		if after, err := os.ReadFile(file); err != nil || string(after) != text {
			t.Errorf("%s was changed, %v", name, err)
		}
	}
}

// TestVersions refuses a file of another program, of another version, and damaged ones.
func TestVersions(t *testing.T) {
	for change, want := range map[string]error{
		"pragma application_id = 7":                   sqlite.ErrForeign,
		"pragma user_version = 99":                    statefile.ErrVersion,
		"delete from meta":                            sqlite.ErrDamaged,
		"drop table meta":                             sqlite.ErrDamaged,
		"alter table meta rename column value to key": sqlite.ErrDamaged,
	} {
		folder := t.TempDir()
		if err := open(t, folder).Close(); err != nil {
			t.Fatal(err)
		}
		db, err := sql.Open("sqlite", filepath.Join(folder, FileName))
		if err == nil {
			_, err = db.Exec(change)
		}
		if err := errors.Join(err, db.Close()); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(t.Context(), folder); !errors.Is(err, want) {
			t.Errorf("%s: %v", change, err)
		}
	}
}

// TestDamaged reads a crawl whose number is a text.
func TestDamaged(t *testing.T) {
	s := open(t, t.TempDir())
	update(t, s, func(tx *Tx) error { return tx.AddCrawl(&Crawl{ID: "id", Site: "example.com", State: StateDone}) })
	for _, change := range []string{
		"create table other as select * from crawl; drop table crawl; alter table other rename to crawl; " +
			"update crawl set created = 'today'",
		"alter table crawl rename column created to other",
	} {
		update(t, s, func(tx *Tx) error { return tx.exec(change) })
		err := s.Update(t.Context(), func(tx *Tx) error {
			_, err := tx.Crawl("id")
			return err
		})
		if !errors.Is(err, sqlite.ErrDamaged) || !strings.HasSuffix(err.Error(), FileName+" is damaged") {
			t.Errorf("%s: %v", change, err)
		}
	}
}

// TestRecords stores and reads back every kind of record.
func TestRecords(t *testing.T) {
	s := open(t, t.TempDir())
	at := time.UnixMilli(1_800_000_000_123)
	crawl := &Crawl{
		ID: "a", Site: "example.com", Start: "example.com/", Host: "example.com", Client: "me", State: StateQueued,
		Schedule: "s", Created: at, Expires: at.Add(time.Hour), Size: 7,
		Details: Details{
			URL: "https://example.com/", Options: map[string][]string{"rate": {"5"}}, Counts: Counts{Pages: 3},
			Failure: &Failure{Code: "x"}, Publication: &Publication{Folder: "/p"},
		},
	}
	schedule := &Schedule{
		ID: "s", Site: "example.com", URL: "https://example.com/", Every: time.Hour, Next: at, Webhook: "w",
		Publish: PublishTarget{Folder: "/p"}, Announce: AnnounceTarget{To: []string{"bing"}},
	}
	task := &Task{Crawl: "a", Schedule: "s", Kind: TaskPublish, Due: at, Body: "b"}
	update(t, s, func(tx *Tx) error {
		return errors.Join(tx.AddCrawl(crawl), tx.SaveSchedule(schedule), tx.AddTask(task))
	})
	update(t, s, func(tx *Tx) error {
		gotCrawl, err := tx.Crawl("a")
		if err != nil || !reflect.DeepEqual(gotCrawl, crawl) {
			t.Errorf("%+v, %v", gotCrawl, err)
		}
		gotSchedule, err := tx.Schedule("s")
		if err != nil || !reflect.DeepEqual(gotSchedule, schedule) {
			t.Errorf("%+v, %v", gotSchedule, err)
		}
		gotTask, err := tx.DueTask(at)
		if err != nil || !reflect.DeepEqual(gotTask, task) {
			t.Errorf("%+v, %v", gotTask, err)
		}
		early, err := tx.DueTask(at.Add(-time.Millisecond))
		if early != nil || !errors.Is(err, ErrNotFound) {
			t.Errorf("a task that is not due: %+v, %v", early, err)
		}
		if id, err := tx.Active("s"); id == "" || err != nil {
			t.Errorf("active: %q, %v", id, err)
		}
		if due, err := tx.DueSchedules(at); len(due) != 1 || err != nil {
			t.Errorf("due: %v, %v", due, err)
		}
		if site, err := tx.Site([]string{"example.com"}); site.Crawls != 1 || len(site.Schedules) != 1 || err != nil {
			t.Errorf("site: %v, %v", site, err)
		}
		return errors.Join(tx.DeleteCrawl("a"), tx.DeleteSchedule("s"))
	})
	update(t, s, func(tx *Tx) error {
		_, crawlErr := tx.Crawl("a")
		_, scheduleErr := tx.Schedule("s")
		_, siteErr := tx.Site([]string{"example.com"})
		next, err := tx.NextTask()
		for _, err := range []error{crawlErr, scheduleErr, siteErr} {
			if !errors.Is(err, ErrNotFound) {
				t.Errorf("after deletion: %v", err)
			}
		}
		if !next.IsZero() {
			t.Errorf("a task is left, due %v", next)
		}
		return err
	})
}

// TestUpdate keeps nothing of a change that fails.
func TestUpdate(t *testing.T) {
	s := open(t, t.TempDir())
	failed := errors.New("failed")
	err := s.Update(t.Context(), func(tx *Tx) error {
		return errors.Join(tx.AddCrawl(&Crawl{ID: "a"}), failed)
	})
	if !errors.Is(err, failed) {
		t.Errorf("error %v", err)
	}
	update(t, s, func(tx *Tx) error {
		if c, err := tx.Crawl("a"); !errors.Is(err, ErrNotFound) {
			t.Errorf("%+v, %v", c, err)
		}
		return nil
	})
}

// TestUsage counts by day and client, and forgets earlier days.
func TestUsage(t *testing.T) {
	s := open(t, t.TempDir())
	today := time.Date(2026, 11, 22, 23, 59, 0, 0, time.UTC)
	update(t, s, func(tx *Tx) error {
		for _, client := range []string{"a", "a", "b"} {
			if err := tx.AddUsage(today, client, Usage{1, 10}); err != nil {
				return err
			}
		}
		a, errA := tx.Usage(today, "a")
		all, errAll := tx.TotalUsage(today)
		if a != (Usage{2, 20}) || all != (Usage{3, 30}) {
			t.Errorf("%v of %v", a, all)
		}
		tomorrow := today.Add(2 * time.Minute)
		next, err := tx.Usage(tomorrow, "a")
		if next != (Usage{}) {
			t.Errorf("the next day %v", next)
		}
		return errors.Join(errA, errAll, err, tx.AddUsage(tomorrow, "a", Usage{1, 1}))
	})
	update(t, s, func(tx *Tx) error {
		if before, err := tx.TotalUsage(today); before != (Usage{}) || err != nil {
			t.Errorf("the day before: %v, %v", before, err)
		}
		return nil
	})
}
