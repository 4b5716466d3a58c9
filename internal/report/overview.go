package report

import (
	"context"
	"maps"
	"net/url"
	"slices"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/compare"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/insight"
)

// An Overview is the verdict and the numbers of a crawl, without texts. All reports, pages and formats show
// these.
type Overview struct {
	Start    string    `json:"start"`
	Program  string    `json:"program"`
	Time     time.Time `json:"time,omitzero"` // of the last request, UTC
	Finished bool      `json:"finished"`

	// Verdict is nil for a crawl that has not ended, or that there was no time to judge.
	Verdict *insight.Verdict `json:"verdict,omitempty"`
	insight.Sections
	// Sitemap is the URL at which the sitemap belongs, or empty for one that is not to be used.
	Sitemap string `json:"sitemap,omitempty"`

	URLs    int `json:"urls"`
	Pages   int `json:"pages"`  // requested
	Listed  int `json:"listed"` // in the sitemap
	Waiting int `json:"waiting"`

	// Rendered is the number of pages whose scripts were run, RenderReasons counts them by why,
	// NotRendered those that needed it and are as the site sent them.
	Rendered      int                          `json:"rendered,omitempty"`
	RenderSeconds float64                      `json:"render_seconds,omitempty"`
	RenderReasons map[crawl.RenderReason]int64 `json:"render_reasons,omitempty"`
	NotRendered   int                          `json:"not_rendered,omitempty"`

	Decisions []NameCount `json:"decisions"`       // in the order of Explanations
	Statuses  []Bar       `json:"statuses"`        // of the pages that were requested; 0 without a response
	Depths    []Bar       `json:"depths"`          // of the listed pages; on a deep site a bar may be of several depths
	Orphans   int         `json:"orphans"`         // listed pages that no links lead to
	Types     []NameCount `json:"types,omitempty"` // media types, the most frequent first

	Folders []FolderCount `json:"folders,omitempty"` // the largest of the first levels, each before those in it

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

// Overview returns the verdict and the numbers of a crawl. Of the options, Sitemap, Changes and
// Previous count.
func (a *Analysis) Overview(ctx context.Context, options *HTMLOptions) (*Overview, error) {
	t, meta := &a.totals, a.file.Meta()
	o := &Overview{
		Start: format.Plain(meta.Start), Program: format.Plain(meta.Program), Time: t.last.UTC(), Finished: a.file.Finished(),
		URLs: t.urls, Pages: int(t.summary.Pages), Listed: int(t.summary.Listed()), Waiting: t.waiting,
		Statuses: a.statuses(), Depths: a.depths(), Orphans: t.unlinked,
		Rendered: int(t.summary.Rendered), RenderSeconds: float64(t.summary.RenderTime.Milliseconds()) / 1000,
		RenderReasons: t.summary.RenderReasons, NotRendered: int(t.summary.NotRendered),
		Folders: t.tree.largest(), Changes: options.Changes, Previous: options.Previous,
	}
	for _, line := range sortReasons(t.reasons) {
		o.Decisions = append(o.Decisions, NameCount{format.Plain(DecisionName(line.Reason)), line.Count})
	}
	sections, err := insight.ReadSections(ctx, a.file)
	if err != nil {
		return nil, err
	}
	o.Sections = *sections
	if o.Verdict, err = insight.ReadVerdict(a.file); err != nil {
		return nil, err
	}
	right := []insight.Action{insight.ActionUpload, insight.ActionAnnounce, insight.ActionNone}
	if options.Sitemap != "" && o.Verdict != nil && slices.Contains(right, o.Verdict.Action) {
		o.Sitemap = meta.FolderURL() + url.PathEscape(options.Sitemap)
	}
	return o, nil
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
