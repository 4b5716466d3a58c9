package source

import (
	"context"
	"io"
)

// An interruptible reads an input that may wait for ever, such as standard input, until
// its context ends. A read that then still waits is left behind.
type interruptible struct {
	ctx    context.Context
	in     io.Reader
	buffer []byte // of the read that may be left behind
	rest   []byte // of the buffer, not returned yet
	done   chan readResult
}

type readResult struct {
	n   int
	err error
}

func newInterruptible(ctx context.Context, in io.Reader) *interruptible {
	if r, ok := in.(*interruptible); ok {
		return r
	}
	return &interruptible{ctx: ctx, in: in, buffer: make([]byte, 64<<10), done: make(chan readResult, 1)}
}

// Read implements [io.Reader].
func (r *interruptible) Read(p []byte) (int, error) {
	if len(r.rest) == 0 {
		if err := r.ctx.Err(); err != nil {
			return 0, err
		}
		go func() {
			n, err := r.in.Read(r.buffer)
			r.done <- readResult{n, err}
		}()
		select {
		case <-r.ctx.Done():
			return 0, r.ctx.Err()
		case result := <-r.done:
			if r.rest = r.buffer[:result.n]; result.n == 0 {
				return 0, result.err
			}
		}
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}
