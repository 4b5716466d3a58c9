package store

import (
	"context"
)

// Finish implements [crawl.Store]. It moves the log into the file and makes the index
// by URL, unless ctx ends while it does: then the first lookup makes it.
func (f *File) Finish(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := f.finish(ctx); err != nil {
		return f.db.Explain(err)
	}
	return nil
}

// finish records the state last, so that a run without enough disk space for the
// index can be repeated.
func (f *File) finish(ctx context.Context) error {
	// Through the log the index would take twice the space.
	if err := f.removeLog(); err != nil {
		return err
	}
	err := f.db.ExecUntil(ctx, indexByURL)
	if err != nil && ctx.Err() == nil {
		return err
	}
	f.indexed = err == nil
	if err := f.setFinished(true); err != nil {
		return err
	}
	f.finished = true
	return nil
}

// useLog switches to the write-ahead log, which commits with the fewest writes.
func (f *File) useLog() error {
	if f.logged {
		return nil
	}
	if err := f.db.Exec("pragma journal_mode = wal"); err != nil {
		return err
	}
	f.logged = true
	return nil
}

// removeLog moves the log into the file.
func (f *File) removeLog() error {
	f.logged = false
	return f.db.Exec("pragma journal_mode = delete")
}

// The values of state in meta.
const (
	stateRunning  = "running"
	stateFinished = "finished"
)

func (f *File) setFinished(finished bool) error {
	state := stateRunning
	if finished {
		state = stateFinished
	}
	return f.db.Exec("update meta set value = '" + state + "' where name = 'state'")
}
