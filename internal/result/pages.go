package result

import (
	"context"
	"database/sql"
	"maps"
	"slices"

	"github.com/mapatools/mapa/internal/page"
	"github.com/mapatools/mapa/internal/sqlite"
	"github.com/mapatools/mapa/internal/store"
	"github.com/mapatools/mapa/lint"
)

// A Filter selects and sorts URLs, by parameters as people and programs write them: the keys of facts that are filters,
// "folder" with the URL of a folder, "text" with a part of the URL or the title in upper or lower case, "rule" with the
// ID of a rule that found something on the page, and "sort" with the key of a fact, after "-" from the largest. Without
// any it selects all URLs of the crawl, in the order in which the crawl found them.
type Filter map[string]string

// A FilterError says that a parameter has a value that it cannot have.
type FilterError = page.FilterError

// FilterNames returns the names of all parameters.
func FilterNames() (names []string) {
	for _, f := range page.In(page.Filter) {
		names = append(names, f.Key)
	}
	return append(names, "folder", "text", "rule", "sort")
}

// A PageList is a part of the pages that a filter selects.
type PageList struct {
	Pages []*page.Page `json:"pages"`
	Total int64        `json:"total"` // pages that the filter selects
	Part
}

// Pages returns a part of the pages that a filter selects: the first for the cursor "",
// then the one that Next of the part before names. A limit of 0 is the default of 50; the
// largest is 1000. The errors are [*FilterError] and ErrCursor.
func (r *Result) Pages(ctx context.Context, f Filter, cursor string, limit int) (_ *PageList, err error) {
	defer r.explain(&err)
	before, err := numberCursor(cursor)
	if err != nil {
		return nil, err
	}
	list, limit := &PageList{Pages: []*page.Page{}}, clampLimit(limit)
	err = r.files.use(ctx, func(file *crawlReader) error {
		q, err := r.query(ctx, file, f)
		if err != nil {
			return err
		}
		if list.Total, err = file.CountPages(ctx, q); err != nil {
			return err
		}
		ids, err := file.FindPages(ctx, q, before, int64(limit))
		if err == nil {
			list.Pages, err = file.pages(ctx, ids)
		}
		return err
	})
	list.Part = newPart(before, len(list.Pages), int(list.Total), limit)
	return list, err
}

// query returns the query of a filter.
func (r *Result) query(ctx context.Context, file *crawlReader, f Filter) (*page.Query, error) {
	q := &page.Query{}
	for _, name := range slices.Sorted(maps.Keys(f)) {
		value := f[name]
		if value == "" {
			continue
		}
		var err error
		switch name {
		case "sort":
			err = q.SortBy(value)
		case "folder":
			err = file.FilterFolder(ctx, q, value)
		case "rule":
			err = filterRule(q, value)
		case "text":
			err = r.filterText(ctx, q, value)
		default:
			err = q.Filter(name, value, r.values(name)...)
		}
		if err != nil {
			return nil, err
		}
	}
	return q, nil
}

// filterRule selects the pages on which a rule found something.
func filterRule(q *page.Query, id string) error {
	if _, err := lint.LookupRule(id); err != nil {
		return &FilterError{Name: "rule", Value: id}
	}
	store.FilterRule(q, id)
	return nil
}

const selectTexts = "select first, texts from text_block order by first"

// filterText selects the URLs that a search finds.
func (r *Result) filterText(ctx context.Context, q *page.Query, text string) error {
	needles := needles(text)
	if len(needles) == 0 {
		return nil
	}
	var found []byte // by ID: 1 for a URL that is found
	rows, err := r.index.QueryContext(ctx, selectTexts)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var first int
		var texts sql.RawBytes
		if err := rows.Scan(&first, &texts); err != nil {
			return err
		}
		if first < 0 || first > int(r.last) {
			return sqlite.ErrDamaged
		}
		findLines(texts, needles, func(line int) {
			if id := first + line; id <= int(r.last) {
				if len(found) <= id {
					found = append(found, make([]byte, id+1-len(found))...)
				}
				found[id] = 1
			}
		})
	}
	q.Where("substr(?, n.id + 1, 1) = x'01'", found)
	return rows.Err()
}

// Choices returns the values of a fact that a filter offers: each has URLs. Of many texts the most frequent are
// offered, and many numbers end in a range.
func (r *Result) Choices(key string) []Choice { return r.choices[key] }

// values returns the values of Choices.
func (r *Result) values(key string) (values []string) {
	for _, one := range r.choices[key] {
		values = append(values, one.Value)
	}
	return values
}
