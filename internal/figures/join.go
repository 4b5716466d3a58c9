package figures

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/mapatools/mapa/internal/bitset"
	"github.com/mapatools/mapa/internal/page"
	"github.com/mapatools/mapa/internal/sqlite"
	"github.com/mapatools/mapa/internal/store"
	"github.com/mapatools/mapa/internal/urlnorm"
)

// About is what the figures of a site say as a whole. Its JSON is for programs.
type About struct {
	// Exports are those that count, the oldest first.
	Exports []Export `json:"exports"`
	// Days are the numbers of indexed pages, by scope and day.
	Days    []Day    `json:"days,omitempty"`
	Reasons []Reason `json:"reasons,omitempty"`
	// Submitted are the days on which the sitemap or its pages were announced.
	Submitted []string `json:"submitted,omitempty"`
}

// Columns returns the headings of all joined tables, each once.
func (a *About) Columns() (names []string) {
	if a == nil {
		return nil
	}
	for i := range a.Exports {
		for _, name := range a.Exports[i].Columns {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// Facts returns the keys of the facts of pages that lists show with these exports.
func (a *About) Facts() (keys []string) {
	if a == nil {
		return nil
	}
	has := func(kind Kind, engine string) bool {
		return slices.ContainsFunc(a.Exports, func(e Export) bool { return e.Kind == kind && e.Engine == engine })
	}
	if has(KindReason, Google) {
		keys = append(keys, "index_state")
	}
	if has(KindSearch, Google) {
		keys = append(keys, "impressions", "clicks")
	}
	if has(KindSearch, Bing) {
		keys = append(keys, "bing_impressions", "bing_clicks")
	}
	return keys
}

// A Day has the numbers of indexed pages of a scope, as in [Export].
type Day struct {
	Scope      string `json:"scope"`
	Day        string `json:"day"` // YYYY-MM-DD
	Indexed    int64  `json:"indexed"`
	NotIndexed int64  `json:"not_indexed"`
}

// A Reason is why pages of a scope are not indexed, with their number.
type Reason struct {
	Scope  string `json:"scope"`
	Reason string `json:"reason"` // as in page.Figures
	Pages  int64  `json:"pages"`
}

// maxAllDays is how many days all scopes have together: five years of the three usual ones.
const maxAllDays = 5500

// maxExamples is how many rows are named that are of no URL of the crawl.
const maxExamples = 3

// Join copies the figures to a crawl, and returns what they say as a whole. It takes a bit of memory for each row.
func (f *File) Join(ctx context.Context, crawl *store.File, site *Site, submitted []string) (*About, error) {
	if err := f.db.InTransaction(func() error { return f.rekey(ctx, site) }); err != nil {
		return nil, cmp.Or(ctx.Err(), f.db.Explain(err))
	}
	about, err := f.about(ctx)
	if err != nil {
		return nil, err
	}
	about.Submitted = submitted
	j := &joiner{file: f, site: site, exports: map[int64]*Export{}, counts: map[int64]int{}}
	for i := range about.Exports {
		j.exports[about.Exports[i].id] = &about.Exports[i]
	}
	if j.find, err = f.db.Prepare(selectFigures); err != nil {
		return nil, f.db.Explain(err)
	}
	defer j.find.Close()
	if err := crawl.WriteFigures(ctx, j.figures, func() (any, error) { return about, j.name(ctx) }); err != nil {
		return nil, err
	}
	return about, nil
}

const selectFigures = `select rowid, export, clicks, impressions, position, crawl, joined, url from figure where key = ?
order by rowid`

// A joiner finds what all exports say about a page.
type joiner struct {
	file    *File
	site    *Site
	find    *sqlite.Statement
	exports map[int64]*Export
	key     []byte
	matched bitset.Set[int64]
	counts  map[int64]int // rows that matched, by export
}

// figures returns what is known of a URL.
func (j *joiner) figures(url string) (figures page.Figures, known bool, err error) {
	j.key = j.site.appendKey(j.key[:0], []byte(url))
	var damaged error
	var positions [2]float64 // the sums of positions, each as often as the page was shown
	err = j.find.Query(func(r sqlite.Row) bool {
		e := j.exports[r.Number(1)]
		if e == nil {
			return true
		}
		if e.Kind == KindReason && !sameURL(r.Text(7), url) {
			return true // what an engine says of a spelling of a page is not what it says of the page
		}
		known = true
		if id := r.Number(0); id > 0 && !j.matched.Has(id) {
			j.matched.Add(id)
			j.counts[e.id]++
		}
		switch e.Kind {
		case KindReason:
			addReason(&figures, e, r.Text(5))
		case KindSearch:
			engine, sum := &figures.Google, &positions[0]
			if e.Engine == Bing {
				engine, sum = &figures.Bing, &positions[1]
			}
			addSearch(engine, e, r, sum)
		case KindTable:
			damaged = cmp.Or(damaged, addJoined(&figures, r.Text(6)))
		}
		return true
	}, string(j.key))
	return figures, known, cmp.Or(err, damaged)
}

// sameURL reports whether two URLs differ in their escapes at most.
func sameURL(a, b string) bool {
	exact := func(url string) string { return string(urlnorm.AppendKey(nil, []byte(url), urlnorm.KeyOptions{})) }
	return a == b || !strings.Contains(a, "#") && exact(a) == exact(b)
}

// addReason adds why a page is not indexed. Of several reasons the newest counts.
func addReason(f *page.Figures, e *Export, crawl string) {
	if f.IndexDate > e.Until {
		return
	}
	if e.NoReason {
		f.EngineCrawl = cmp.Or(f.EngineCrawl, crawl)
		return
	}
	f.Index, f.IndexReason, f.IndexDate, f.EngineCrawl = page.IndexNo, e.Reason, e.Until, crawl
	if e.Reason == "" || isIndexed(e.Reason) {
		f.Index = page.IndexYes
	}
}

// addSearch adds the numbers of one of the spellings of a page.
func addSearch(s *page.Search, e *Export, r sqlite.Row, sum *float64) {
	s.Known, s.Period = true, e.Period()
	s.Clicks, s.Impressions = s.Clicks+r.Number(2), s.Impressions+r.Number(3)
	*sum += float64(r.Number(4)) * float64(r.Number(3))
	if s.Position = r.Number(4); s.Impressions > r.Number(3) {
		s.Position = int64(math.Round(*sum / float64(s.Impressions)))
	}
}

func addJoined(f *page.Figures, text string) error {
	if text == "" {
		return nil
	}
	var joined map[string]string
	if err := json.Unmarshal([]byte(text), &joined); err != nil {
		return fmt.Errorf("%w: %w", sqlite.ErrDamaged, err)
	}
	if f.Joined == nil {
		f.Joined = joined
		return nil
	}
	maps.Copy(f.Joined, joined)
	return nil
}

// name sets how many rows of the exports matched, and the first ones that did not.
func (j *joiner) name(ctx context.Context) error {
	for _, e := range j.exports {
		if e.Matched = j.counts[e.id]; e.Matched == e.Rows {
			continue
		}
		err := j.file.db.QueryUntil(ctx, "select rowid, url from figure where export = ? order by rowid", func(r sqlite.Row) bool {
			if !j.matched.Has(r.Number(0)) {
				e.Unmatched = append(e.Unmatched, r.Text(1))
			}
			return len(e.Unmatched) < maxExamples
		}, e.id)
		if err != nil {
			return cmp.Or(ctx.Err(), j.file.db.Explain(err))
		}
	}
	return nil
}

// about reads what the exports say as a whole.
func (f *File) about(ctx context.Context) (*About, error) {
	exports, err := f.current("true")
	about := &About{Exports: append([]Export{}, exports...)}
	if err == nil {
		err = f.db.QueryUntil(ctx, "select scope, day, indexed, not_indexed from day order by day desc limit ?", func(r sqlite.Row) bool {
			about.Days = append(about.Days, Day{r.Text(0), r.Text(1), r.Number(2), r.Number(3)})
			return true
		}, int64(maxAllDays))
	}
	if err == nil {
		err = f.db.QueryUntil(ctx, "select scope, reason, pages from reason order by scope, pages desc, reason", func(r sqlite.Row) bool {
			about.Reasons = append(about.Reasons, Reason{r.Text(0), r.Text(1), r.Number(2)})
			return true
		})
	}
	if err != nil {
		return nil, cmp.Or(ctx.Err(), f.db.Explain(err))
	}
	slices.Reverse(about.Days)
	slices.SortStableFunc(about.Days, func(a, b Day) int { return cmp.Compare(a.Scope, b.Scope) })
	return about, nil
}
