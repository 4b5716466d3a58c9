package publish

import (
	"math"
	"time"

	"github.com/mapatools/mapa/sitemap"
)

// Weights say how to make up priority and changefreq, which Google and Bing
// ignore. The zero value makes none; a value that a page came with stays unless a
// rule matches.
type Weights struct {
	Priority      PriorityBy
	PriorityRules Rules[sitemap.Priority]
	// MostInlinks is the greatest Page.Inlinks of the set, for ByLinks.
	MostInlinks     int
	ChangeFreq      ChangeFreqBy
	ChangeFreqRules Rules[sitemap.ChangeFreq]
	// Time is when the pages were seen, for ByHistory.
	Time time.Time
}

// A PriorityBy is what priority is made from.
type PriorityBy string

// Priorities have two decimal places and are at least 0.1.
const (
	NoPriority PriorityBy = "none"  // as does ""
	ByDepth    PriorityBy = "depth" // 1 for the start, and four fifths with every link from there; the least where none lead
	ByLinks    PriorityBy = "links" // from 0.1 for none to 1 for MostInlinks, by the logarithm
)

// A ChangeFreqBy is what changefreq is made from.
type ChangeFreqBy string

// History is what the lastmod tells: a page that has not changed for three days
// does not change daily. Its changefreq is the shortest of hourly, daily, weekly,
// monthly and yearly that is not shorter than the time since then; beyond, yearly.
// Without a lastmod that names a day there is none.
const (
	NoChangeFreq ChangeFreqBy = "none" // as does ""
	ByHistory    ChangeFreqBy = "history"
)

func (w *Weights) apply(p *Page) {
	switch w.Priority {
	case ByDepth:
		p.Priority = leastPriority
		if p.Depth >= 0 {
			p.Priority = priority(math.Pow(0.8, float64(p.Depth)))
		}
	case ByLinks:
		p.Priority = priority(0.1 + 0.9*math.Log1p(float64(p.Inlinks))/math.Log1p(float64(max(w.MostInlinks, 1))))
	}
	if given, found := w.PriorityRules.find(p.Loc); found {
		p.Priority = given
	}
	if w.ChangeFreq == ByHistory {
		p.ChangeFreq = frequency(p.LastMod, w.Time)
	}
	if given, found := w.ChangeFreqRules.find(p.Loc); found {
		p.ChangeFreq = given
	}
}

var leastPriority = sitemap.PriorityOf(0.1)

func priority(value float64) sitemap.Priority {
	return sitemap.PriorityOf(min(max(math.Round(100*value)/100, 0.1), 1))
}

const day = 24 * time.Hour

func frequency(changed sitemap.Date, seen time.Time) sitemap.ChangeFreq {
	if changed.Precision() < sitemap.PrecisionDay {
		return ""
	}
	age := seen.Sub(changed.Time())
	switch {
	case age < 0:
		return ""
	case age <= time.Hour && changed.Precision() > sitemap.PrecisionDay:
		return sitemap.ChangeFreqHourly
	case age <= day:
		return sitemap.ChangeFreqDaily
	case age <= 7*day:
		return sitemap.ChangeFreqWeekly
	case age <= 31*day:
		return sitemap.ChangeFreqMonthly
	}
	return sitemap.ChangeFreqYearly
}
