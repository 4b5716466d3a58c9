package sitemaphttp

import (
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/mapatools/mapa/internal/lastmod"
	"github.com/mapatools/mapa/sitemap"
)

// A record reads the rows of a result into one Row.
type record struct {
	row    Row
	values []any
	into   []any // pointers to values
	set    []func(*record, any) error
	name   []string
	kind   []string // the type in the database, in upper case
	now    int64    // seconds since 1970
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
	r := &record{now: time.Now().Unix()}
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
		value, err := r.typed(value, r.kind[i])
		if err == nil {
			err = r.set[i](r, value)
		}
		if err != nil {
			r.row.Err = errors.Join(r.row.Err, fmt.Errorf("%s: %w", r.name[i], err))
		}
	}
	if r.row.Key.IsZero() {
		return nil, fmt.Errorf("reading a row: %w", r.row.Err)
	}
	return &r.row, nil
}

// typed returns a value with the type of its column: integers that a driver returns
// as text become integers, and times become dates.
func (r *record) typed(value any, kind string) (any, error) {
	switch v := value.(type) {
	case []byte:
		if strings.HasSuffix(kind, "INT") {
			if number, err := strconv.ParseInt(string(v), 10, 64); err == nil {
				return number, nil
			}
		}
	case time.Time:
		return lastmod.Of(v, kind, r.now)
	}
	return value, nil
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
	default:
		return fmt.Errorf("%w: %T", errValue, value)
	}
	return nil
}

func (r *record) setLastMod(value any) (err error) {
	r.row.LastMod, err = r.date(value)
	return err
}

// date returns the date that a value says.
func (r *record) date(value any) (sitemap.Date, error) {
	if date, ok := value.(sitemap.Date); ok {
		return date, nil
	}
	var text string
	if err := setText(&text, value); err != nil {
		return sitemap.Date{}, err
	}
	return lastmod.Parse([]byte(text), r.now)
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
	date, err := r.date(value)
	r.news().PublicationDate = date.String()
	return err
}

// news returns the article of the row.
func (r *record) news() *sitemap.News {
	if len(r.row.News) == 0 {
		r.row.News = append(r.row.News, sitemap.News{})
	}
	return &r.row.News[0]
}
