package report

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/format"
)

// Bounds of what one page of HTML holds, so that a browser can show it.
const (
	maxPageBytes    = 12 << 20 // bytes
	maxTitle   = 120      // characters
	maxDetail  = 200
	maxURL = 2000 // of an address
	initialRows   = 120_000
)

// A row is an address as the HTML report holds it.
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
	depth, linked int32
	status        int16
	html          bool
	given         crawl.SeedSource
}

// The bytes of a row's numbers, and what of its detail is its own: most have the
// same as others.
const (
	numbersSize = 32
	detailShare     = 8 // one in so many bytes
)

// estimateSize estimates the bytes of a row before its neighbours are known, with which
// it has about half of its address in common.
func estimateSize(r *crawl.Record) int {
	return numbersSize + min(len(r.Link.URL), maxURL)/2 + min(len(r.Page.Title), 3*maxTitle) +
		min(len(r.Page.Detail)+len(r.Link.Detail), maxDetail)/detailShare + min(len(r.Page.Conflict), maxDetail)
}

// encodedSize is the bytes of a row behind another one.
func (r *row) encodedSize(before *row) int {
	return numbersSize + len(r.url) - before.sharedPrefix(r) + len(r.title) + len(r.detail)/detailShare + len(r.conflict)
}

// sharedPrefix returns how many bytes of ASCII the addresses have in common at their
// beginning.
func (r *row) sharedPrefix(next *row) int {
	n := 0
	for n < len(r.url) && n < len(next.url) && r.url[n] == next.url[n] && r.url[n] < 0x80 {
		n++
	}
	return n
}

// A rowTable is the addresses that the report shows, in the order of the addresses.
type rowTable struct {
	rows []row
	rowByID   []int32 // by ID: the row's number from 1, or 0
	// omitted counts the addresses that found no room.
	omitted [classCount]int
}

// newRowTable takes as many addresses as there is room for: those that other parts
// of the report need, then pages that are not listed, then the others.
func newRowTable(ctx context.Context, file crawl.Reader, w *linkGraph, t *totals, want []bool) (*rowTable, error) {
	s := &rowTable{rows: make([]row, 0, min(t.urls, initialRows)), rowByID: make([]int32, len(w.depth))}
	room := t.classBytes
	wanted := 0
	for _, is := range want {
		if is {
			wanted++
		}
	}
	// What is needed takes the room of as many average addresses.
	free := max(0, maxPageBytes-wanted*t.totalBytes()/max(1, t.urls))
	for class := classUnlisted; class < classCount; class++ {
		room[class] = min(room[class], free)
		free -= room[class]
	}
	room[classReferenced] = maxPageBytes / 4 // for what others lead to
	for r, err := range file.Pages(ctx) {
		if err != nil {
			return nil, err
		}
		t.addCanonical(&r)
		class := classOf(&r)
		if room[class] -= estimateSize(&r); room[class] < 0 && t.isTarget[r.Link.ID] {
			class = classReferenced
			room[classReferenced] -= estimateSize(&r)
		}
		if room[class] < 0 && !want[r.Link.ID] {
			s.omitted[classOf(&r)]++
			continue
		}
		s.rows = append(s.rows, newRow(&r, w, t))
	}
	slices.SortFunc(s.rows, func(a, b row) int { return cmp.Compare(a.url, b.url) })
	s.index()
	s.shrink(want)
	return s, nil
}

// index notes where the rows are.
func (s *rowTable) index() {
	for i := range s.rows {
		s.rowByID[s.rows[i].id] = int32(i + 1)
	}
}

// shrink drops rows that nothing points at until all have room: those that matter
// least, and of them the ones that were met last.
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

// before returns the row before one, numbered from 1.
func (s *rowTable) before(at int32) *row {
	if at < 2 {
		return &row{}
	}
	return &s.rows[at-2]
}

func newRow(r *crawl.Record, w *linkGraph, t *totals) row {
	detail := r.Link.Detail
	if r.Fetched {
		detail = r.Page.Detail
	}
	if r.Page.Target > 0 && r.Page.Reason == crawl.ReasonRedirect {
		detail = "" // the target says it
	}
	return row{
		id:       r.Link.ID,
		class:    classOf(r),
		url:      format.Truncate(format.Plain(r.Link.URL), maxURL),
		title:    format.Truncate(format.Plain(r.Page.Title), maxTitle),
		detail:   format.Truncate(format.Plain(detail), maxDetail),
		reason:   t.internReason(decisionOf(r)),
		role:     r.Link.Role,
		status:   int16(r.Page.Status),
		depth:    w.depth[r.Link.ID],
		linked:   int32(w.linked[r.Link.ID]),
		took:     r.Page.Took,
		size:     r.Page.Size,
		html:     isHTML(r.Page.MediaType),
		target:   r.Page.Target,
		given:    r.Link.SeededBy,
		conflict: format.Truncate(format.Plain(r.Page.Conflict), maxDetail),
	}
}
