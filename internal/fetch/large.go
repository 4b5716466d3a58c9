package fetch

import (
	"context"
	"slices"

	"golang.org/x/sync/semaphore"
)

const (
	// largeBody is how many bytes of a body arrive before it counts as large.
	largeBody = 256 << 10
	// expectedBody is how many bytes a large body of unknown length is taken for.
	expectedBody = 2 << 20
)

// LargeBodies bounds the memory of large bodies. A body of more than 256 KiB waits,
// without being read, until the others have room for it, and counts until the Release of
// its response. It is safe for concurrent use.
type LargeBodies struct {
	limit int64
	room  *semaphore.Weighted
}

// NewLargeBodies returns LargeBodies of about so many bytes. A single body may be
// larger.
func NewLargeBodies(bytes int64) *LargeBodies {
	return &LargeBodies{bytes, semaphore.NewWeighted(bytes)}
}

// A lease is the room of one body.
type lease struct {
	from  *LargeBodies // nil without a bound
	taken int64
}

// grow returns a larger buffer with the same content, for at most limit bytes. length is
// the Content-Length, or -1. When the body becomes large it waits for room, during which
// the deadlines of the exchange do not count. It fails only when ctx ends.
func (l *lease) grow(ctx context.Context, watch *watch, buffer []byte, length, limit int64) ([]byte, error) {
	more := min(int64(len(buffer)), limit-int64(len(buffer)))
	if l.from == nil || l.taken > 0 || int64(len(buffer))+more <= largeBody {
		return slices.Grow(buffer, int(more)), nil
	}
	expected := int64(expectedBody)
	if length >= 0 {
		expected = length + 1 // to see the end
	}
	expected = min(max(expected, int64(len(buffer))+1), limit)
	if err := l.take(ctx, watch, min(expected, l.from.limit)); err != nil {
		return buffer, err
	}
	return append(make([]byte, 0, expected), buffer...), nil
}

func (l *lease) take(ctx context.Context, watch *watch, bytes int64) error {
	if !l.from.room.TryAcquire(bytes) {
		watch.suspend()
		err := l.from.room.Acquire(ctx, bytes)
		watch.resume()
		if err != nil {
			return context.Cause(ctx)
		}
	}
	l.taken = bytes
	return nil
}

// Release ends the use of the body, which counts for [Request].Large until then. It does
// nothing for a nil Response.
func (r *Response) Release() {
	if r != nil && r.lease != nil && r.lease.taken > 0 {
		r.lease.from.room.Release(r.lease.taken)
		r.lease.taken = 0
	}
}
