package roundtrip

import (
	"context"
	"io"
	"net/http"
)

// chunkSize is the size of the two buffers of a body.
const chunkSize = 16 << 10

// An answer is what RoundTrip of net/http returns.
type answer struct {
	response *http.Response
	err      error
}

// A chunk is a part of a body, and the error after it.
type chunk struct {
	bytes []byte
	err   error
}

// A stream is one exchange whose body is read as it arrives. A goroutine reads the
// body ahead, and the caller only waits for its chunks. Cancelling the context ends
// the goroutine.
type stream struct {
	transport *Transport
	pool      *pool
	ctx       context.Context
	cancel    context.CancelCauseFunc
	chunks    chan chunk

	rest []byte // of the chunk that was received last
	err  error  // after rest
}

// run sends the request and reads the body.
func (s *stream) run(r *http.Request, answered chan<- answer) {
	response, err := s.pool.transport.RoundTrip(r)
	if err != nil {
		answered <- answer{err: err}
		return
	}
	body := response.Body // RoundTrip replaces it in the response
	defer body.Close()
	defer close(s.chunks) // first, since Close may never return
	answered <- answer{response: response}
	if body != http.NoBody {
		s.readAhead(body)
	}
}

// readAhead reads the body into two buffers in turn: into one while the caller uses the
// other.
func (s *stream) readAhead(body io.Reader) {
	var buffers [2][]byte
	for i := 0; ; i = 1 - i {
		if buffers[i] == nil {
			buffers[i] = make([]byte, chunkSize)
		}
		n, err := body.Read(buffers[i])
		select {
		case s.chunks <- chunk{buffers[i][:n], err}:
		case <-s.ctx.Done():
			return
		}
		if err != nil {
			return
		}
	}
}

// Read implements [io.Reader].
func (s *stream) Read(p []byte) (int, error) {
	for len(s.rest) == 0 && s.err == nil {
		next, err := await(s.ctx, s.transport, s.pool, s.chunks)
		switch {
		case err != nil:
			s.err = err
		case next.bytes == nil && next.err == nil: // closed
			s.err = context.Cause(s.ctx)
		default:
			s.rest, s.err = next.bytes, next.err
		}
	}
	n := copy(p, s.rest)
	s.rest = s.rest[n:]
	if len(s.rest) == 0 {
		return n, s.err
	}
	return n, nil
}

// Close ends the exchange. It does not wait for net/http.
func (s *stream) Close() error {
	s.cancel(nil)
	return nil
}
