package fetch

import (
	"errors"
	"io"
	"net/http"
)

// wireBody is the encoded body as it arrives, checked by the deadlines. It ends
// after limit bytes, since a coding can contain any number of bytes that decode to
// nothing.
type wireBody struct {
	body  io.Reader
	watch *watch
	limit int64
	bytes int64
	err   error // what ended it early; a decoder may report something else
}

var errWireLimit = errors.New("encoded body over the limit")

func (w *wireBody) Read(p []byte) (int, error) {
	if w.bytes >= w.limit {
		w.err = errWireLimit
		return 0, errWireLimit
	}
	n, err := w.body.Read(p)
	w.bytes += int64(n)
	w.watch.progress(n)
	if err != io.EOF {
		w.err = err
	}
	return n, err
}

// readBody reads body into buffer, up to limit bytes, and reports whether there was
// more. length is the Content-Length, or -1; it only determines the first size of
// the buffer, which grow makes larger. After an error the result is what was read before
// it.
func readBody(
	body io.Reader, buffer []byte, limit, length int64, grow func([]byte) ([]byte, error),
) (read []byte, truncated bool, err error) {
	const first, trusted = 16 << 10, 256 << 10
	expected := min(max(length+1, 512), trusted, limit)
	if length < 0 {
		expected = min(first, limit)
	}
	if int64(cap(buffer)) < expected {
		buffer = make([]byte, 0, expected)
	}
	buffer = buffer[:0]
	for {
		if int64(len(buffer)) >= limit {
			more, err := hasMore(body)
			return buffer, more, err
		}
		if len(buffer) == cap(buffer) {
			if buffer, err = grow(buffer); err != nil {
				return buffer, false, err
			}
		}
		room := buffer[len(buffer):min(int64(cap(buffer)), limit)]
		n, err := body.Read(room)
		buffer = buffer[:len(buffer)+n]
		if err == io.EOF {
			return buffer, false, nil
		}
		if err != nil {
			return buffer, false, err
		}
	}
}

func hasMore(body io.Reader) (bool, error) {
	var one [1]byte
	n, err := io.ReadFull(body, one[:])
	if err == io.EOF {
		err = nil
	}
	return n > 0, err
}

// drain reads a small body to its end without using it, which is cheaper than a new
// connection. Errors are ignored; the caller closes the body.
func drain(body io.Reader, length int64) {
	const small = 32 << 10
	if length <= small {
		_, _ = io.CopyN(io.Discard, body, small+1)
	}
}

// readsBody reports whether the body of a response with this status is read. Errors
// and redirects are decided by their header.
func readsBody(status int) bool {
	return status >= 200 && status < 300 && status != http.StatusNoContent
}
