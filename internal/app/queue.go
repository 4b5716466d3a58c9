package app

import "io"

const (
	flushSize = 64 << 10
	heldBack  = 1 << 20 // what a file may print before its turn
)

// A queue lets several writers share one output: each gets its turn in the order
// in which they asked, and holds back a bounded amount until then.
type queue struct {
	out  io.Writer
	last chan struct{} // closed when the last writer is done
}

func newQueue(out io.Writer) *queue {
	first := make(chan struct{})
	close(first)
	return &queue{out, first}
}

// next returns the writer behind all that were asked for before.
func (q *queue) next() *queued {
	w := &queued{out: q.out, turn: q.last, done: make(chan struct{})}
	q.last = w.done
	return w
}

// A queued is a place in the queue. Its owner appends to buf, calls flush now and
// then, and must call close.
type queued struct {
	buf  []byte
	out  io.Writer
	turn <-chan struct{}
	done chan struct{}
}

// flush hands on a full buffer when it is its turn, and waits for the turn when
// too much is held back.
func (w *queued) flush() error {
	if len(w.buf) < flushSize {
		return nil
	}
	if len(w.buf) < heldBack {
		select {
		case <-w.turn:
		default:
			return nil
		}
	}
	return w.write()
}

func (w *queued) close() error {
	defer close(w.done)
	return w.write()
}

func (w *queued) write() error {
	<-w.turn
	_, err := w.out.Write(w.buf)
	w.buf = w.buf[:0]
	return err
}
