package compare

import "github.com/mapatools/mapa/crawl"

// Counts are the numbers of changes between two crawls, for an overview. Every URL
// counts once. A URL is broken if every link to it is a broken link.
type Counts struct {
	New         int `json:"new"`          // URLs that the old side does not know
	Gone        int `json:"gone"`         // URLs that the new side does not know
	Changed     int `json:"changed"`      // URLs that both know and that differ, apart from minor changes
	NewlyBroken int `json:"newly_broken"` // URLs that are broken and were not
	Fixed       int `json:"fixed"`        // URLs that were broken and are not, or that nothing links to any more
	Unchanged   int `json:"unchanged"`    // URLs that both know and that are not updated
}

// Add counts a change.
func (c *Counts) Add(change *Change) {
	switch {
	case change.NewlyBroken():
		c.NewlyBroken++
	case change.Old.isBroken() && !change.New.isBroken():
		c.Fixed++
	case change.Kind == KindAdded:
		c.New++
	case change.Kind == KindRemoved:
		c.Gone++
	case change.Kind != KindMinor: // those are unchanged
		c.Changed++
	}
}

// NewlyBroken reports whether the URL is broken and was not.
func (c *Change) NewlyBroken() bool { return c.New.isBroken() && !c.Old.isBroken() }

// isBroken reports whether links to the URL are broken links. A side that does not know
// the URL has no state, which is nil.
func (s *State) isBroken() bool { return s != nil && crawl.Reason(s.Decision).Broken() }
