package sitemaphttp

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/mapatools/mapa/sitemap"
)

// SQL returns a source of the rows of a query, such as
//
//	select id, '/posts/' || slug as loc, updated_at as lastmod from posts where not draft
//
// The columns are found by their names, in any order: id and loc are required, and
// lastmod, changefreq, priority and image are optional, as are those of an article in
// a news section: publication_name, publication_language, publication_date and title.
// NULL is an absent value.
//
// id is an integer or a text that is unique and has an index; rows without one are
// not listed. The query must have no order, limit or parameters: it is read in pages,
// as a subquery with conditions on id, and never with an offset. Reading uses one
// connection at a time, and rendering up to four.
//
// The source works with the drivers of PostgreSQL, MariaDB, MySQL and SQLite. The
// database is the caller's to close.
func SQL(db *sql.DB, query string) Source {
	return &sqlSource{db: db, query: strings.TrimRight(strings.TrimSpace(query), ";")}
}

type sqlSource struct {
	db    *sql.DB
	query string

	mutex    sync.Mutex
	numbered bool // the driver's parameters are $1 and not ?
	probed   bool
}

// Rows reads one page after another, each from the key that ended the one before.
func (s *sqlSource) Rows(ctx context.Context, keys Range) iter.Seq2[*Row, error] {
	return func(yield func(*Row, error) bool) {
		last := Key{}
		for {
			count := 0
			for row, err := range s.page(ctx, keys, last) {
				if !yield(row, err) || err != nil {
					return
				}
				count++
				last = row.Key
			}
			if count < pageRows {
				return
			}
		}
	}
}

// page reads the rows after the key last or, if it is zero, from the beginning of the
// range.
func (s *sqlSource) page(ctx context.Context, keys Range, last Key) iter.Seq2[*Row, error] {
	return func(yield func(*Row, error) bool) {
		if err := s.readPage(ctx, keys, last, yield); err != nil {
			yield(nil, err)
		}
	}
}

func (s *sqlSource) readPage(ctx context.Context, keys Range, last Key, yield func(*Row, error) bool) error {
	numbered, err := s.probe(ctx, keys, last)
	if err != nil {
		return err
	}
	statement, arguments := s.statement(keys, last, numbered)
	rows, err := s.db.QueryContext(ctx, statement, arguments...)
	if err != nil {
		return fmt.Errorf("query: %w", err)
	}
	defer rows.Close()
	record, err := newRecord(rows)
	if err != nil {
		return err
	}
	for rows.Next() {
		row, err := record.read(rows)
		if err != nil {
			return err
		}
		if !yield(row, nil) {
			return nil
		}
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("reading rows: %w", err)
	}
	return nil
}

// statement returns the query of a page and its arguments.
func (s *sqlSource) statement(keys Range, last Key, numbered bool) (string, []any) {
	conditions := []string{"id is not null"}
	var arguments []any
	where := func(condition string, key Key) {
		if key.IsZero() {
			return
		}
		arguments = append(arguments, key)
		parameter := "?"
		if numbered {
			parameter = "$" + strconv.Itoa(len(arguments))
		}
		conditions = append(conditions, condition+parameter)
	}
	if last.IsZero() {
		where("id >= ", keys.From)
	} else {
		where("id > ", last)
	}
	where("id < ", keys.Until)
	return fmt.Sprintf("select * from (%s\n) as pages where %s order by id limit %d",
		s.query, strings.Join(conditions, " and "), pageRows), arguments
}

// probe finds out, when parameters are needed for the first time, how the driver
// spells them.
func (s *sqlSource) probe(ctx context.Context, keys Range, last Key) (numbered bool, err error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.probed || keys == (Range{}) && last.IsZero() {
		return s.numbered, nil
	}
	var failed error
	for _, numbered := range []bool{true, false} {
		statement, _ := s.statement(keys, last, numbered)
		prepared, err := s.db.PrepareContext(ctx, statement)
		if err == nil {
			s.numbered, s.probed = numbered, true
			return numbered, prepared.Close()
		}
		failed = errors.Join(failed, err)
	}
	return false, fmt.Errorf("preparing the query of a page: %w", failed)
}

// A record reads the rows of a result into one Row.
type record struct {
	row    Row
	values []any
	into   []any // pointers to values
	set    []func(*record, any) error
	name   []string
	kind   []string // the type in the database, in upper case
}

// setters put a value that is not NULL into the row.
var setters = map[string]func(*record, any) error{
	"id":                   (*record).setKey,
	"loc":                  func(r *record, v any) error { return setText(&r.row.Loc, v) },
	"lastmod":              (*record).setLastMod,
	"changefreq":           (*record).setChangeFreq,
	"priority":             (*record).setPriority,
	"image":                (*record).setImage,
	"publication_name":     func(r *record, v any) error { return setText(&r.news().PublicationName, v) },
	"publication_language": func(r *record, v any) error { return setText(&r.news().PublicationLanguage, v) },
	"publication_date":     (*record).setPublicationDate,
	"title":                func(r *record, v any) error { return setText(&r.news().Title, v) },
}

var errColumns = errors.New("the columns of a page are id, loc, lastmod, changefreq, priority, image, " +
	"publication_name, publication_language, publication_date and title")

func newRecord(rows *sql.Rows) (*record, error) {
	types, err := rows.ColumnTypes()
	if err != nil {
		return nil, fmt.Errorf("columns: %w", err)
	}
	r := &record{}
	found := map[string]bool{}
	for _, column := range types {
		name := strings.ToLower(column.Name())
		set := setters[name]
		if set == nil || found[name] {
			return nil, fmt.Errorf("%w: %q is unknown or there twice", errColumns, name)
		}
		found[name] = true
		r.name = append(r.name, name)
		r.set = append(r.set, set)
		r.kind = append(r.kind, strings.ToUpper(column.DatabaseTypeName()))
	}
	if !found["id"] || !found["loc"] {
		return nil, fmt.Errorf("%w: id and loc are required", errColumns)
	}
	r.values = make([]any, len(types))
	for i := range r.values {
		r.into = append(r.into, &r.values[i])
	}
	return r, nil
}

// read returns the next row, which is valid until the one after it. A value that
// cannot be used is the row's error, except for the key's, without which rows cannot
// be read.
func (r *record) read(rows *sql.Rows) (*Row, error) {
	if err := rows.Scan(r.into...); err != nil {
		return nil, fmt.Errorf("reading a row: %w", err)
	}
	images, news := r.row.Images[:0], r.row.News[:0]
	r.row = Row{}
	r.row.Images, r.row.News = images, news
	for i, value := range r.values {
		if value == nil {
			continue
		}
		if err := r.set[i](r, typed(value, r.kind[i])); err != nil {
			r.row.Err = errors.Join(r.row.Err, fmt.Errorf("%s: %w", r.name[i], err))
		}
	}
	if r.row.Key.IsZero() {
		return nil, fmt.Errorf("reading a row: %w", r.row.Err)
	}
	return &r.row, nil
}

// typed returns a value with the type of its column: integers that a driver returns
// as text become integers, and moments dates without fractions of a second.
func typed(value any, kind string) any {
	switch v := value.(type) {
	case []byte:
		if strings.HasSuffix(kind, "INT") {
			if number, err := strconv.ParseInt(string(v), 10, 64); err == nil {
				return number
			}
		}
	case time.Time:
		if kind == "DATE" {
			return sitemap.DayOf(v)
		}
		return sitemap.DateOf(v.Truncate(time.Second))
	}
	return value
}

func (r *record) setKey(value any) error {
	switch v := value.(type) {
	case int64:
		r.row.Key = Int(v)
		return nil
	case string, []byte:
		var text string
		err := setText(&text, v)
		r.row.Key = Text(text)
		return err
	}
	return fmt.Errorf("%w: %T is neither an integer nor a text", errValue, value)
}

var errValue = errors.New("a value of this type cannot be used")

func setText(into *string, value any) error {
	switch v := value.(type) {
	case string:
		*into = v
	case []byte:
		*into = string(v)
	case sitemap.Date:
		*into = v.String()
	default:
		return fmt.Errorf("%w: %T", errValue, value)
	}
	return nil
}

func (r *record) setLastMod(value any) (err error) {
	if date, ok := value.(sitemap.Date); ok {
		r.row.LastMod = date
		return nil
	}
	var text string
	if err := setText(&text, value); err != nil {
		return err
	}
	r.row.LastMod, err = sitemap.ParseDate(text)
	return err
}

func (r *record) setChangeFreq(value any) error {
	return setText((*string)(&r.row.ChangeFreq), value)
}

func (r *record) setPriority(value any) error {
	switch v := value.(type) {
	case float64:
		r.row.Priority = sitemap.PriorityOf(v)
	case float32:
		r.row.Priority = sitemap.PriorityOf(float64(v))
	case int64:
		r.row.Priority = sitemap.PriorityOf(float64(v))
	default:
		var text string
		if err := setText(&text, value); err != nil {
			return err
		}
		number, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return err
		}
		r.row.Priority = sitemap.PriorityOf(number)
	}
	return nil
}

func (r *record) setImage(value any) error {
	r.row.Images = append(r.row.Images, sitemap.Image{})
	return setText(&r.row.Images[0].Loc, value)
}

func (r *record) setPublicationDate(value any) error {
	return setText(&r.news().PublicationDate, value)
}

// news returns the article of the row.
func (r *record) news() *sitemap.News {
	if len(r.row.News) == 0 {
		r.row.News = append(r.row.News, sitemap.News{})
	}
	return &r.row.News[0]
}
