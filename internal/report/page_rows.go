package report

import (
	"cmp"
	"context"
	"slices"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/bitset"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/page"
)

// Limits of the HTML report, so that browsers can show it.
const (
	maxPageBytes = 10 << 20 // bytes of the table of URLs
	maxURL       = 2000     // characters
	maxLinkText  = 120
	maxBriefRows = 200 // URLs of each decision in a brief report
)

// row is a URL of the HTML report. The columns have what is known of it.
type row struct {
	id    crawl.ID
	class class
	url   string
	texts []string // of longFacts
	size  int      // estimated bytes without the URL
	at    int      // where its values are in columns that are not arranged yet
}

// class orders URLs by importance, for crawls too large to show in full.
type class uint8

const (
	classReferenced class = iota // other parts of the report refer to it
	classTarget                  // of a redirect or canonical
	classUnlisted                // a page that is not listed
	classListed                  // a listed page
	classOther                   // a file, or a URL of another site
	classCount
)

func classOf(r *crawl.Record) class {
	switch {
	case !page.IsOnSite(r):
		return classOther
	case page.IsListed(r):
		return classListed
	}
	return classUnlisted
}

// rowTable holds the URLs that the report shows, in the order of the URLs.
type rowTable struct {
	rows    []row
	rowByID map[crawl.ID]int32 // row number from 1
}

// number returns the row number of a URL, or 0.
func (s *rowTable) number(id crawl.ID) int { return int(s.rowByID[id]) }

// newRowTable sorts and numbers rows.
func newRowTable(rows []row) *rowTable {
	slices.SortFunc(rows, func(a, b row) int { return cmp.Compare(a.url, b.url) })
	s := &rowTable{rows: rows, rowByID: make(map[crawl.ID]int32, len(rows))}
	for i := range rows {
		s.rowByID[rows[i].id] = int32(i + 1)
	}
	return s
}

// chooseRows selects the URLs of the report.
func (g *pageReport) chooseRows(ctx context.Context) (*rowTable, error) {
	wanted := map[crawl.ID]bool{}
	g.wanted(func(id crawl.ID) { wanted[id] = true })
	var rows []row
	var err error
	if g.brief {
		rows, err = g.briefRows(ctx, wanted)
	} else {
		rows, err = g.fittingRows(ctx, wanted)
	}
	if err != nil {
		return nil, err
	}
	table := newRowTable(rows)
	for _, c := range g.columns {
		c.arrange(table)
	}
	return table, nil
}

// addRow adds what is known of a URL to the columns.
func (g *pageReport) addRow(rows []row, r row, p *page.Page) []row {
	r.at = g.added
	g.added++
	for _, c := range g.columns {
		c.read(p, &r)
	}
	return append(rows, r)
}

// fittingRows returns as many URLs as fit: first those that other parts of the report refer to, then targets in at most
// a quarter of the room, then pages that are not listed, then listed ones, then the rest. In each class, those that the
// crawl found first come first.
func (g *pageReport) fittingRows(ctx context.Context, wanted map[crawl.ID]bool) ([]row, error) {
	var targets bitset.Set[crawl.ID]
	var q page.Query
	q.Where("n.id in (select target from fetch where target > 0)")
	ids, err := g.file.FindPages(ctx, &q, 0, -1)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		targets.Add(id)
	}
	var classes [classCount][]row
	var used [classCount]int
	add := func(r row, p *page.Page, room int) bool {
		if used[r.class]+r.estimate() > room {
			return false
		}
		used[r.class] += r.estimate()
		classes[r.class] = g.addRow(classes[r.class], r, p)
		return true
	}
	for p, err := range g.file.ReadPages(ctx) {
		if err != nil {
			return nil, err
		}
		r := g.newRow(p)
		if wanted[r.id] {
			r.class = classReferenced
			classes[classReferenced] = g.addRow(classes[classReferenced], r, p)
			continue
		}
		own := r.class
		if r.class = classTarget; !targets.Has(r.id) || !add(r, p, maxPageBytes/4) {
			r.class = own
			add(r, p, maxPageBytes)
		}
	}
	return shrink(slices.Concat(classes[:]...)), nil
}

// shrink drops the last of rows until the others fit, but none that the report refers to.
func shrink(rows []row) []row {
	order := make([]int32, len(rows))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int { return cmp.Compare(rows[a].url, rows[b].url) })
	encoded, total, before := make([]int, len(rows)), 0, ""
	for _, at := range order {
		r := &rows[at]
		encoded[at] = r.size + len(r.url) - sharedPrefix(before, r.url)
		total, before = total+encoded[at], r.url
	}
	for total > maxPageBytes && rows[len(rows)-1].class != classReferenced {
		total -= encoded[len(rows)-1]
		rows = rows[:len(rows)-1]
	}
	return rows
}

// sharedPrefix returns the length of the ASCII prefix that two texts share.
func sharedPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] && a[n] < 0x80 {
		n++
	}
	return n
}

// Estimated bytes of a row.
const (
	numbersSize = 90
	textShare   = 8 // divides the size of texts that most rows share
)

// estimate returns the bytes of a row before those around it are known. On average a URL shares half of its bytes with
// the one before.
func (r *row) estimate() int { return r.size + len(r.url)/2 }

func (g *pageReport) newRow(p *page.Page) row {
	r := row{
		id: p.Link.ID, class: classOf(&p.Record), url: format.Truncate(format.Plain(p.Link.URL), maxURL), size: numbersSize,
	}
	for _, f := range longFacts {
		text := factText(f, g.catalog, p)
		r.texts, r.size = append(r.texts, text), r.size+len(text)
	}
	r.size += len(g.catalog.Detail(p.Detail().Split())) / textShare
	return r
}

// briefRows returns the first URLs of each decision other than listed, and those that the findings and these refer to.
func (g *pageReport) briefRows(ctx context.Context, wanted map[crawl.ID]bool) (rows []row, err error) {
	var shown []crawl.ID
	for _, decision := range g.overview.Decisions {
		switch page.DecisionNamed(decision.Name) {
		case crawl.ReasonListed, crawl.ReasonOutOfScope:
			continue
		}
		var q page.Query
		q.Where("n.decision = ?", decision.Name)
		ids, err := g.file.FindPages(ctx, &q, 0, maxBriefRows)
		if err != nil {
			return nil, err
		}
		shown = append(shown, ids...)
	}
	for _, id := range shown {
		p, _, err := g.file.ReadPage(ctx, id)
		if err != nil {
			return nil, err
		}
		wanted[id], wanted[p.Page.Target] = true, true
	}
	for id := range wanted {
		p, known, err := g.file.ReadPage(ctx, id)
		if err != nil {
			return nil, err
		}
		if known {
			rows = g.addRow(rows, g.newRow(&p), &p)
		}
	}
	return rows, nil
}
