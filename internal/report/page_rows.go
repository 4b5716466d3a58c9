package report

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/extract"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/insight"
)

// Limits of the HTML report, so that browsers can show it.
const (
	maxPageBytes   = 10 << 20 // bytes of the table of URLs
	maxTitle       = 120      // characters
	maxDescription = 200
	maxField       = 100 // of a header field
	maxDetail      = 200
	maxURL         = 2000
	maxLinkText    = 120
	initialRows    = 120_000
)

// row is a URL in the HTML report.
type row struct {
	id            crawl.ID
	class         class
	url           string
	title, detail string
	reason        crawl.Reason
	role          crawl.Role
	conflict      string
	target        crawl.ID
	took          time.Duration
	size          int64
	depth         int32
	linked, links int32
	status        int16
	html          bool
	given         crawl.SeedSource
	previous      crawl.ID // the URL before it on a shortest path from the start

	titleLength, descriptionLength int32 // in columns
	words                          int32
	time                           int64 // of the request, seconds since 1970 UTC; 0 without one
	mediaType, language            string
	lastMod, lastModSource         string
	etag, lastModified             string // header fields
	reused                         bool   // the response was 304
	rendered                       string // whether, and why; mostly empty
	facts                          crawl.Facts
	hasFacts                       bool
}

// Estimated bytes of a row.
const (
	numbersSize = 80
	detailShare = 8 // divides the size of details, which most rows share
)

// estimateSize estimates the bytes of a row before the rows around it are known. On
// average a URL shares half of its bytes with the URL before.
func estimateSize(r *crawl.Record) int {
	return numbersSize + min(len(r.Link.URL), maxURL)/2 + min(len(r.Page.Title), 3*maxTitle) +
		min(len(r.Page.Detail)+len(r.Link.Detail), maxDetail)/detailShare + min(len(r.Page.Conflict), maxDetail) +
		min(len(r.Page.ETag), maxField) + estimateFacts(r.Page.Facts)
}

func estimateFacts(f *crawl.Facts) int {
	if f == nil {
		return 0
	}
	return min(len(f.Description), maxDescription) + min(len(f.H1), maxTitle)
}

// encodedSize returns the bytes of a row that follows another.
func (r *row) encodedSize(before *row) int {
	return numbersSize + len(r.url) - before.sharedPrefix(r) + len(r.title) + len(r.detail)/detailShare + len(r.conflict) +
		len(r.etag) + len(r.facts.Description) + len(r.facts.H1)
}

// sharedPrefix returns the length of the ASCII prefix that the URLs share.
func (r *row) sharedPrefix(next *row) int {
	n := 0
	for n < len(r.url) && n < len(next.url) && r.url[n] == next.url[n] && r.url[n] < 0x80 {
		n++
	}
	return n
}

// rowTable holds the URLs that the report shows, in order.
type rowTable struct {
	rows    []row
	rowByID []int32 // by ID: row number from 1, or 0
	// omitted counts the URLs that do not fit.
	omitted [classCount]int
}

// newRowTable selects as many URLs as fit: first those that other parts of the
// report refer to, then pages that are not listed, then the rest.
func newRowTable(ctx context.Context, a *Analysis, want []bool, c *catalog.Catalog) (*rowTable, error) {
	w, t := a.web, &a.totals
	s := &rowTable{rows: make([]row, 0, min(t.urls, initialRows)), rowByID: make([]int32, len(w.depth))}
	space := t.classBytes
	wanted := 0
	for _, is := range want {
		if is {
			wanted++
		}
	}
	// Referenced URLs take the space of as many average URLs.
	free := max(0, maxPageBytes-wanted*t.totalBytes()/max(1, t.urls))
	for class := classUnlisted; class < classCount; class++ {
		space[class] = min(space[class], free)
		free -= space[class]
	}
	space[classReferenced] = maxPageBytes / 4 // for targets of redirects and canonicals
	for r, err := range a.file.Pages(ctx) {
		if err != nil {
			return nil, err
		}
		class := classOf(&r)
		if space[class] -= estimateSize(&r); space[class] < 0 && t.targets.Has(r.Link.ID) {
			class = classReferenced
			space[classReferenced] -= estimateSize(&r)
		}
		if space[class] < 0 && !want[r.Link.ID] {
			s.omitted[classOf(&r)]++
			continue
		}
		s.rows = append(s.rows, newRow(&r, w, t, c))
	}
	slices.SortFunc(s.rows, compareRows)
	s.index()
	s.shrink(want)
	return s, nil
}

func compareRows(a, b row) int { return cmp.Compare(a.url, b.url) }

// index numbers the rows.
func (s *rowTable) index() {
	for i := range s.rows {
		s.rowByID[s.rows[i].id] = int32(i + 1)
	}
}

// shrink drops unreferenced rows until the rest fits, the least important class
// first, and in a class the URLs discovered last.
func (s *rowTable) shrink(want []bool) {
	over := -maxPageBytes
	before := &row{}
	for i := range s.rows {
		over += s.rows[i].encodedSize(before)
		before = &s.rows[i]
	}
	for class := classCount - 1; class > classReferenced && over > 0; class-- {
		for id := len(s.rowByID) - 1; id > 0 && over > 0; id-- {
			at := s.rowByID[id]
			if at == 0 || want[id] || s.rows[at-1].class != class {
				continue
			}
			over -= s.rows[at-1].encodedSize(s.before(at))
			s.rowByID[id] = 0
			s.omitted[class]++
		}
	}
	s.rows = slices.DeleteFunc(s.rows, func(r row) bool { return s.rowByID[r.id] == 0 })
	s.index()
}

// before returns the row before row number at.
func (s *rowTable) before(at int32) *row {
	if at < 2 {
		return &row{}
	}
	return &s.rows[at-2]
}

func newRow(r *crawl.Record, w *linkGraph, t *totals, c *catalog.Catalog) row {
	detail := r.Link.Detail
	if r.Fetched {
		detail = r.Page.Detail
	}
	if r.Page.Target > 0 && r.Page.Reason == crawl.ReasonRedirect {
		detail = "" // the target is enough
	}
	row := row{
		id:       r.Link.ID,
		class:    classOf(r),
		url:      format.Truncate(format.Plain(r.Link.URL), maxURL),
		title:    format.Truncate(format.Plain(r.Page.Title), maxTitle),
		detail:   detailText(c, detail),
		reason:   t.internReason(DecisionOf(r)),
		role:     r.Link.Role,
		status:   int16(r.Page.Status),
		depth:    w.depthOf(r.Link.ID),
		linked:   int32(at(w.linked, r.Link.ID)),
		links:    int32(at(w.links, r.Link.ID)),
		took:     r.Page.Duration,
		size:     r.Page.Size,
		html:     extract.IsHTML(r.Page.MediaType),
		target:   r.Page.Target,
		given:    r.Link.SeededBy,
		conflict: detailText(c, r.Page.Conflict),
		previous: at(w.parent, r.Link.ID),
	}
	row.rendered = format.Truncate(RenderedText(c, r.Page.RenderReason, r.Page.Rendered), maxDetail)
	row.addResponse(&r.Page)
	return row
}

// detailText returns a detail as a row shows it.
func detailText(c *catalog.Catalog, detail crawl.Detail) string {
	return format.Truncate(format.Plain(c.Detail(detail.Split())), maxDetail)
}

// addResponse adds what only a URL with a response has.
func (r *row) addResponse(page *crawl.Page) {
	if !page.Time.IsZero() {
		r.time = page.Time.Unix()
	}
	field := func(text string) string { return format.Truncate(format.Plain(text), maxField) }
	r.titleLength, r.words, r.reused = int32(insight.Columns(page.Title)), int32(page.Words), page.Reused
	r.mediaType, r.language = field(page.MediaType), field(page.Language)
	r.lastMod, r.lastModSource = page.LastMod.String(), field(string(page.LastModSource))
	r.etag, r.lastModified = field(page.ETag), field(page.LastModified)
	if page.Facts == nil {
		return
	}
	r.facts, r.hasFacts = *page.Facts, true
	r.facts.Faults = nil // rows do not show them, and all are in memory
	r.descriptionLength = int32(insight.Columns(r.facts.Description))
	r.facts.Description = format.Truncate(format.Plain(r.facts.Description), maxDescription)
	r.facts.H1 = format.Truncate(format.Plain(r.facts.H1), maxTitle)
	r.facts.OpenGraphType, r.facts.JSONLD = field(r.facts.OpenGraphType), field(r.facts.JSONLD)
}
