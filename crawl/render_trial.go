package crawl

import (
	"context"
	"sync"

	"github.com/mapatools/mapa/crawl/render"
)

const (
	// trialsPerPattern is how many pages of a pattern are rendered to find out whether its scripts
	// add anything.
	trialsPerPattern = 3
	// minTrials and pagesPerTrial bound these pages in a whole crawl: rendering a page takes as
	// much time as requesting 1,000 others.
	minTrials, pagesPerTrial = 25, 500
)

// A trialTable records the patterns of URLs whose pages gain content by scripts. Its decision
// does not depend on the order of the pages of a pattern: the other pages wait until the trials
// have ended.
type trialTable struct {
	mutex    sync.Mutex
	patterns map[string]*trial
	begun    int // pages rendered to find out
}

// A trial is the state of a pattern.
type trial struct {
	begun, ended int
	adds         bool
	changed      chan struct{} // closed when a page has ended
}

// A trialDecision is what a trialTable decides about a page.
type trialDecision struct {
	renders bool
	isTrial bool          // the page is rendered to find out: the caller must call end
	why     render.Reason // it is not rendered
}

// begin decides about a page with a pattern, when pages have been fetched.
func (t *trialTable) begin(ctx context.Context, pattern string, pages int) trialDecision {
	for {
		decision, changed := t.next(pattern, pages)
		if changed == nil {
			return decision
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return trialDecision{why: render.ReasonTrialLimit}
		}
	}
}

// next decides about a page, or returns a channel to wait for.
func (t *trialTable) next(pattern string, pages int) (trialDecision, <-chan struct{}) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	one := t.patterns[pattern]
	if one == nil {
		one = &trial{changed: make(chan struct{})}
	}
	switch mayBegin := t.begun < minTrials+pages/pagesPerTrial; {
	case one.adds:
		return trialDecision{renders: true}, nil
	case one.ended == trialsPerPattern:
		return trialDecision{why: render.ReasonAddsNothing}, nil
	case one.begun < trialsPerPattern && mayBegin:
		if t.patterns == nil {
			t.patterns = map[string]*trial{}
		}
		t.patterns[pattern] = one
		one.begun++
		t.begun++
		return trialDecision{renders: true, isTrial: true}, nil
	case one.begun == one.ended:
		return trialDecision{why: render.ReasonTrialLimit}, nil
	}
	return trialDecision{}, one.changed
}

// end records what rendering a page of a pattern has shown. An inconclusive one shows nothing.
func (t *trialTable) end(pattern string, adds, isConclusive bool) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	one := t.patterns[pattern]
	one.adds = one.adds || adds
	if isConclusive {
		one.ended++
	} else {
		one.begun--
	}
	close(one.changed)
	one.changed = make(chan struct{})
}
