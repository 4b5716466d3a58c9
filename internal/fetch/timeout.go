package fetch

import (
	"context"
	"math"
	"sync"
	"sync/atomic"
	"time"
)

// speedWindow is the time over which the minimum speed is averaged.
const speedWindow = 20 * time.Second

// watch ends an exchange that takes too long: it cancels the context with the [Kind]
// of the deadline that was exceeded. One timer serves all deadlines; for a usual
// page it never fires.
type watch struct {
	limits   Timeouts
	cancel   context.CancelCauseFunc
	start    time.Time
	bytes    atomic.Int64
	lastByte atomic.Int64 // when the last byte arrived, in nanoseconds after start; negative before the header

	mu        sync.Mutex
	timer     *time.Timer // nil once stopped
	suspended time.Time   // when it was suspended; zero while it is not
	window    struct {
		start time.Duration
		bytes int64
	}
}

// watch starts the deadlines. The caller must call stop after reading the body.
func (t Timeouts) watch(ctx context.Context) (context.Context, *watch) {
	ctx, cancel := context.WithCancelCause(ctx)
	w := &watch{limits: t, cancel: cancel, start: time.Now()}
	w.lastByte.Store(-1)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.timer = time.AfterFunc(w.untilNext(0), w.check)
	return ctx, w
}

// answered starts the deadlines of the body. It returns the time since the start.
func (w *watch) answered() time.Duration {
	elapsed := time.Since(w.start)
	w.lastByte.Store(int64(elapsed))
	w.mu.Lock()
	defer w.mu.Unlock()
	w.window.start = elapsed
	w.timer.Reset(w.untilNext(elapsed))
	return elapsed
}

func (w *watch) progress(bytes int) {
	if bytes > 0 {
		w.bytes.Add(int64(bytes))
		w.lastByte.Store(int64(time.Since(w.start)))
	}
}

// suspend stops the deadlines while the caller does not read the body, until resume.
func (w *watch) suspend() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.suspended = time.Now()
	if w.timer != nil {
		w.timer.Stop()
	}
}

// resume starts the deadlines again, as if no time had passed.
func (w *watch) resume() {
	w.mu.Lock()
	defer w.mu.Unlock()
	elapsed := time.Since(w.start)
	if w.limits.Total < math.MaxInt64-elapsed {
		w.limits.Total += time.Since(w.suspended)
	}
	w.suspended = time.Time{}
	w.lastByte.Store(int64(elapsed))
	w.window.start, w.window.bytes = elapsed, w.bytes.Load()
	if w.timer != nil {
		w.timer.Reset(w.untilNext(elapsed))
	}
}

func (w *watch) stop() {
	w.mu.Lock()
	w.timer.Stop()
	w.timer = nil
	w.mu.Unlock()
	w.cancel(nil)
}

func (w *watch) check() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.timer == nil || !w.suspended.IsZero() {
		return
	}
	elapsed := time.Since(w.start)
	if missed := w.exceeded(elapsed); missed != 0 {
		w.cancel(missed)
		return
	}
	w.timer.Reset(w.untilNext(elapsed))
}

// exceeded returns the kind of the deadline that has passed, or 0.
func (w *watch) exceeded(elapsed time.Duration) Kind {
	heard := time.Duration(w.lastByte.Load())
	switch {
	case elapsed >= w.limits.Total:
		return KindTotalTimeout
	case heard < 0 && elapsed >= w.limits.Answer:
		return KindAnswerTimeout
	case heard < 0:
		return 0
	case elapsed-heard >= w.limits.Idle:
		return KindIdleTimeout
	}
	if elapsed-w.window.start >= speedWindow {
		bytes := w.bytes.Load()
		if bytes-w.window.bytes < w.limits.Speed*int64(speedWindow/time.Second) {
			return KindTooSlow
		}
		w.window.start, w.window.bytes = elapsed, bytes
	}
	return 0
}

// untilNext returns the time until the next deadline may pass.
func (w *watch) untilNext(elapsed time.Duration) time.Duration {
	due := w.limits.Total - elapsed
	heard := time.Duration(w.lastByte.Load())
	if heard < 0 {
		return min(due, w.limits.Answer-elapsed)
	}
	return min(due, w.limits.Idle-(elapsed-heard), speedWindow-(elapsed-w.window.start))
}
