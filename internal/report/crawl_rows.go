package report

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/store"
)

// Bounds of what one page of HTML holds, so that a browser can show it.
const (
	mostRoom    = 13 << 20 // bytes, as roomOf estimates them
	mostTitle   = 120      // characters
	mostDetail  = 200
	longestShow = 2000 // of an address
	usualRows   = 120_000
)

// A row is an address as the HTML report holds it.
type row struct {
	id            crawl.ID
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
	given         crawl.Given
}

// roomOf estimates the bytes of a row. About half of an address is the same as
// that of its neighbour.
func roomOf(r *store.Record) int {
	return 26 + min(len(r.Link.URL), longestShow)/2 + min(len(r.Page.Title), mostTitle) + min(len(r.Page.Detail)+len(r.Link.Detail), mostDetail)/8 + min(len(r.Page.Conflict), mostDetail)
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
func collect(ctx context.Context, file *store.File, w *web, t *census, want []bool) (*shelf, error) {
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
	for r, err := range file.Pages(ctx) {
		if err != nil {
			return nil, err
		}
		t.compare(&r)
		class := classOf(&r)
		if room[class] -= roomOf(&r); room[class] < 0 && !want[r.Link.ID] {
			s.missing[class]++
			continue
		}
		s.rows = append(s.rows, newRow(&r, w, t))
	}
	slices.SortFunc(s.rows, func(a, b row) int { return cmp.Compare(a.url, b.url) })
	for i := range s.rows {
		s.at[s.rows[i].id] = int32(i + 1)
	}
	return s, nil
}

func newRow(r *store.Record, w *web, t *census) row {
	detail := r.Link.Detail
	if r.Fetched {
		detail = r.Page.Detail
	}
	if r.Page.Target > 0 && r.Page.Reason == crawl.Redirect {
		detail = "" // the target says it
	}
	return row{
		id:       r.Link.ID,
		url:      cut(plain(r.Link.URL), longestShow),
		title:    cut(plain(r.Page.Title), mostTitle),
		detail:   cut(plain(detail), mostDetail),
		reason:   t.reason(decided(r)),
		role:     r.Link.Role,
		status:   int16(r.Page.Status),
		depth:    w.depth[r.Link.ID],
		linked:   int32(w.linked[r.Link.ID]),
		took:     r.Page.Took,
		size:     r.Page.Size,
		html:     isHTML(r.Page.MediaType),
		target:   r.Page.Target,
		given:    r.Link.Given,
		conflict: cut(plain(r.Page.Conflict), mostDetail),
	}
}
