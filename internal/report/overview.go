package report

import (
	"maps"
	"slices"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/compare"
	"github.com/mapatools/mapa/internal/format"
)

// An Overview is the numbers of a crawl, without texts. The HTML report shows the same.
type Overview struct {
	Start    string    `json:"start"`
	Program  string    `json:"program"`
	Time     time.Time `json:"time,omitzero"` // of the last request, UTC
	Finished bool      `json:"finished"`

	URLs    int `json:"urls"`
	Pages   int `json:"pages"`  // requested
	Listed  int `json:"listed"` // in the sitemap
	Waiting int `json:"waiting"`
	// BrokenURLs is the number of URLs to which every link is a broken link, LinkedBroken
	// that of those with links, and BrokenLinks that of the links to them.
	BrokenURLs   int `json:"broken_urls"`
	LinkedBroken int `json:"linked_broken"`
	BrokenLinks  int `json:"broken_links"`
	// MissingAnchors is the number of missing anchors, AnchorLinks that of links to them.
	MissingAnchors int `json:"missing_anchors"`
	AnchorLinks    int `json:"anchor_links"`
	// LinkedRedirects is the number of redirects that pages link to.
	Redirects       int `json:"redirects"`
	LinkedRedirects int `json:"linked_redirects"`

	Decisions []NameCount `json:"decisions"` // in the order of Explanations
	Statuses  []Bar       `json:"statuses"`  // of the pages that were requested; 0 without a response
	Depths    []Bar       `json:"depths"`    // of the listed pages; on a deep site a bar may be of several depths
	Orphans   int         `json:"orphans"`   // listed pages that no links lead to
	Faults    []NameCount `json:"faults"`    // hreflang errors by kind
	Tasks     []Task      `json:"tasks"`     // what to fix first
	Lists     []NameCount `json:"lists"`     // the lists of the report, by their names

	// Changes since the previous crawl, which began at Previous; nil without one.
	Changes  *compare.Counts `json:"changes,omitempty"`
	Previous time.Time       `json:"previous,omitzero"`
}

// A NameCount is a number of URLs with something that has a name.
type NameCount struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
}

// A Bar is a bar of a chart: the number of URLs with a value from From to To.
type Bar struct {
	From  int `json:"from"`
	To    int `json:"to"`
	Count int `json:"count"`
}

// Overview returns the numbers of a crawl. The analysis must be complete. Of the options,
// Sitemap, Broken, Changes and Previous count.
func (a *Analysis) Overview(options *HTMLOptions) *Overview {
	t, meta := &a.totals, a.file.Meta()
	o := &Overview{
		Start: format.Plain(meta.Start), Program: format.Plain(meta.Program), Time: t.last.UTC(), Finished: a.file.Finished(),
		URLs: t.urls, Pages: int(t.summary.Pages), Listed: int(t.summary.Listed()), Waiting: t.waiting,
		BrokenURLs: int(t.summary.Broken()), LinkedBroken: a.broken.linkedURLs, BrokenLinks: a.broken.links,
		MissingAnchors: a.broken.anchorCount, AnchorLinks: a.broken.anchorLinks,
		Redirects: t.reasons[crawl.ReasonRedirect], LinkedRedirects: t.redirects,
		Statuses: a.statuses(), Depths: a.depths(), Orphans: t.unlinked, Tasks: a.tasks(options),
		Changes: options.Changes, Previous: options.Previous,
	}
	for _, line := range sortReasons(t.reasons) {
		o.Decisions = append(o.Decisions, NameCount{format.Plain(DecisionName(line.Reason)), line.Count})
	}
	for fault, count := range t.languages.kinds {
		o.Faults = append(o.Faults, NameCount{faultKeys[fault], count})
	}
	for i, name := range ListNames() {
		o.Lists = append(o.Lists, NameCount{name, a.lists[i]})
	}
	return o
}

// statuses returns the bars of the statuses.
func (a *Analysis) statuses() (bars []Bar) {
	for _, status := range slices.Sorted(maps.Keys(a.totals.statuses)) {
		bars = append(bars, Bar{status, status, a.totals.statuses[status]})
	}
	return bars
}

// depthBins are the largest depths of the bars after those of single depths.
var depthBins = []int{15, 20, 30, 50, 100}

// maxSingleDepth is the largest depth with a bar of its own on a deep site.
const maxSingleDepth = 10

// depths returns a bar for each crawl depth, and on a deep site one for several.
func (a *Analysis) depths() (bars []Bar) {
	counts := a.totals.depths
	last := len(counts)
	for last > 0 && counts[last-1] == 0 {
		last--
	}
	single := min(last, maxSingleDepth+1)
	if last <= maxSingleDepth+3 {
		single = last
	}
	for depth, count := range counts[:single] {
		bars = append(bars, Bar{depth, depth, count})
	}
	for _, end := range append(slices.Clone(depthBins), maxDepth) {
		if single >= last {
			break
		}
		next := min(last, end+1)
		bars = append(bars, Bar{single, end, sum(counts[single:next])})
		single = next
	}
	return bars
}

func sum(counts []int) (total int) {
	for _, count := range counts {
		total += count
	}
	return total
}
