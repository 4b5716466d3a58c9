package service

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"
)

// maxOpen is how many results stay open that nobody reads.
const maxOpen = 8

// A resultCache shares open results among those who read them, and keeps the folders of
// results that are read.
type resultCache struct {
	mutex   sync.Mutex
	entries map[string]*resultEntry // by crawl
}

// A resultEntry is a crawl whose result is read, or was.
type resultEntry struct {
	users   int
	used    time.Time
	result  openResult    // nil until it is open
	opening chan struct{} // closed when result is open or could not be opened
	dropped func()        // called when the last user is done, or nil
}

// An openResult is a result that is read. A damaged one must be opened again.
type openResult interface {
	io.Closer
	Damaged() bool
}

func newResultCache() *resultCache {
	return &resultCache{entries: map[string]*resultEntry{}}
}

// pin keeps the folder of a crawl until release is called.
func (c *resultCache) pin(id string) (release func()) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	e := c.entryLocked(id)
	e.users++
	return sync.OnceFunc(func() { c.release(id, e) })
}

func (c *resultCache) entryLocked(id string) *resultEntry {
	e := c.entries[id]
	if e == nil {
		e = &resultEntry{}
		c.entries[id] = e
	}
	return e
}

// inUse reports whether somebody reads the folder of a crawl.
func (c *resultCache) inUse(id string) bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	e := c.entries[id]
	return e != nil && e.users > 0
}

func (c *resultCache) release(id string, e *resultEntry) {
	c.mutex.Lock()
	e.users--
	e.used = time.Now()
	var closing []*resultEntry
	switch {
	case e.users > 0:
	case e.dropped != nil || e.result == nil || e.result.Damaged():
		if c.entries[id] == e {
			delete(c.entries, id)
		}
		closing = append(closing, e)
	default:
		closing = c.evictLocked()
	}
	c.mutex.Unlock()
	closeAll(closing)
}

// evictLocked removes the results that were used longest ago, if more than maxOpen are
// open that nobody reads.
func (c *resultCache) evictLocked() (evicted []*resultEntry) {
	for {
		idle, oldest := 0, ""
		for id, e := range c.entries {
			if e.users > 0 {
				continue
			}
			if idle++; oldest == "" || e.used.Before(c.entries[oldest].used) {
				oldest = id
			}
		}
		if idle <= maxOpen {
			return evicted
		}
		evicted = append(evicted, c.entries[oldest])
		delete(c.entries, oldest)
	}
}

// drop calls remove once nobody reads the folder of a crawl, and closes its result before.
func (c *resultCache) drop(id string, remove func()) {
	c.mutex.Lock()
	e := c.entries[id]
	delete(c.entries, id)
	if e != nil {
		e.dropped = remove
		if e.users > 0 {
			c.mutex.Unlock()
			return
		}
	}
	c.mutex.Unlock()
	if e == nil {
		remove()
		return
	}
	closeAll([]*resultEntry{e})
}

// closeAll closes results that nobody reads anymore.
func closeAll(entries []*resultEntry) {
	for _, e := range entries {
		if e.result != nil {
			_ = e.result.Close() // it was only read
		}
		if e.dropped != nil {
			e.dropped()
		}
	}
}

// close closes all results.
func (c *resultCache) close() error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	var errs []error
	for id, e := range c.entries {
		if e.result != nil {
			errs = append(errs, e.result.Close())
		}
		delete(c.entries, id)
	}
	return errors.Join(errs...)
}

// open returns the open result of a crawl, which stays open until release is called.
func (c *resultCache) open(
	ctx context.Context, id string, open func(context.Context) (openResult, error),
) (result openResult, release func(), err error) {
	c.mutex.Lock()
	e := c.entryLocked(id)
	e.users++
	first := e.opening == nil
	if first {
		e.opening = make(chan struct{})
	}
	opening := e.opening
	c.mutex.Unlock()
	release = sync.OnceFunc(func() { c.release(id, e) })
	if first {
		result, err := open(context.WithoutCancel(ctx))
		c.mutex.Lock()
		if e.result = result; err != nil {
			e.result, e.opening = nil, nil // the next one tries again
		}
		c.mutex.Unlock()
		close(opening)
		if err != nil {
			release()
			return nil, nil, err
		}
		return result, release, nil
	}
	select {
	case <-ctx.Done():
		release()
		return nil, nil, ctx.Err()
	case <-opening:
	}
	c.mutex.Lock()
	result = e.result
	c.mutex.Unlock()
	if result == nil {
		release()
		return c.open(ctx, id, open)
	}
	return result, release, nil
}
