package jobs

import (
	"errors"
	"time"

	"github.com/mapatools/mapa/internal/sqlite"
)

// A TaskKind is the kind of a task that follows a crawl.
type TaskKind string

// The kinds.
const (
	TaskPublish  TaskKind = "publish"
	TaskAnnounce TaskKind = "announce"
	TaskWebhook  TaskKind = "webhook"
	TaskEmail    TaskKind = "email"
)

// A Task is one thing to do after a crawl. It is repeated until it is done or given up,
// also by the next server.
type Task struct {
	Number          int64 // set by AddTask
	Crawl, Schedule string
	Kind            TaskKind
	Due             time.Time
	Tries           int
	Body            string // what to send
}

// AddTask stores a new task and sets its number.
func (tx *Tx) AddTask(t *Task) error {
	result, err := tx.tx.ExecContext(tx.ctx,
		"insert into task (crawl, schedule, kind, due, tries, body) values (?, ?, ?, ?, ?, ?)",
		t.Crawl, t.Schedule, t.Kind, sqlite.Millis(t.Due), t.Tries, t.Body)
	if err != nil {
		return err
	}
	t.Number, err = result.LastInsertId()
	return err
}

// DelayTask stores that a task was tried, and when it is due again.
func (tx *Tx) DelayTask(t *Task) error {
	return tx.exec("update task set due = ?, tries = ? where number = ?", sqlite.Millis(t.Due), t.Tries, t.Number)
}

// DeleteTask removes a task.
func (tx *Tx) DeleteTask(number int64) error {
	return tx.exec("delete from task where number = ?", number)
}

const taskColumns = "number, crawl, schedule, kind, due, tries, body"

// DueTask returns the task that has been due for longest, or ErrNotFound.
func (tx *Tx) DueTask(now time.Time) (*Task, error) {
	t, err := readTask(tx.row("select "+taskColumns+" from task where due <= ? order by due, number limit 1", sqlite.Millis(now)))
	return t, missingAsNotFound(err)
}

// NextTask returns when the next task is due, or the zero time.
func (tx *Tx) NextTask() (time.Time, error) {
	return tx.earliest("select coalesce(min(due), 0) from task")
}

// HasTasks reports whether something is left to do about a crawl.
func (tx *Tx) HasTasks(crawl string) (has bool, err error) {
	err = tx.row("select exists (select 1 from task where crawl = ?)", crawl).Scan(&has)
	return has, err
}

func readTask(row scanner) (*Task, error) {
	t := &Task{}
	var due int64
	if err := row.Scan(&t.Number, &t.Crawl, &t.Schedule, &t.Kind, &due, &t.Tries, &t.Body); err != nil {
		return nil, err
	}
	t.Due = sqlite.TimeOf(due)
	return t, nil
}

// Notified returns the digest of what a schedule last notified of, or "".
func (tx *Tx) Notified(schedule, kind string) (digest string, err error) {
	err = missingAsNotFound(tx.row("select digest from notice where schedule = ? and kind = ?", schedule, kind).Scan(&digest))
	if errors.Is(err, ErrNotFound) {
		err = nil
	}
	return digest, err
}

// SetNotified stores what a schedule notified of; an empty digest forgets it.
func (tx *Tx) SetNotified(schedule, kind, digest string) error {
	if digest == "" {
		return tx.exec("delete from notice where schedule = ? and kind = ?", schedule, kind)
	}
	return tx.exec("insert or replace into notice (schedule, kind, digest) values (?, ?, ?)", schedule, kind, digest)
}
