package browser

import (
	"context"
	"sync"
	"time"
)

// maxLost is how much time of a page does not count at most, because the machine gave the browser none.
const maxLost = time.Minute

// unseen is how long a browser has time without having answered.
const unseen = 2 * watchTime

// A clock measures the time that a browser had: not that in which it, or the whole machine, was stopped, or in which
// other programs had the processors. The zero value is a clock of a browser that loses no time. It is safe for
// concurrent use.
type clock struct {
	mu   sync.Mutex
	lost time.Duration
	seen time.Time // when the browser answered last; zero before
}

// A moment is a point in time of a [clock].
type moment struct {
	at   time.Time
	lost time.Duration // until then
}

// IsZero reports whether m is the zero moment.
func (m moment) IsZero() bool { return m.at.IsZero() }

func (c *clock) now() moment { return moment{time.Now(), c.total()} }

// total returns how much time the browser has lost.
func (c *clock) total() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.totalLocked()
}

func (c *clock) totalLocked() time.Duration {
	if c.seen.IsZero() {
		return 0
	}
	return c.lost + max(0, time.Since(c.seen)-unseen)
}

// see notes that the browser answers, and that it has lost some time before.
func (c *clock) see(lost time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lost, c.seen = c.totalLocked()+lost, time.Now()
}

// after returns when the browser will have had some time since a moment, if it loses none from now on.
func (c *clock) after(m moment, d time.Duration) time.Time {
	return m.at.Add(d + min(c.total()-m.lost, maxLost))
}

// since returns how much time the browser had since a moment.
func (c *clock) since(m moment) time.Duration {
	return time.Since(m.at) - min(c.total()-m.lost, maxLost)
}

// withTimeout returns a context that ends with a cause when the browser had some time.
func (c *clock) withTimeout(
	ctx context.Context, d time.Duration, cause error,
) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	began := c.now()
	var timer *time.Timer
	timer = time.AfterFunc(time.Hour, func() {
		if left := d - c.since(began); left > 0 {
			timer.Reset(left)
			return
		}
		cancel(cause)
	})
	timer.Reset(d)
	return ctx, func() {
		timer.Stop()
		cancel(nil)
	}
}
