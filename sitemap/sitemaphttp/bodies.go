package sitemaphttp

import (
	"bytes"
	"container/list"
	"context"
	"io"
	"sync"

	"github.com/klauspost/compress/gzip"
)

// maxRenders is how many parts are rendered at once, and how many rendered ones
// that are not in the cache are sent at once. Each uses a connection of a database
// and, until the client has it, memory.
const maxRenders = 4

// bodies holds the parts that are being rendered or sent, and compressed ones after
// that, up to a number of bytes. All requests for a version of a part share a body.
// What is in use counts as well, so the memory is bounded by the cache and by
// maxRenders bodies.
type bodies struct {
	ctx     context.Context // of all rendering
	running sync.WaitGroup
	slots   chan *slot // one for each that may be rendered

	mutex sync.Mutex
	byKey map[bodyKey]*body
	idle  list.List // of *body: kept and not in use, the one unused for longest first
	bytes int64     // of all kept bodies
	limit int64
}

// A slot is what rendering a part needs. A body that is not compressed keeps its slot
// until it has been sent, so its content can stay in the buffer.
type slot struct {
	zip *gzip.Writer
	out bytes.Buffer
}

// keptBuffer is how large a buffer may be for the next part to use it.
const keptBuffer = 4 << 20

// A bodyKey identifies a version of a part and its encoding.
type bodyKey struct {
	name, tag string
	packed    bool
}

// A body is the content of a response.
type body struct {
	key     bodyKey
	done    chan struct{} // closed when the fields below are set
	content []byte
	size    int64 // before compression
	err     error

	cancel context.CancelFunc // of the rendering
	slot   *slot              // that it takes, or nil

	// Under the lock of bodies:
	users int
	kept  bool
	place *list.Element // in idle, or nil
}

// A render writes a part and returns the number of bytes. size is the expected one.
type render struct {
	size  int64
	write func(ctx context.Context, w io.Writer) (int64, error)
}

func newBodies(ctx context.Context, limit int64) *bodies {
	b := &bodies{ctx: ctx, byKey: map[bodyKey]*body{}, limit: limit, slots: make(chan *slot, maxRenders)}
	for range maxRenders {
		b.slots <- &slot{zip: newGzip()}
	}
	return b
}

// get returns a body, which the caller must release, rendering it unless it is there
// or another request has it rendered. The rendering goes on when ctx ends as long as
// another request waits for it.
func (b *bodies) get(ctx context.Context, key bodyKey, render render) (*body, error) {
	found := b.use(key, render)
	select {
	case <-found.done:
	case <-ctx.Done():
		b.release(found)
		return nil, context.Cause(ctx)
	}
	if found.err != nil {
		b.release(found)
		return nil, found.err
	}
	return found, nil
}

// use returns a body that may not be done yet, and counts a user.
func (b *bodies) use(key bodyKey, render render) *body {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	found := b.byKey[key]
	if found == nil {
		ctx, cancel := context.WithCancel(b.ctx)
		found = &body{key: key, done: make(chan struct{}), cancel: cancel}
		b.byKey[key] = found
		b.running.Go(func() { b.render(ctx, found, render) })
	}
	b.useLocked(found)
	return found
}

func (b *bodies) useLocked(found *body) {
	if found.place != nil {
		b.idle.Remove(found.place)
		found.place = nil
	}
	found.users++
}

// kept returns a body of the cache, which the caller must release, or nil.
func (b *bodies) kept(key bodyKey) *body {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	found := b.byKey[key]
	if found == nil || !found.kept {
		return nil
	}
	b.useLocked(found)
	return found
}

// release ends a use. A body that is not kept is forgotten after the last one.
func (b *bodies) release(used *body) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	used.users--
	switch {
	case used.users > 0:
	case used.kept:
		used.place = b.idle.PushBack(used)
	default:
		used.cancel()
		b.forgetLocked(used)
		b.freeSlotLocked(used)
	}
}

// forgetLocked lets the next request render the body again.
func (b *bodies) forgetLocked(used *body) {
	if b.byKey[used.key] == used {
		delete(b.byKey, used.key)
	}
}

// freeSlotLocked lets another body be rendered.
func (b *bodies) freeSlotLocked(used *body) {
	if used.slot == nil {
		return
	}
	if used.slot.out.Cap() > keptBuffer {
		used.slot.out = bytes.Buffer{}
	}
	b.slots <- used.slot
	used.slot = nil
}

func (b *bodies) render(ctx context.Context, into *body, render render) {
	defer close(into.done)
	defer into.cancel()
	var taken *slot
	select {
	case taken = <-b.slots:
	case <-ctx.Done():
	}
	var content []byte
	var size int64
	err := ctx.Err()
	if err == nil {
		err = guard(func() error {
			content, size, err = taken.render(ctx, render, into.key.packed)
			return err
		})
	}
	b.mutex.Lock()
	defer b.mutex.Unlock()
	into.content, into.size, into.err, into.slot = content, size, err, taken
	if err == nil && into.key.packed && into.users > 0 {
		b.keepLocked(into)
	}
	if err != nil {
		b.forgetLocked(into)
	}
	if err != nil || into.kept || into.users == 0 {
		b.freeSlotLocked(into)
	}
}

// render returns the content of a part and its size before compression.
func (s *slot) render(ctx context.Context, render render, packed bool) (content []byte, size int64, err error) {
	s.out.Reset()
	if !packed {
		s.out.Grow(int(render.size))
		size, err = render.write(ctx, &s.out)
		return s.out.Bytes(), size, err
	}
	s.zip.Reset(&s.out)
	if size, err = render.write(ctx, s.zip); err == nil {
		err = s.zip.Close()
	}
	return bytes.Clone(s.out.Bytes()), size, err
}

// keepLocked puts a body into the cache if there is room, or can be.
func (b *bodies) keepLocked(fresh *body) {
	size := int64(len(fresh.content))
	for b.bytes+size > b.limit && b.idle.Len() > 0 {
		oldest := b.idle.Remove(b.idle.Front()).(*body)
		b.bytes -= int64(len(oldest.content))
		b.forgetLocked(oldest)
	}
	if b.bytes+size <= b.limit {
		fresh.kept = true
		b.bytes += size
	}
}
