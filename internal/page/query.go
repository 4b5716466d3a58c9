package page

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Query selects and sorts URLs of a crawl. The zero value selects all, in the order in which the crawl found them.
type Query struct {
	conditions []string
	values     []any
	order      string
}

// A FilterError says that a filter or an order has a value that it cannot have.
type FilterError struct {
	Name  string // the key of a fact, or another parameter of a list
	Value string
}

// Error names the parameter and the value.
func (e *FilterError) Error() string { return fmt.Sprintf("%s cannot be %q", e.Name, e.Value) }

// None is the value of a filter for URLs without the fact, such as a status without a response.
const None = "none"

// Filter selects the URLs that have a value of a fact: a name, a number or a range such as "11-15", a class of statuses
// such as "4xx", or None. A name must be one of Mapa, or of those that the crawl has. The error is a [*FilterError].
func (q *Query) Filter(key, value string, has ...string) error {
	f := Named(key)
	if f == nil || f.In&Filter == 0 {
		return &FilterError{key, value}
	}
	if f.Number == nil {
		return q.filterText(f, value, has)
	}
	wrong := &FilterError{key, value}
	if f.Kind == Set {
		bit := slices.Index(f.Names, value)
		if bit < 0 {
			return wrong
		}
		q.Where(fmt.Sprintf("%s & %d", f.value(), 1<<bit))
		return nil
	}
	if value == None {
		q.Where(f.value() + " is null")
		if f.Among != "" {
			q.Where(f.Among)
		}
		return nil
	}
	from, to, isRange := strings.Cut(value, "-")
	if !isRange {
		to = from
	}
	if class, is := strings.CutSuffix(value, "xx"); is && f.Key == "status" && len(class) == 1 {
		from, to = class+"00", class+"99"
	}
	low, err := strconv.ParseUint(from, 10, 31)
	high, errHigh := strconv.ParseUint(to, 10, 31)
	if err != nil || errHigh != nil || f.Key == "status" && low == 0 {
		return wrong
	}
	q.Where(f.value()+" between ? and ?", int64(low), int64(high))
	return nil
}

func (q *Query) filterText(f *Fact, value string, has []string) error {
	if len(f.Names) > 0 && !slices.Contains(f.Names, value) && !slices.Contains(has, value) {
		return &FilterError{f.Key, value}
	}
	if f.Key == "media_type" {
		value = strings.ToLower(value)
	}
	q.Where(f.value()+" = ?", value)
	return nil
}

// Where adds a condition on the tables url u, fetch f, figure g and numbers n.
func (q *Query) Where(condition string, values ...any) {
	q.conditions = append(q.conditions, condition)
	q.values = append(q.values, values...)
}

// SortBy sorts URLs by a fact, after "-" from the largest. Those without it are last. The error is a [*FilterError].
func (q *Query) SortBy(value string) error {
	key, backwards := strings.CutPrefix(value, "-")
	f := Named(key)
	if f == nil || f.In&Sort == 0 {
		return &FilterError{"sort", value}
	}
	by := f.value()
	q.order = by + " is null, "
	if f.Order != "" {
		by, q.order = f.Order, ""
	}
	if q.order += by; backwards {
		q.order += " desc"
	}
	q.order += ", "
	return nil
}

// value returns the expression by which lists are filtered and sorted.
func (f *Fact) value() string {
	if f.Counted {
		return "n." + f.Key
	}
	return f.SQL
}

// SQL returns the query for some columns, from the tables url u, fetch f, figure g and numbers n, and its values. Only
// the tables that it needs are read: the wide ones take longer.
func (q *Query) SQL(columns string) (text string, values []any) {
	if len(q.conditions) > 0 {
		text = " where (" + strings.Join(q.conditions, ") and (") + ")"
	}
	joined := ""
	for _, table := range []string{"url u", "fetch f", "figure g"} {
		name := table[len(table)-1:] + "."
		if strings.Contains(columns+text+q.order, name) {
			joined += " left join " + table + " on " + name + "id = n.id"
		}
	}
	return "select " + columns + " from numbers n" + joined + text, q.values
}

// Order returns the order of the query.
func (q *Query) Order() string { return " order by " + q.order + "n.id" }

// CountSQL returns the query that counts URLs by the values of a counted fact, in the order of the fact, and its
// values.
func (q *Query) CountSQL(key string) (text string, values []any) {
	f := Named(key)
	text, values = q.SQL(f.value() + ", count(*)")
	order := f.Order
	if order == "" {
		order = f.value()
	}
	return text + " group by " + f.value() + " order by " + order + ", " + f.value(), values
}
