package publish

import (
	"math"

	"github.com/mapatools/mapa/sitemap"
)

// Weights compute priority and changefreq, which Google and Bing ignore. The zero value
// computes nothing. A page keeps its own value unless a rule matches.
type Weights struct {
	Priority        PriorityBy
	PriorityRules   Rules[sitemap.Priority]
	ChangeFreqRules Rules[sitemap.ChangeFreq]
}

// PriorityBy is the source of priorities.
type PriorityBy string

// The sources of priorities. A priority has two decimal places and is at least 0.1.
const (
	PriorityNone    PriorityBy = "none"  // same as ""
	PriorityByDepth PriorityBy = "depth" // 1 for the start, times 0.8 per link; the minimum for orphan pages
)

func (w *Weights) apply(p *Page) {
	if w.Priority == PriorityByDepth {
		p.Priority = priorityAt(p.Depth)
	}
	if given, found := w.PriorityRules.find(p.Loc); found {
		p.Priority = given
	}
	if given, found := w.ChangeFreqRules.find(p.Loc); found {
		p.ChangeFreq = given
	}
}

// priorityAt returns the priority of a page that is so many links from the start.
func priorityAt(depth int) sitemap.Priority {
	const least = 0.1
	if depth < 0 {
		return sitemap.PriorityOf(least)
	}
	value := math.Pow(0.8, float64(depth))
	return sitemap.PriorityOf(max(math.Round(100*value)/100, least))
}
