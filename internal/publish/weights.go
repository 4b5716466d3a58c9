package publish

import (
	"math"
	"time"

	"github.com/mapatools/mapa/sitemap"
)

// Weights compute priority and changefreq, which Google and Bing ignore. The zero value
// computes nothing. A page keeps its own value unless a rule matches.
type Weights struct {
	Priority      PriorityBy
	PriorityRules Rules[sitemap.Priority]
	// MostInlinks is the greatest Page.Inlinks of all pages, for ByLinks.
	MostInlinks     int
	ChangeFreq      ChangeFreqBy
	ChangeFreqRules Rules[sitemap.ChangeFreq]
	// Time is when the pages were fetched, for ByHistory.
	Time time.Time
}

// PriorityBy is the source of priorities.
type PriorityBy string

// The sources of priorities. A priority has two decimal places and is at least 0.1.
const (
	PriorityNone    PriorityBy = "none"  // same as ""
	PriorityByDepth PriorityBy = "depth" // 1 for the start, times 0.8 per link; the minimum for orphan pages
	PriorityByLinks PriorityBy = "links" // logarithmic, from 0.1 without links to 1 for MostInlinks
)

// ChangeFreqBy is the source of changefreq.
type ChangeFreqBy string

// The sources of changefreq. ChangeFreqByHistory derives it from the lastmod: the
// shortest of hourly, daily, weekly, monthly and yearly that is not shorter than the
// time since the last change, at most yearly. A page without a lastmod of day precision
// has no changefreq.
const (
	ChangeFreqNone      ChangeFreqBy = "none" // same as ""
	ChangeFreqByHistory ChangeFreqBy = "history"
)

func (w *Weights) apply(p *Page) {
	switch w.Priority {
	case PriorityByDepth:
		p.Priority = leastPriority
		if p.Depth >= 0 {
			p.Priority = priority(math.Pow(0.8, float64(p.Depth)))
		}
	case PriorityByLinks:
		p.Priority = priority(0.1 + 0.9*math.Log1p(float64(p.Inlinks))/math.Log1p(float64(max(w.MostInlinks, 1))))
	}
	if given, found := w.PriorityRules.find(p.Loc); found {
		p.Priority = given
	}
	if w.ChangeFreq == ChangeFreqByHistory {
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
