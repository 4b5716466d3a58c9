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
	mostRoom    = 12 << 20 // bytes
	mostTitle   = 120      // characters
	mostDetail  = 200
	longestShow = 2000 // of an address
	usualRows   = 120_000
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
	roomOfNumbers = 32
	ownDetail     = 8 // one in so many bytes
)

// roomOf estimates the bytes of a row before its neighbours are known, with which
// it has about half of its address in common.
func roomOf(r *crawl.Record) int {
	return roomOfNumbers + min(len(r.Link.URL), longestShow)/2 + min(len(r.Page.Title), 3*mostTitle) +
		min(len(r.Page.Detail)+len(r.Link.Detail), mostDetail)/ownDetail + min(len(r.Page.Conflict), mostDetail)
}

// room is the bytes of a row behind another one.
func (r *row) room(before *row) int {
	return roomOfNumbers + len(r.url) - before.shares(r) + len(r.title) + len(r.detail)/ownDetail + len(r.conflict)
}

// shares returns how many bytes of ASCII the addresses have in common at their
// beginning.
func (r *row) shares(next *row) int {
	n := 0
	for n < len(r.url) && n < len(next.url) && r.url[n] == next.url[n] && r.url[n] < 0x80 {
		n++
	}
	return n
}

// A shelf is the addresses that the report shows, in the order of the addresses.
type shelf struct {
	rows []row
	at   []int32 // by ID: the row's number from 1, or 0
	// missing counts the addresses that found no room.
	missing [classes]int
}

// collect takes as many addresses as there is room for: those that other parts
// of the report need, then pages that are not listed, then the others.
func collect(ctx context.Context, file crawl.Reader, w *web, t *census, want []bool) (*shelf, error) {
	s := &shelf{rows: make([]row, 0, min(t.addresses, usualRows)), at: make([]int32, len(w.depth))}
	room := t.rooms
	wanted := 0
	for _, is := range want {
		if is {
			wanted++
		}
	}
	// What is needed takes the room of as many average addresses.
	free := max(0, mostRoom-wanted*t.room()/max(1, t.addresses))
	for class := left; class < classes; class++ {
		room[class] = min(room[class], free)
		free -= room[class]
	}
	room[needed] = mostRoom / 4 // for what others lead to
	for r, err := range file.Pages(ctx) {
		if err != nil {
			return nil, err
		}
		t.compare(&r)
		class := classOf(&r)
		if room[class] -= roomOf(&r); room[class] < 0 && t.led[r.Link.ID] {
			class = needed
			room[needed] -= roomOf(&r)
		}
		if room[class] < 0 && !want[r.Link.ID] {
			s.missing[classOf(&r)]++
			continue
		}
		s.rows = append(s.rows, newRow(&r, w, t))
	}
	slices.SortFunc(s.rows, func(a, b row) int { return cmp.Compare(a.url, b.url) })
	s.index()
	s.fit(want)
	return s, nil
}

// index notes where the rows are.
func (s *shelf) index() {
	for i := range s.rows {
		s.at[s.rows[i].id] = int32(i + 1)
	}
}

// fit drops rows that nothing points at until all have room: those that matter
// least, and of them the ones that were met last.
func (s *shelf) fit(want []bool) {
	over := -mostRoom
	before := &row{}
	for i := range s.rows {
		over += s.rows[i].room(before)
		before = &s.rows[i]
	}
	for class := classes - 1; class > needed && over > 0; class-- {
		for id := len(s.at) - 1; id > 0 && over > 0; id-- {
			at := s.at[id]
			if at == 0 || want[id] || s.rows[at-1].class != class {
				continue
			}
			over -= s.rows[at-1].room(s.before(at))
			s.at[id] = 0
			s.missing[class]++
		}
	}
	s.rows = slices.DeleteFunc(s.rows, func(r row) bool { return s.at[r.id] == 0 })
	s.index()
}

// before returns the row before one, numbered from 1.
func (s *shelf) before(at int32) *row {
	if at < 2 {
		return &row{}
	}
	return &s.rows[at-2]
}

func newRow(r *crawl.Record, w *web, t *census) row {
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
		url:      format.Truncate(format.Plain(r.Link.URL), longestShow),
		title:    format.Truncate(format.Plain(r.Page.Title), mostTitle),
		detail:   format.Truncate(format.Plain(detail), mostDetail),
		reason:   t.reason(decided(r)),
		role:     r.Link.Role,
		status:   int16(r.Page.Status),
		depth:    w.depth[r.Link.ID],
		linked:   int32(w.linked[r.Link.ID]),
		took:     r.Page.Took,
		size:     r.Page.Size,
		html:     isHTML(r.Page.MediaType),
		target:   r.Page.Target,
		given:    r.Link.SeededBy,
		conflict: format.Truncate(format.Plain(r.Page.Conflict), mostDetail),
	}
}
