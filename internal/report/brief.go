package report

import (
	"context"
	"slices"
	"time"

	"github.com/mapatools/mapa/crawl"
)

// maxBriefRows is how many URLs of each decision a brief report shows.
const maxBriefRows = 200

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
	t.summary, t.reasons, t.waiting = *s, map[crawl.Reason]int{}, int(s.Waiting)
	for reason, count := range s.Reasons {
		t.reasons[reason] = int(count)
		t.urls += int(count)
	}
	if t.waiting > 0 {
		t.reasons[Waiting] = t.waiting
		t.urls += t.waiting
	}
}

// readBriefRows reads what stays small for any number of URLs: the number of URLs by decision, the
// first URLs of each decision other than listed, and those that the findings and these refer to.
func (g *pageReport) readBriefRows(ctx context.Context) error {
	g.web, g.rows = &linkGraph{}, &rowTable{}
	summary, err := g.file.Summary(ctx)
	if err != nil {
		return err
	}
	g.totals.addSummary(&summary)
	var reasons []crawl.Reason
	for reason := range summary.Reasons {
		if reason != crawl.ReasonListed && reason != crawl.ReasonOutOfScope {
			reasons = append(reasons, reason)
		}
	}
	byID := map[crawl.ID]row{}
	shown := map[crawl.Reason]int{}
	if len(reasons) > 0 {
		for r, err := range g.file.Pages(ctx, reasons...) {
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
	g.wanted(func(id crawl.ID) { wanted = append(wanted, id) })
	for _, id := range wanted {
		if _, known := byID[id]; known || id <= 0 {
			continue
		}
		record, found, err := g.file.Page(id)
		if err != nil {
			return err
		}
		if found {
			byID[id] = newRow(&record, g.web, &g.totals, g.catalog)
		}
	}
	g.rows.set(byID)
	return g.findTime()
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

// leftOut says what a brief report leaves out.
func (g *pageReport) leftOut() string {
	if !g.brief {
		return ""
	}
	return g.catalog.Text("brief", g.count(g.totals.urls), g.count(maxBriefRows))
}
