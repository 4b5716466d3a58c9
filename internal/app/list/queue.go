package list

import (
	"io"
)

const (
	flushSize   = 64 << 10
	maxBuffered = 1 << 20 // output of one file before its turn
)

// A queue lets several writers share one output. They write in the order in which they
// were created, and each buffers a limited amount until its turn.
type queue struct {
	out  io.Writer
	last chan struct{} // closed when the last writer is done
}

func newQueue(out io.Writer) *queue {
	first := make(chan struct{})
	close(first)
	return &queue{out, first}
}

// next returns a writer whose turn comes after those of all earlier ones.
func (q *queue) next() *queueWriter {
	w := &queueWriter{out: q.out, turn: q.last, done: make(chan struct{})}
	q.last = w.done
	return w
}

// A queueWriter is a writer in the queue. Its owner appends to buf, calls flush regularly,
// and must call close.
type queueWriter struct {
	buf  []byte
	out  io.Writer
	turn <-chan struct{}
	done chan struct{}
}

// flush writes a full buffer when it is its turn, and waits for the turn when too much
// is buffered.
func (w *queueWriter) flush() error {
	if len(w.buf) < flushSize {
		return nil
	}
	if len(w.buf) < maxBuffered {
		select {
		case <-w.turn:
		default:
			return nil
		}
	}
	return w.write()
}

func (w *queueWriter) close() error {
	defer close(w.done)
	return w.write()
}

func (w *queueWriter) write() error {
	<-w.turn
	_, err := w.out.Write(w.buf)
	w.buf = w.buf[:0]
	return err
}
