package source

import (
	"context"
	"fmt"
	"sync"
	"unsafe"

	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/urlnorm"
	"github.com/mapatools/mapa/sitemap"
)

// A target is a location to open.
type target struct {
	location string
	index    string  // the index or robots.txt that lists it
	source   string  // the caller's source that led to it
	root     bool    // it is a source of the caller
	bound    bool    // an index lists it, so it is on the host of the index
	opened   *opened // its content where that was requested already
}

// A result is what opening a target came to: a file of pages, or the targets that
// an index lists or a folder holds, or neither.
type result struct {
	file     *File
	children []target
	listed   int   // sitemaps that the index lists, also those that are no children
	err      error // may come together with children, when an index broke off
	isFolder bool  // the children are the files in a folder, not listed by an index
}

// A follower walks the tree of sources and indexes, depth first.
type follower struct {
	ctx     context.Context
	options Options
	opener  *opener
	yield   func(*File, error) bool
	seen    map[string]bool
	listed  int            // by the indexes that were delivered
	open    sync.WaitGroup // files that were yielded and are not closed yet
}

// newFollower fails when an option is invalid.
func newFollower(ctx context.Context, options *Options, yield func(*File, error) bool) (_ *follower, err error) {
	f := &follower{ctx: ctx, yield: yield, seen: map[string]bool{}}
	if options != nil {
		f.options = *options
	}
	f.opener, err = newOpener(&f.options)
	return f, err
}

// release calls cancel when the last yielded file is closed.
func (f *follower) release(cancel context.CancelFunc) {
	go func() {
		f.open.Wait()
		cancel()
	}()
}

// follow delivers targets in order and opens some of them ahead. It returns false
// when the caller stops the iteration.
func (f *follower) follow(targets []target, depth int) bool {
	pending := make([]chan result, len(targets))
	taken, started := 0, 0
	defer func() {
		for _, later := range pending[taken:started] {
			go closeUnused(later)
		}
	}()
	for i, t := range targets {
		for ; started < len(targets) && started < i+lookahead; started++ {
			pending[started] = f.start(targets[started], depth)
		}
		result := <-pending[i]
		taken++
		if !f.deliver(t, result, depth) {
			return false
		}
		if f.ctx.Err() != nil {
			return false
		}
	}
	return true
}

// closeUnused closes a file that will not be yielded.
func closeUnused(later chan result) {
	if result := <-later; result.file != nil {
		result.file.Close()
	}
}

// start opens a target in its own goroutine, unless it was seen before.
func (f *follower) start(t target, depth int) chan result {
	later := make(chan result, 1)
	key := normalized(t.location)
	switch {
	case f.seen[key]:
		close(later)
		return later
	case depth > maxDepth:
		later <- result{err: ErrTooDeep}
		close(later)
		return later
	}
	f.seen[key] = true
	go func() {
		defer close(later)
		later <- f.opener.open(f.ctx, t)
	}()
	return later
}

func (f *follower) deliver(t target, result result, depth int) bool {
	if result.file != nil {
		result.file.Source = t.source
		f.open.Add(1)
		result.file.body = &onceCloser{close: result.file.body.Close, done: func() {
			close(result.file.closed)
			f.open.Done()
		}}
		if !f.yield(result.file, nil) {
			return false
		}
		if result.file.Format == sitemap.FormatIndex && !f.await(&result) {
			return false
		}
	}
	for i := range result.children {
		result.children[i].source = t.source
	}
	if result.isFolder {
		depth-- // a folder is no index
	}
	return f.descend(t, &result, depth)
}

// descend follows what an index lists, up to the limit of a run, where the iteration
// ends.
func (f *follower) descend(t target, index *result, depth int) bool {
	f.listed += index.listed
	within := max(0, len(index.children)-max(0, f.listed-maxSitemaps))
	goesOn := within == 0 || f.follow(index.children[:within], depth+1)
	f.opener.release(index.children)
	if !goesOn || index.err != nil && !f.yield(nil, &Error{t.location, t.index, t.source, index.err}) {
		return false
	}
	if index.listed == 0 || f.listed <= maxSitemaps {
		return true
	}
	if within < len(index.children) {
		t = index.children[within]
	}
	f.yield(nil, &Error{t.location, t.index, t.source, errListed})
	return false
}

// await waits until the caller has closed an index and takes what it lists.
func (f *follower) await(result *result) bool {
	select {
	case <-result.file.closed:
		result.children, result.listed, result.err = result.file.children, result.file.listed, result.file.full
		return true
	case <-f.ctx.Done():
		return false
	}
}

type onceCloser struct {
	once  sync.Once
	close func() error
	done  func()
}

func (c *onceCloser) Close() (err error) {
	c.once.Do(func() {
		err = c.close()
		c.done()
	})
	return err
}

// children reads what an index lists, without sitemaps older than Options.Since and,
// unless Options.CrossHost is set, those of other hosts.
func (o *opener) children(index string, reader *sitemap.Reader) (r result) {
	var faults faultList
	for entry, err := range reader.Entries() {
		if err != nil {
			faults.add(err)
			continue
		}
		if !entry.IsSitemap() {
			faults.mixed = true
			continue
		}
		if r.listed++; r.listed > maxSitemaps {
			break // the others are not followed
		}
		if o.isOld(entry) {
			continue
		}
		t, err := o.child(index, entry)
		if err != nil {
			faults.add(err)
			continue
		}
		if err = o.hold(&t); err != nil {
			faults.add(err)
			break
		}
		r.children = append(r.children, t)
	}
	r.err = faults.err()
	return r
}

// hold counts the bytes of a target of an index. The error says that those of all
// indexes that are followed are too many.
func (o *opener) hold(t *target) error {
	size := t.size()
	if o.held.Add(size) > maxChildren {
		o.held.Add(-size)
		return fmt.Errorf("%w: their URLs take more than %d MB of memory", ErrTooMany, maxChildren>>20)
	}
	return nil
}

// release takes off what hold counted.
func (o *opener) release(targets []target) {
	for i := range targets {
		o.held.Add(-targets[i].size())
	}
}

// size is about how many bytes of memory the target takes.
func (t *target) size() int64 { return int64(unsafe.Sizeof(*t)) + int64(len(t.location)) }

// child returns the target of an entry of an index: a URL or, for an index on disk,
// a file in its folder. An index must not open any other file on disk: it could
// name a device that never ends.
func (o *opener) child(index string, entry *sitemap.Entry) (target, error) {
	if len(entry.Loc) > maxAddress {
		err := fmt.Errorf("%w: URL of %d bytes", ErrOpen, len(entry.Loc))
		return target{}, &Error{Location: string(entry.Loc[:maxAddress]), Index: index, Err: err}
	}
	loc, onDisk := o.findPart(index, string(entry.Loc))
	if !onDisk && !urlnorm.IsHTTP(loc) {
		err := fmt.Errorf("%w: neither a URL nor a file in the folder of the index", ErrOpen)
		return target{}, &Error{Location: loc, Index: index, Err: err}
	}
	if !onDisk {
		loc, _ = format.CutUser(o.mapped(loc)) // credentials that a site names are not sent
	}
	bound := urlnorm.Host(index) != ""
	if bound && !o.options.CrossHost && otherHost(o.mapped(index), loc) {
		return target{}, &Error{Location: loc, Err: ErrOtherHost}
	}
	return target{location: loc, index: index, bound: bound}, nil
}

// mapped is [Options].MapURL.
func (o *opener) mapped(address string) string {
	if o.options.MapURL == nil {
		return address
	}
	return o.options.MapURL(address)
}

func (o *opener) isOld(entry *sitemap.Entry) bool {
	date, err := entry.Date()
	return err == nil && !date.IsZero() && date.Time().Before(o.options.Since)
}

// otherHost reports whether a URL is on another host than the index that lists it.
// An index on disk has no host.
func otherHost(index, loc string) bool {
	from, to := urlnorm.Host(index), urlnorm.Host(loc)
	return from != "" && to != "" && from != to
}

// normalized returns a URL in its normal form, without fragment, so that equal URLs
// compare equal. A path is returned as it is.
func normalized(location string) string {
	var none urlnorm.Base
	if usual, err := none.AppendResolve(nil, []byte(location)); err == nil && urlnorm.IsHTTP(location) {
		return string(usual)
	}
	return location
}
