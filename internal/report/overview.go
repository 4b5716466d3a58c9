package report

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"time"

	"github.com/mapatools/mapa/crawl/render"
	"github.com/mapatools/mapa/internal/compare"
	"github.com/mapatools/mapa/internal/figures"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/insight"
	"github.com/mapatools/mapa/internal/page"
	"github.com/mapatools/mapa/internal/store"
)

// An Overview is the verdict and the numbers of a crawl, without texts. All reports, pages and formats show
// these.
type Overview struct {
	Start    string    `json:"start"`
	Program  string    `json:"program"`
	Time     time.Time `json:"time,omitzero"` // of the last request, UTC
	Finished bool      `json:"finished"`
	// OnlySeeds says that only the given pages were crawled: the depths of links are unknown.
	OnlySeeds bool `json:"only_seeds,omitempty"`

	// Verdict is nil for a crawl that has not ended, or that there was no time to judge.
	Verdict *insight.Verdict `json:"verdict,omitempty"`
	Sign    insight.Sign     `json:"sign"`
	insight.Sections
	// Losses are the pages that were in the sitemap and are not any more, although they exist.
	Losses []store.LossCount `json:"losses,omitempty"`
	// Ignored is how many findings and losses more there are that somebody ignores.
	Ignored int `json:"ignored,omitempty"`
	// Sitemap is the URL at which the sitemap belongs, or empty for one that is not to be used.
	Sitemap string `json:"sitemap,omitempty"`

	URLs    int `json:"urls"`
	Pages   int `json:"pages"`  // requested
	Listed  int `json:"listed"` // in the sitemap
	Waiting int `json:"waiting"`

	// Rendered is the number of pages whose scripts were run, RenderReasons counts them by why,
	// NotRendered those that needed it and are as the site sent them.
	Rendered      int                     `json:"rendered,omitempty"`
	RenderSeconds float64                 `json:"render_seconds,omitempty"`
	RenderReasons map[render.Reason]int64 `json:"render_reasons,omitempty"`
	NotRendered   int                     `json:"not_rendered,omitempty"`

	Decisions []NameCount `json:"decisions"`       // in the order of Explanations
	Statuses  []Bar       `json:"statuses"`        // of the pages that were requested; 0 without a response
	Depths    []Bar       `json:"depths"`          // of the listed pages; on a deep site a bar may be of several depths
	Unreached int         `json:"unreached"`       // listed pages that no path of links leads to from the start
	Orphans   int         `json:"orphans"`         // findings of the rule orphan
	Types     []NameCount `json:"types,omitempty"` // media types, the most frequent first

	Folders []store.Folder `json:"folders,omitempty"` // those of the picture, each before those in it

	// Figures are what search engines and joined tables say; nil without them. Crawls are the complete ones of the site.
	Figures *figures.About `json:"figures,omitempty"`
	Crawls  []store.Past   `json:"crawls,omitempty"`

	// Changes since the previous crawl, which began at Previous; nil unless it is compared with one.
	insight.Comparison
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

// ReadOverview returns the verdict and the numbers of a crawl. Of the options, Sitemap, Changes and Previous count.
func ReadOverview(ctx context.Context, file *store.File, options *HTMLOptions) (*Overview, error) {
	summary, err := file.Summary(ctx)
	if err != nil {
		return nil, err
	}
	meta := file.Meta()
	o := &Overview{
		Start: format.Plain(meta.Start), Program: format.Plain(meta.Program), Finished: file.Finished(),
		OnlySeeds: meta.OnlySeeds,
		Pages:     int(summary.Pages), Listed: int(summary.Listed()), Waiting: int(summary.Waiting),
		Rendered: int(summary.Rendered), RenderSeconds: float64(summary.RenderTime.Milliseconds()) / 1000,
		RenderReasons: summary.RenderReasons, NotRendered: int(summary.NotRendered),
		Changes: options.Changes, Previous: options.Previous,
	}
	if o.Comparison, err = insight.ReadComparison(file); err != nil {
		return nil, err
	}
	if err := o.count(ctx, file); err != nil {
		return nil, err
	}
	folders, err := file.LargestFolders(ctx, maxFolders)
	if err != nil {
		return nil, err
	}
	o.Folders = pictured(folders)
	sections, err := insight.ReadSections(ctx, file)
	if err != nil {
		return nil, err
	}
	o.Sections = *sections
	if o.Verdict, err = insight.ReadVerdict(file); err != nil {
		return nil, err
	}
	if o.Losses, err = file.CountLosses(ctx); err != nil {
		return nil, err
	}
	o.Sign = (&Outcome{Verdict: o.Verdict, Losses: o.Losses}).Sign()
	if o.Figures, err = readFigures(file); err != nil {
		return nil, err
	}
	if o.Figures != nil {
		if o.Crawls, err = file.History(); err != nil {
			return nil, err
		}
	}
	if o.Ignored, err = insight.CountIgnored(ctx, file, o.Verdict); err != nil {
		return nil, err
	}
	if o.Verdict != nil {
		o.Orphans = o.Verdict.Rules["orphan"]
	}
	right := []insight.Action{insight.ActionUpload, insight.ActionAnnounce, insight.ActionNone}
	if options.Sitemap != "" && o.Verdict != nil && slices.Contains(right, o.Verdict.Action) {
		o.Sitemap = meta.FolderURL() + url.PathEscape(options.Sitemap)
	}
	return o, nil
}

// readFigures returns what search engines and joined tables say of a crawl, or nil.
func readFigures(file *store.File) (about *figures.About, err error) {
	err = file.ReadFigures(&about)
	return about, err
}

// maxTypes is the number of media types in an overview.
const maxTypes = 50

// count counts the URLs by their decisions, statuses, depths and types.
func (o *Overview) count(ctx context.Context, file *store.File) error {
	var all, requested, listed page.Query
	requested.Where("n.requested = 1 and n.role = 'page'")
	listed.Where("n.folder > 0 and n.decision in ('listed', 'added')")
	decisions, err := file.CountValues(ctx, &all, "decision")
	if err != nil {
		return err
	}
	for _, v := range decisions {
		o.URLs += v.Count
		o.Decisions = append(o.Decisions, NameCount{format.Plain(v.Text), v.Count})
	}
	statuses, err := file.CountValues(ctx, &requested, "status")
	if err != nil {
		return err
	}
	for _, v := range statuses {
		o.Statuses = append(o.Statuses, Bar{int(v.Number), int(v.Number), v.Count})
	}
	slices.SortFunc(o.Statuses, func(a, b Bar) int { return a.From - b.From })
	if !o.OnlySeeds {
		depths, err := file.CountValues(ctx, &listed, "depth")
		if err != nil {
			return err
		}
		o.Depths, o.Unreached = depthBars(depths)
	}
	types, err := file.CountValues(ctx, &all, "media_type")
	if err != nil {
		return err
	}
	for _, v := range types {
		if v.Text != "" {
			o.Types = append(o.Types, NameCount{format.Truncate(format.Plain(v.Text), maxTypeName), v.Count})
		}
	}
	slices.SortFunc(o.Types, func(a, b NameCount) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Name, b.Name))
	})
	o.Types = o.Types[:min(len(o.Types), maxTypes)]
	o.Time, err = file.LastTime(ctx)
	return err
}

// maxTypeName is the number of characters of a media type.
const maxTypeName = 100

// depthBins are the largest depths of the bars after those of single depths.
var depthBins = []int{15, 20, 30, 50, 100}

// maxSingleDepth is the largest depth with a bar of its own on a deep site.
const maxSingleDepth = 10

// maxDepth ends the bar of the deepest pages.
const maxDepth = 1000

// depthBars returns a bar for each crawl depth, and on a deep site one for several, and the number of pages without
// one.
func depthBars(values []store.ValueCount) (bars []Bar, unreached int) {
	counts := make([]int, maxDepth+1)
	last := 0
	for _, v := range values {
		if !v.Known {
			unreached = v.Count
			continue
		}
		depth := int(min(v.Number, maxDepth))
		counts[depth] += v.Count
		last = max(last, depth+1)
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
	return bars, unreached
}

func sum(counts []int) (total int) {
	for _, count := range counts {
		total += count
	}
	return total
}
