package report

import (
	"context"
	"slices"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/catalog"
)

// maxBriefRows is how many URLs of each decision a brief report shows.
const maxBriefRows = 200

// newBriefReport reads what stays small for any number of URLs: the number of URLs by
// decision, the broken links, and the first URLs of each decision other than listed.
func newBriefReport(ctx context.Context, file crawl.Reader, options *HTMLOptions) (*pageReport, error) {
	g := &pageReport{
		Analysis: Analysis{file: file, web: &linkGraph{}}, options: options, brief: true,
		catalog: catalog.For(options.Language), rows: &rowTable{},
	}
	var err error
	found := options.Found
	if found == nil {
		if found, err = FindBrokenLinks(ctx, file); err != nil {
			return nil, err
		}
	}
	if g.broken, err = findBrokenTargets(ctx, found); err != nil {
		return nil, err
	}
	summary, err := file.Summary(ctx)
	if err != nil {
		return nil, err
	}
	g.totals.addSummary(&summary)
	if err := g.readBriefRows(ctx, file, &summary); err != nil {
		return nil, err
	}
	if err := g.findTime(); err != nil {
		return nil, err
	}
	g.parts = g.briefParts()
	return g, nil
}

// findTime finds the time of the last request among the URLs that were read.
func (g *pageReport) findTime() error {
	start, _, err := g.file.Page(1)
	g.totals.last = start.Page.Time
	for i := range g.rows.rows {
		if at := time.Unix(g.rows.rows[i].time, 0); at.After(g.totals.last) {
			g.totals.last = at
		}
	}
	return err
}

// addSummary sets the counts that a summary has.
func (t *totals) addSummary(s *crawl.Summary) {
	t.summary, t.reasons, t.waiting, t.listed = *s, map[crawl.Reason]int{}, int(s.Waiting), int(s.Listed())
	for reason, count := range s.Reasons {
		t.reasons[reason] = int(count)
		t.urls += int(count)
	}
	if t.waiting > 0 {
		t.reasons[Waiting] = t.waiting
		t.urls += t.waiting
	}
}

// readBriefRows reads the first URLs of each decision, and the URLs that these and the
// broken links refer to.
func (g *pageReport) readBriefRows(ctx context.Context, file crawl.Reader, summary *crawl.Summary) error {
	var reasons []crawl.Reason
	for reason := range summary.Reasons {
		if reason != crawl.ReasonListed && reason != crawl.ReasonOutOfScope {
			reasons = append(reasons, reason)
		}
	}
	byID := map[crawl.ID]row{}
	shown := map[crawl.Reason]int{}
	if len(reasons) > 0 {
		for r, err := range file.Pages(ctx, reasons...) {
			if err != nil {
				return err
			}
			if reason := r.Reason(); shown[reason] < maxBriefRows {
				shown[reason]++
				byID[r.Link.ID] = newRow(&r, g.web, &g.totals, g.catalog)
			}
		}
	}
	var wanted []crawl.ID
	for _, r := range byID {
		wanted = append(wanted, r.target)
	}
	for _, targets := range [][]*brokenTarget{g.broken.urls, g.broken.anchors} {
		for _, target := range targets {
			target.sources = target.sources[:min(len(target.sources), maxShownSources)]
			wanted = append(wanted, target.id)
			for _, source := range target.sources {
				wanted = append(wanted, source.page)
			}
		}
	}
	for _, id := range wanted {
		if _, known := byID[id]; known || id <= 0 {
			continue
		}
		record, found, err := file.Page(id)
		if err != nil {
			return err
		}
		if found {
			byID[id] = newRow(&record, g.web, &g.totals, g.catalog)
		}
	}
	g.rows.set(byID)
	return nil
}

// set makes the rows those of a map.
func (s *rowTable) set(byID map[crawl.ID]row) {
	last := crawl.ID(0)
	for id, r := range byID {
		last = max(last, id)
		s.rows = append(s.rows, r)
	}
	slices.SortFunc(s.rows, compareRows)
	s.rowByID = make([]int32, last+1)
	s.index()
}

// briefParts returns the list of redirects.
func (g *pageReport) briefParts() []part {
	total := g.totals.reasons[crawl.ReasonRedirect] + g.totals.reasons[crawl.ReasonRedirectLoop]
	g.lists[slices.Index(ListNames(), "redirects.redirects")] = total
	list := g.newPartList("redirects", "redirects", total)
	list.Columns = []string{"url", "chain", "steps"}
	for i := range g.rows.rows {
		if r := g.rows.rows[i].reason; r == crawl.ReasonRedirect || r == crawl.ReasonRedirectLoop {
			list.Rows = append(list.Rows, i+1)
		}
	}
	return []part{{"redirects", []partList{list}}}
}

// leftOut says what a brief report leaves out.
func (g *pageReport) leftOut() string {
	if !g.brief {
		return ""
	}
	return g.catalog.Text("brief", g.count(g.totals.urls), g.count(maxBriefRows))
}
