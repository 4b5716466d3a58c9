package service

import (
	"time"

	"github.com/mapatools/mapa/internal/app"
)

// A pace is how fast a crawl visits pages and finds others.
type pace struct {
	rate float64 // requests per second

	// Requests and the URLs that they found, the newer ones with more weight.
	requested, found float64

	at                time.Time // of the last measurement
	requests, waiting int
}

// measure takes the progress of a crawl. A site that answers slowly is measured from one request to
// the next.
func (c *pace) measure(p *app.Progress, now time.Time) {
	const weight = 0.3 // of the newest measurement
	before, elapsed := *c, now.Sub(c.at)
	switch {
	case before.at.IsZero():
		c.at, c.requests, c.waiting = now, p.Requests, p.Waiting
		return
	case elapsed <= 0:
		return
	case p.Requests == before.requests:
		if elapsed > max(minStall, time.Duration(3/max(c.rate, 0.001)*float64(time.Second))) {
			c.rate = 0
		}
		return
	}
	c.at, c.requests, c.waiting = now, p.Requests, p.Waiting
	requested := float64(p.Requests - before.requests)
	c.requested = (1-weight)*c.requested + requested
	c.found = (1-weight)*c.found + requested + float64(p.Waiting-before.waiting)
	rate := requested / elapsed.Seconds()
	if c.rate > 0 {
		rate = weight*rate + (1-weight)*c.rate
	}
	c.rate = rate
}

// minStall is how long no request ends, and three times what one takes, until the rate is 0.
const minStall = 5 * time.Second

// maxGrowth is how many new URLs a request may find for the end of a crawl to be estimated. With
// one, the queue does not shrink.
const maxGrowth = 0.5

// estimate returns the time until the end of a crawl, and its pages by then. They are 0 while
// the queue does not shrink, and no limit of pages is near.
func (c *pace) estimate(p *app.Progress) (left time.Duration, total int64) {
	if c.rate <= 0 || c.requested <= 0 {
		return 0, 0
	}
	requests := float64(max(p.Total-p.Pages, 0))
	if p.Total == 0 {
		growth := max(c.found/c.requested, 0)
		if growth > maxGrowth {
			return 0, 0
		}
		requests = float64(p.Waiting) / (1 - growth)
	}
	left = time.Duration(requests / c.rate * float64(time.Second)).Round(time.Second)
	return left, int64(p.Pages) + int64(requests)
}
