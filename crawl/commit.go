package crawl

import (
	"cmp"
	"context"
	"slices"
	"sync"
)

// batch is a commit and about how many bytes of memory it takes.
type batch struct {
	Commit
	size int
}

// committer cuts the pending results into batches and writes them to the store.
type committer struct {
	*state
	store   Store
	batches chan batch
	order   sync.Mutex // batches are sent in the order in which they are cut
}

// flush sends the pending results to the writer: all of them, or only a full batch.
func (c *committer) flush(all bool) {
	if !c.isDue(all) {
		return
	}
	c.order.Lock()
	defer c.order.Unlock()
	if !c.isDue(all) {
		return
	}
	c.mutex.Lock()
	full := c.pending
	c.writing += len(full.Done)
	c.writingSize += full.size
	c.pending = batch{Commit: Commit{Done: make([]Page, 0, commitPages), Found: make([]Link, 0, commitPages)}}
	c.mutex.Unlock()
	// The rows of a file are packed best in this order. A page that was requested again is there twice.
	slices.SortStableFunc(full.Done, func(a, b Page) int { return cmp.Compare(a.ID, b.ID) })
	c.batches <- full
}

func (c *committer) isDue(all bool) bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	done, found := len(c.pending.Done), len(c.pending.Found)+len(c.pending.Seeds)
	return done >= commitPages || c.pending.size >= commitBytes || all && done+found > 0
}

// write appends batches to the store until the channel closes. If the store fails,
// the crawl ends and further batches are dropped.
func (c *committer) write(cancel context.CancelFunc) {
	failed := false
	for batch := range c.batches {
		if !failed {
			// A batch is never given up halfway, so the context is not that of the run.
			if err := c.store.Append(context.Background(), batch.Commit); err != nil {
				failed = true
				c.fail(err)
				cancel()
			}
		}
		c.confirm(&batch)
	}
}

// confirm lets the workers that wait for the store continue.
func (c *committer) confirm(written *batch) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.writing -= len(written.Done)
	c.writingSize -= written.size
	c.wake.Broadcast()
}
