package source

import (
	"context"
	"io"
)

// An interruptibleReader reads an input that may block for ever, such as standard input, until
// its context ends. It abandons a read that still blocks then.
type interruptibleReader struct {
	ctx    context.Context
	in     io.Reader
	buffer []byte // of the read, which may be abandoned
	rest   []byte // of the buffer, not returned yet
	done   chan readResult
}

type readResult struct {
	n   int
	err error
}

func newInterruptibleReader(ctx context.Context, in io.Reader) *interruptibleReader {
	if r, ok := in.(*interruptibleReader); ok {
		return r
	}
	return &interruptibleReader{ctx: ctx, in: in, buffer: make([]byte, 64<<10), done: make(chan readResult, 1)}
}

// Read implements [io.Reader].
func (r *interruptibleReader) Read(p []byte) (int, error) {
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
