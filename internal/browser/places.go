package browser

import (
	"context"
	"sync"
)

// places bound how many pages are open at once, after the browser has failed. A page that has failed next to others is
// opened alone, to find out whether it is to blame.
type places struct {
	mu      sync.Mutex
	open    map[*place]bool
	limit   int           // of open pages; 0 for none
	well    int           // pages that were rendered well since limit changed
	alone   int           // pages that wait to be opened alone, or are
	changed chan struct{} // closed when a page ends
}

// A place is that of an open page.
type place struct{ shared bool } // shared: another page was open at the same time

// take waits for a place, or for all places if the page is to be alone.
func (p *places) take(ctx context.Context, alone bool) (*place, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if alone {
		p.alone++
	}
	for !p.isFreeLocked(alone) {
		changed := p.changed
		p.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
		}
		p.mu.Lock()
		if ctx.Err() != nil {
			p.endLocked(alone)
			return nil, context.Cause(ctx)
		}
	}
	one := &place{shared: len(p.open) > 0}
	for other := range p.open {
		other.shared = true
	}
	p.open[one] = true
	return one, nil
}

func (p *places) isFreeLocked(alone bool) bool {
	if alone {
		return len(p.open) == 0
	}
	return p.alone == 0 && (p.limit == 0 || len(p.open) < p.limit)
}

func (p *places) endLocked(alone bool) {
	if alone {
		p.alone--
	}
	close(p.changed)
	p.changed = make(chan struct{})
}

// give gives a place back, and reports whether it was shared. isWell says that its page was rendered well: after some,
// more pages may be open at once.
func (p *places) give(one *place, alone, isWell bool) (shared bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.open, one)
	if isWell {
		p.well++
	}
	if p.limit > 0 && p.well >= growth {
		p.limit, p.well = p.limit+1, 0
	}
	p.endLocked(alone)
	return one.shared
}

// halve lets half as many pages be open at once as are now, but one at least.
func (p *places) halve() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.limit, p.well = max(1, (len(p.open)+1)/2), 0
}
