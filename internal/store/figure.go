package store

import (
	"cmp"
	"context"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/page"
	"github.com/mapatools/mapa/internal/sqlite"
)

// figureTable is the table of what others say about the URLs of a crawl. It is a copy: figures.sqlite has the figures
// of a site, also for the next crawl.
const figureTable = `
-- what search engines and joined tables say about a URL; no row for those about which they say nothing
create table figure (
	id               integer primary key, -- url.id
	index_state      text,    -- indexed or not-indexed; null where it is not known
	index_reason     text,    -- why it is not indexed: a name, or the words of the export
	index_date       text,    -- day of that export
	engine_crawl     text,    -- day of the last visit of the search engine
	clicks           integer, -- in Google, as the next three
	impressions      integer,
	position         integer, -- the average, in thousandths
	search_period    text,    -- the first and the last day, with a slash between them
	bing_clicks      integer,
	bing_impressions integer,
	bing_position    integer,
	bing_period      text,
	joined           text     -- JSON: the columns of joined tables
);
`

// figureColumns are the columns of figure g, in the order of figureValues.
const figureColumns = `g.index_state, g.index_reason, g.index_date, g.engine_crawl, g.clicks, g.impressions, g.position,
g.search_period, g.bing_clicks, g.bing_impressions, g.bing_position, g.bing_period, g.joined`

// figureNames are figureColumns as an insert names them.
func figureNames() []string {
	return strings.Split(strings.Join(strings.Fields(strings.ReplaceAll(figureColumns, "g.", "")), ""), ",")
}

// figuresOf reads the columns of a row.
func figuresOf(r sqlite.Row) (f page.Figures) {
	f = page.Figures{
		Index: r.Text(0), IndexReason: r.Text(1), IndexDate: r.Text(2), EngineCrawl: r.Text(3),
		Google: searchOf(r[4:]), Bing: searchOf(r[8:]),
	}
	if joined := decodeJSON[map[string]string](r.Text(12)); joined != nil {
		f.Joined = *joined
	}
	return f
}

func searchOf(r sqlite.Row) page.Search {
	return page.Search{Known: r[0] != nil, Clicks: r.Number(0), Impressions: r.Number(1), Position: r.Number(2),
		Period: r.Text(3)}
}

// figureValues are what figuresOf reads, after the ID of a URL.
func figureValues(id crawl.ID, f *page.Figures) ([]driver.Value, error) {
	values := []driver.Value{int64(id), nullable(f.Index), nullable(f.IndexReason), nullable(f.IndexDate),
		nullable(f.EngineCrawl)}
	for _, s := range []*page.Search{&f.Google, &f.Bing} {
		if !s.Known {
			values = append(values, nil, nil, nil, nil)
			continue
		}
		position := driver.Value(nil)
		if s.Position > 0 {
			position = s.Position
		}
		values = append(values, s.Clicks, s.Impressions, position, nullable(s.Period))
	}
	joined := ""
	if len(f.Joined) > 0 {
		text, err := json.Marshal(f.Joined)
		if err != nil {
			return nil, err
		}
		joined = string(text)
	}
	return append(values, nullable(joined)), nil
}

// WriteFigures replaces the figures of all pages of the site by those that find returns for their URLs, and records
// what conclude returns then about them as a whole, as JSON. Meanwhile find may not read the crawl.
func (f *File) WriteFigures(
	ctx context.Context, find func(url string) (figures page.Figures, known bool, err error),
	conclude func() (about any, err error),
) error {
	err := f.db.InTransaction(func() error {
		if err := f.db.Exec("delete from figure"); err != nil {
			return err
		}
		if err := f.fillFigures(ctx, find); err != nil {
			return err
		}
		about, err := conclude()
		if err != nil {
			return err
		}
		return f.SetNote(figuresName, about)
	})
	f.figures = nil
	if f.lookup != nil && f.lookup.page != nil { // which may be without figures
		err = errors.Join(err, f.lookup.page.Close())
		f.lookup.page = nil
	}
	return f.db.Explain(err)
}

// insertFigures returns what writes the figures of a URL.
func (f *File) insertFigures() (*sqlite.Inserter, error) {
	return f.db.NewInserter("figure", append([]string{"id"}, figureNames()...)...)
}

func (f *File) fillFigures(ctx context.Context, find func(string) (page.Figures, bool, error)) (err error) {
	insert, err := f.insertFigures()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, insert.Close()) }()
	type link struct {
		id  crawl.ID
		url string
	}
	read := func(r sqlite.Row) link { return link{crawl.ID(r.Number(0)), r.Text(1)} }
	for one, err := range sequence(ctx, f, "select id, url from url where role = 0 order by id", read) {
		if err != nil {
			return err
		}
		figures, known, err := find(one.url)
		if err != nil {
			return err
		}
		if !known {
			continue
		}
		values, err := figureValues(one.id, &figures)
		if err = cmp.Or(err, insert.Add(values...)); err != nil {
			return err
		}
	}
	return insert.Flush()
}

// HasFigures reports whether somebody says something about a page.
func (f *File) HasFigures() (bool, error) {
	if f.figures == nil {
		has := false
		err := f.db.Query("select 1 from figure limit 1", func(sqlite.Row) bool {
			has = true
			return false
		})
		if err != nil {
			return false, f.db.Explain(err)
		}
		f.figures = &has
	}
	return *f.figures, nil
}

// figuresName is the row of meta with what the figures say as a whole.
const figuresName = "figures"

// ReadFigures reads what WriteFigures recorded about the figures as a whole; into stays as it is without figures.
func (f *File) ReadFigures(into any) error { return f.ReadNote(figuresName, into) }

// A Past is a crawl of the history of a site. Its JSON is for programs.
type Past struct {
	Time   time.Time `json:"time"`   // of its first request
	Listed int       `json:"listed"` // pages
}

const (
	// historyName is the row of meta with the complete crawls of the site, this one as the last.
	historyName = "history"
	// maxHistory is the number of crawls in it.
	maxHistory = 1000
)

// History returns the complete crawls of the site, the oldest first, this one as the last if it is one of them.
func (f *File) History() (history []Past, err error) {
	err = f.ReadNote(historyName, &history)
	return history, err
}

// SetHistory records the complete crawls of the site.
func (f *File) SetHistory(history []Past) error {
	return f.SetNote(historyName, history[max(0, len(history)-maxHistory):])
}
