package figures

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mapatools/mapa/internal/urlnorm"
)

// A Kind is what an export has.
type Kind string

// The kinds of exports. The names are stable.
const (
	KindIndex  Kind = "index"  // the numbers of indexed pages by day
	KindReason Kind = "reason" // the pages that have one reason
	KindSearch Kind = "search" // clicks and impressions by page
	KindTable  Kind = "table"  // any other table with URLs
)

// The search engines.
const (
	Google = "google"
	Bing   = "bing"
)

// An Export is what one file, archive or folder says. Its JSON is for programs.
type Export struct {
	Name   string `json:"name"` // of the file
	Engine string `json:"engine,omitempty"`
	Kind   Kind   `json:"kind"`
	// Indexed and NotIndexed are the numbers of an index on its last day.
	Indexed    int64 `json:"indexed,omitempty"`
	NotIndexed int64 `json:"not_indexed,omitempty"`
	// Scope is what an index or a reason covers: ScopeAll, ScopeSubmitted, the URL of a sitemap, or the words of the
	// export; empty where it says nothing.
	Scope string `json:"scope,omitempty"`
	// Reason is that of all pages of a reason, as in page.Figures; it is empty for those that are indexed.
	Reason string `json:"reason,omitempty"`
	// NoReason says that the metadata are missing, which name the reason: the pages may be those that are indexed.
	NoReason bool `json:"no_reason,omitempty"`
	// Since and Until are the first and the last day, as YYYY-MM-DD. Since may be empty: then Until is the day in the
	// name of the file, or with FileDate that on which the file was written.
	Since    string `json:"since,omitempty"`
	Until    string `json:"until"`
	FileDate bool   `json:"file_date,omitempty"`
	// Filtered says that a search export has only some pages. Unfiltered says that it has all: its filters are known.
	Filtered   string `json:"filtered,omitempty"`
	Unfiltered bool   `json:"unfiltered,omitempty"`
	Rows       int    `json:"rows"` // with a URL
	// Clicks and Impressions are the sums of the rows of a search export. A search that shows two pages counts twice.
	Clicks      int64 `json:"clicks,omitempty"`
	Impressions int64 `json:"impressions,omitempty"`
	Skipped     int   `json:"skipped,omitempty"` // rows that cannot be used
	// Cut says that rows are missing: the export has as many as one can have, or fewer than the pages that it is about.
	Cut   bool  `json:"cut,omitempty"`
	Pages int64 `json:"pages,omitempty"` // that the export is about; 0 where it does not say so
	// Covers are the folders that the rows are in, one for each origin: pages elsewhere may be of another property. It is
	// empty for very many origins.
	Covers []string `json:"covers,omitempty"`
	// Columns are the headings of a table without that of the URLs.
	Columns []string `json:"columns,omitempty"`
	// ByShape says that the headings were not known, so that the form of the values decided.
	ByShape bool `json:"by_shape,omitempty"`
	// Older says that a newer export of the same was read: only the days of this one are kept.
	Older bool `json:"older,omitempty"`
	// Matched is how many rows are of URLs of the crawl, and Unmatched are the first of the others.
	Matched   int      `json:"matched"`
	Unmatched []string `json:"unmatched,omitempty"`

	id int64
}

// Period returns the first and the last day, with a slash between them. The first one is two points if it is not
// known, as in the Extended Date/Time Format (https://www.loc.gov/standards/datetime/).
func (e *Export) Period() string { return cmp.Or(e.Since, "..") + "/" + e.Until }

// maxRows is the number of rows that an export of Search Console has at most. Published ones have a row less as well.
const maxRows = 1000

// setCut says whether rows are missing in an export whose rows are counted.
func (e *Export) setCut() {
	rows := e.Rows + e.Skipped
	e.Cut = e.Engine == Google && (rows >= maxRows-1 || int64(rows) < e.Pages)
}

// maxOrigins is the number of origins in Export.Covers. A property of Search Console has four at most, or those of the
// hosts of a domain.
const maxOrigins = 100

// A coverage is the folders that URLs are in, by their origins.
type coverage struct {
	folders map[string]string
	tooMany bool
}

// add adds a URL.
func (c *coverage) add(url string) {
	origin := urlnorm.Origin(url)
	path := url[len(origin):]
	if end := strings.IndexAny(path, "?#"); end >= 0 {
		path = path[:end]
	}
	folder := path[:strings.LastIndexByte(path, '/')+1]
	before, known := c.folders[origin]
	switch {
	case known:
		for !strings.HasPrefix(folder, before) {
			before = before[:strings.LastIndexByte(before[:len(before)-1], '/')+1]
		}
		folder = before
	case len(c.folders) == maxOrigins:
		c.tooMany = true
		return
	case c.folders == nil:
		c.folders = map[string]string{}
	}
	c.folders[origin] = folder
}

// list returns the folders as URLs.
func (c *coverage) list() (urls []string) {
	if c.tooMany {
		return nil
	}
	for origin, folder := range c.folders {
		urls = append(urls, origin+folder)
	}
	slices.Sort(urls)
	return urls
}

const (
	// minPeriod is the shortest time in which it means something that nobody saw a page: an export of 28 days.
	minPeriod = 27 * 24 * time.Hour
	// maxAge is how long before a crawl the time of an export may end: a page may be newer than older ones.
	maxAge = 100 * 24 * time.Hour
)

// IsCovered reports whether an export that lacks a page of the site says that nobody saw the page, which a crawl found
// at a time.
func (e *Export) IsCovered(url string, crawled time.Time) bool {
	since, err := time.Parse(time.DateOnly, e.Since)
	until, errUntil := time.Parse(time.DateOnly, e.Until)
	if err != nil || errUntil != nil || until.Sub(since) < minPeriod || crawled.Sub(until) > maxAge {
		return false
	}
	return !e.Cut && e.Unfiltered && slices.ContainsFunc(e.Covers, func(folder string) bool {
		return strings.HasPrefix(url, folder)
	})
}

// errNoExport says that nothing in a file is known.
var errNoExport = errors.New("it is not a known export: it has no column with URLs, and no days of indexed pages")

// A day has the numbers of indexed pages.
type day struct {
	day                 string
	indexed, notIndexed int64
}

// A contents is what is read of an export before its pages.
type contents struct {
	days     []day
	listed   []string         // the days of other numbers
	affected int64            // pages with the reason on the last of them
	reasons  map[string]int64 // pages, by the words of the export
	metadata [][2]string      // of an index or a reason
	filters  [][2]string      // of searches: the type, the time, and then others
	hasForm  bool             // a table of reasons: the chart next to it is that of indexed pages
	pages    []readTable
	byShape  bool
}

// A readTable is a part with pages, which is read when the rest of the export is known.
type readTable struct {
	part
	layout layout
	names  []string // of the columns to join
}

const (
	maxDays     = 2000
	maxReasons  = 200
	maxMetadata = 100
)

// read reads all of a group but its pages.
func (g *group) read(ctx context.Context) (*contents, error) {
	c := &contents{reasons: map[string]int64{}}
	isShaped := false // the headings of a chart are not known
	for _, p := range g.parts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		err := p.use(func(t *table) error {
			l := recognize(t)
			isShaped = isShaped || l.kind == tableIndexDays && l.byShape
			if l.kind == tableUnknown && g.named {
				return errNoExport
			}
			return c.add(p, t, &l)
		})
		if err != nil {
			return nil, &FileError{p.name, err}
		}
	}
	if isShaped && !c.hasForm { // the chart of another report
		c.days, c.byShape = nil, false
	}
	return c, nil
}

// use calls read with the table in a part.
func (p *part) use(read func(*table) error) (err error) {
	in, err := p.open()
	if err != nil {
		return err
	}
	defer func() { err = cmp.Or(err, in.Close()) }()
	t, err := newTable(in)
	if errors.Is(err, errNoHeading) {
		return nil
	}
	if err != nil {
		return err
	}
	return read(t)
}

// add adds a table, apart from pages.
func (c *contents) add(p part, t *table, l *layout) error {
	switch l.kind {
	case tablePages, tableSearch, tableJoined:
		names := slices.DeleteFunc(l.joinedColumns(t.heading), func(name string) bool { return name == "" })
		c.pages = append(c.pages, readTable{p, *l, names})
	case tableMetadata:
		var rows [][2]string
		err := c.each(t, maxMetadata, func(row []string) { rows = append(rows, [2]string{row[0], cell(row, 1)}) })
		if slices.ContainsFunc(rows, func(row [2]string) bool { return isScopeName(row[0]) }) {
			c.metadata = append(c.metadata, rows...)
		} else {
			c.filters = append(c.filters, rows...)
		}
		return err
	case tableReasons:
		c.hasForm = true
		return c.each(t, maxReasons, func(row []string) {
			n, _ := parseCount(cell(row, len(row)-1))
			c.reasons[reasonOf(row[0])] += n
		})
	case tableDays:
		return c.each(t, maxDays, func(row []string) {
			if n, known := parseCount(cell(row, 1)); known && len(row) == 2 {
				c.affected = n
			}
			first, last, isPeriod := strings.Cut(row[0], " - ")
			c.listed = append(c.listed, l.day.read(first))
			if isPeriod {
				c.listed = append(c.listed, l.day.read(last))
			}
		})
	case tableIndexDays:
		c.byShape = c.byShape || l.byShape
		return c.each(t, maxDays, func(row []string) {
			in, known := parseCount(cell(row, l.column(fieldIndexed)))
			out, knownOut := parseCount(cell(row, l.column(fieldNotIndexed)))
			if date := l.day.read(row[0]); date != "" && known && knownOut {
				c.days = append(c.days, day{date, in, out})
			}
		})
	}
	return nil
}

var errManyRows = errors.New("it has more rows than such a table of an export can have")

// each calls add with every row of a small table.
func (c *contents) each(t *table, most int, add func(row []string)) error {
	return t.each(func(number int, row []string) error {
		if number > most {
			return errManyRows
		}
		add(row)
		return nil
	})
}

// scope returns what the export covers, and its reason, or "".
func (c *contents) scope() (scope, reason string) {
	for _, one := range c.metadata {
		if isScopeName(one[0]) {
			scope = scopeOf(one[1])
		} else if reason == "" {
			reason = one[1]
		}
	}
	return scope, reason
}

// The names of the filters that every export has, and of those that leave out pages, in lower case.
var (
	typeFilters = []string{"search type", "tipo de búsqueda", "type de recherche", "suchtyp", "tipo de pesquisa", "検索タイプ"}
	timeFilters = []string{"date", "fecha", "datum", "data", "日付", "дата"}
	pageFilters = []string{"page", "página", "seite", "ページ", "страница"}
	// webTypes are the type of search whose numbers are those of pages.
	webTypes = []string{"web", "ウェブ", "веб"}
)

// A FilterError says that an export has only a part of the searches, so that its numbers are not those of the pages.
type FilterError struct{ Filter string }

// Error names the filter.
func (e *FilterError) Error() string {
	return "it has only a part of the searches (" + e.Filter + "): export all web searches"
}

// filtered returns the filter of a search export that leaves out pages, or "", and whether it is known to have none.
// Other filters are a [*FilterError].
func (c *contents) filtered() (pages string, isWhole bool, err error) {
	isWhole = len(c.filters) > 0
	for i, one := range c.filters {
		name, text := strings.ToLower(one[0]), one[0]+": "+one[1]
		switch {
		case slices.Contains(webTypes, strings.ToLower(one[1])), slices.Contains(timeFilters, name):
		case slices.Contains(pageFilters, name):
			pages, isWhole = text, false
		case i < 2 && !slices.Contains(typeFilters, name): // the type and the time in another language
			isWhole = false
		default:
			return "", false, &FilterError{text}
		}
	}
	return pages, isWhole, nil
}

// exportsOf returns the exports of a group: that of the index if it has days, and one for each table with pages.
func (g *group) exportsOf(c *contents, now time.Time) (exports []Export, err error) {
	scope, reason := c.scope()
	days := c.listed
	for _, one := range c.days {
		days = append(days, one.day)
	}
	slices.Sort(days)
	first := len(days)
	for i := len(days) - 1; i >= 0 && days[i] != ""; i-- {
		first = i
	}
	days = days[first:]
	base := Export{Name: filepath.Base(g.name), Engine: Google, Scope: scope}
	base.setDate(now, g.name)
	if len(days) > 0 {
		base.Since, base.Until, base.FileDate = days[0], days[len(days)-1], false
	}
	if base.Until > now.AddDate(0, 0, 2).Format(time.DateOnly) {
		return nil, &FileError{g.name, errFuture}
	}
	if len(c.days)+len(c.reasons) > 0 {
		one := base
		one.Kind, one.ByShape = KindIndex, c.byShape
		if n := len(c.days); n > 0 {
			last := slices.MaxFunc(c.days, func(a, b day) int { return strings.Compare(a.day, b.day) })
			one.Indexed, one.NotIndexed = last.indexed, last.notIndexed
		}
		exports = append(exports, one)
	}
	for i := range c.pages {
		one, l, name := base, &c.pages[i].layout, c.pages[i].name
		one.Name, one.ByShape = filepath.Base(name), l.byShape
		if one.Since == "" {
			one.setDate(now, name, g.name)
		}
		switch l.kind {
		case tablePages:
			one.Kind, one.Reason = KindReason, reasonOf(reason)
			one.Pages, one.NoReason = c.affected, len(c.metadata) == 0
		case tableSearch:
			one.Kind, one.Scope = KindSearch, ""
			var err error
			if one.Filtered, one.Unfiltered, err = c.filtered(); err != nil {
				return nil, &FileError{name, err}
			}
			if l.bing {
				one.Engine = Bing
			}
		case tableJoined:
			one.Kind, one.Engine, one.Scope, one.Since = KindTable, "", "", ""
			one.setDate(now, name, g.name)
			one.Columns = c.pages[i].names
		}
		exports = append(exports, one)
	}
	switch {
	case len(exports) == 0 && g.workbook:
		return nil, &FileError{g.name, errWorkbook}
	case len(exports) == 0:
		return nil, &FileError{g.name, errNoExport}
	}
	return exports, nil
}

// The days that names of downloaded files end with.
var (
	googleName = regexp.MustCompile(`(\d{4}-\d\d-\d\d)\D*$`)
	bingName   = regexp.MustCompile(`_(\d{1,2})_(\d{1,2})_(\d{4})\D*$`)
)

// errFuture says that an export would be newer than all that follow.
var errFuture = errors.New("its last day is in the future")

// setDate sets the day of an export: that of one of its names or of its folder, or else of a file.
func (e *Export) setDate(now time.Time, names ...string) {
	e.FileDate = false
	for _, name := range append(slices.Clone(names), filepath.Dir(names[len(names)-1])) {
		name = strings.TrimSuffix(filepath.Base(name), filepath.Ext(name))
		if match := googleName.FindStringSubmatch(name); match != nil {
			e.Until = match[1]
			return
		}
		if match := bingName.FindStringSubmatch(name); match != nil {
			month, _ := strconv.Atoi(match[1])
			date, _ := strconv.Atoi(match[2])
			year, _ := strconv.Atoi(match[3])
			e.Until = time.Date(year, time.Month(month), date, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
			return
		}
	}
	e.Until, e.FileDate = now.UTC().Format(time.DateOnly), true
	for _, name := range names {
		if info, err := os.Stat(name); err == nil && info.ModTime().Before(now) {
			e.Until = info.ModTime().UTC().Format(time.DateOnly)
			return
		}
	}
}

// A row is what a table says about a page.
type row struct {
	url                           string
	clicks, impressions, position int64
	crawl                         string
	joined                        map[string]string
}

// maxJoined is the number of columns of a joined table, and maxCell the number of bytes of a cell.
const (
	maxJoined = 50
	maxCell   = 1000
)

var errManyColumns = errors.New("it has more than " + strconv.Itoa(maxJoined) + " columns")

// each calls use with every page of a table. Rows without a URL have an empty one.
func (r *readTable) each(ctx context.Context, use func(*row) error) error {
	var failed error // of ctx or use
	err := r.use(func(t *table) error {
		l := &r.layout
		if l.kind == tableJoined && len(t.heading) > maxJoined+1 {
			return errManyColumns
		}
		status := -1
		if l.kind == tablePages && len(t.heading) == 3 {
			status = 2
		}
		names := l.joinedColumns(t.heading)
		return t.each(func(number int, cells []string) error {
			if failed = ctx.Err(); failed != nil && number%1000 == 0 {
				return failed
			}
			if slices.Contains(passedWords, strings.ToLower(cell(cells, status))) {
				return nil
			}
			failed = use(l.row(names, cells))
			return failed
		})
	})
	if err != nil && failed == nil {
		err = &FileError{r.name, err}
	}
	return err
}

// row reads a row. One with an invalid number has no URL, so that it is not used.
func (l *layout) row(names, cells []string) *row {
	one := &row{url: cell(cells, l.column(fieldURL))}
	switch l.kind {
	case tablePages:
		one.crawl = l.day.read(cell(cells, l.column(fieldCrawled)))
	case tableSearch:
		clicks, isClicks := parseCount(cell(cells, l.column(fieldClicks)))
		impressions, isImpressions := parseCount(cell(cells, l.column(fieldImpressions)))
		if !isClicks || !isImpressions {
			return &row{}
		}
		one.clicks, one.impressions = clicks, impressions
		one.position, _ = parseDecimal(cell(cells, l.column(fieldPosition))) // empty for a page that nobody saw
	case tableJoined:
		one.joined = map[string]string{}
		for i, name := range names {
			if value := cell(cells, i); name != "" && value != "" {
				one.joined[name] = shorten(value)
			}
		}
	}
	return one
}

// joinedColumns returns the names of the columns to join, which are empty for others.
func (l *layout) joinedColumns(heading []string) []string {
	names := make([]string, len(heading))
	for i, name := range heading {
		if i != l.column(fieldURL) {
			names[i] = shorten(cmp.Or(name, "column "+strconv.Itoa(i+1)))
			for slices.Contains(names[:i], names[i]) {
				names[i] += " (2)"
			}
		}
	}
	return names
}

// shorten ends a text after maxCell bytes.
func shorten(text string) string {
	if len(text) <= maxCell {
		return text
	}
	return strings.ToValidUTF8(text[:maxCell], "")
}
