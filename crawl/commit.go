package crawl

import (
	"context"
	"sync"
)

// committer cuts the pending results into batches and writes them to the store.
type committer struct {
	*state
	store   Store
	batches chan Commit
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
	batch := c.pending
	c.writing += len(batch.Done)
	c.pending = Commit{Done: make([]Page, 0, commitPages), Found: make([]Link, 0, commitPages)}
	c.mutex.Unlock()
	c.batches <- batch
}

func (c *committer) isDue(all bool) bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	done, found := len(c.pending.Done), len(c.pending.Found)+len(c.pending.Seeds)
	return done >= commitPages || all && done+found > 0
}

// write appends batches to the store until the channel closes. If the store fails,
// the crawl ends and further batches are dropped.
func (c *committer) write(cancel context.CancelFunc) {
	failed := false
	for batch := range c.batches {
		if failed {
			continue
		}
		// A batch is never given up halfway, so the context is not that of the run.
		if err := c.store.Append(context.Background(), batch); err != nil {
			failed = true
			c.fail(err)
			cancel()
		}
		c.confirm(len(batch.Done))
	}
}

// confirm lets the workers that wait for the store continue.
func (c *committer) confirm(pages int) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.writing -= pages
	c.wake.Broadcast()
}
