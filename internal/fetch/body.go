package fetch

import (
	"errors"
	"io"
	"net/http"
)

// wireBody is the body as it comes over the network, watched by the deadlines. It
// ends after limit bytes, for codings can hold any number of bytes that decode
// to nothing.
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

// readBody appends what body holds to buffer, up to limit bytes in all, and
// says whether there was more. length is what the server promises, -1 for
// nothing; it only chooses the first size. After an error the buffer holds
// what came before it.
func readBody(body io.Reader, buffer []byte, limit, length int64) (read []byte, truncated bool, err error) {
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
			buffer = append(buffer, 0)[:len(buffer)]
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

// drain reads a body that nobody wants, if it is small: that is cheaper than
// a new connection. Failures do not matter; the caller closes the body.
func drain(body io.Reader, length int64) {
	const small = 32 << 10
	if length <= small {
		_, _ = io.CopyN(io.Discard, body, small+1)
	}
}

// readsBody says whether the body of an answer can be of use: errors and
// redirects are known by their header.
func readsBody(status int) bool {
	return status >= 200 && status < 300 && status != http.StatusNoContent
}
