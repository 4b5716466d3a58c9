package web

import (
	"net/url"
	"strings"

	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/result"
)

// A pager leads to the other parts of a list. It is the zero value for a list that has one part.
type pager struct {
	Position              string // such as "1 to 100 of 105,701"
	First, Previous, Next string // addresses, or empty
}

// A listAddress is the address of a list. Its query says which rows there are, in which order, and which part
// is shown.
type listAddress struct {
	path  string
	query url.Values // only the first value of a field counts
}

// with returns the address with another value of a field, or without it for an empty one. The list begins at its
// first part.
func (a listAddress) with(field, value string) string {
	query := url.Values{}
	for name, values := range a.query {
		if name != "cursor" && name != field && values[0] != "" {
			query[name] = values[:1]
		}
	}
	if value != "" {
		query.Set(field, value)
	}
	if len(query) == 0 {
		return a.path
	}
	return a.path + "?" + query.Encode()
}

// pager returns the links to the other parts of a list, of whose rows the page shows some.
func (a listAddress) pager(c *catalog.Catalog, part result.Part, rows, total int) (p pager) {
	if part.Before == 0 && part.Next == "" {
		return p
	}
	if rows > 0 {
		first, last := int64(part.Before+1), int64(part.Before+rows)
		p.Position = c.Text("script.range", c.Count(first), c.Count(last), c.Count(int64(total)))
	}
	if part.Before > 0 {
		p.First, p.Previous = a.with("cursor", ""), a.with("cursor", part.Previous)
	}
	if part.Next != "" {
		p.Next = a.with("cursor", part.Next)
	}
	return p
}

// sort makes headings of a table links that sort it: one for each key that is not empty. A key with "-" begins with
// the largest. The first click sorts by it, and the second in the other direction. Without an order, the rows are in
// that of usual.
func (a listAddress) sort(t *table, usual string, keys ...string) {
	order := a.query.Get("sort")
	if order == "" {
		order = usual
	}
	for i, key := range keys {
		if key == "" {
			continue
		}
		next := key
		switch name, backwards := strings.CutPrefix(order, "-"); {
		case name != strings.TrimPrefix(key, "-"):
		case backwards:
			next, t.Columns[i].Sorted = name, "descending"
		default:
			next, t.Columns[i].Sorted = "-"+name, "ascending"
		}
		t.Columns[i].Href = a.with("sort", next)
	}
}
