package source

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// A field is what a value of a record says.
type field int

const (
	fieldLoc field = iota
	fieldLastMod
	fieldChangeFreq
	fieldPriority
	fieldTitle
	fieldStatus // whether the page may be listed; a table may have several columns of it
	fieldCount
)

var fieldNames = [fieldCount]string{"loc", "lastmod", "changefreq", "priority", "title", "status"}

func (f field) String() string { return fieldNames[f] }

// Fields returns the names of the fields of a row: the keys of RowOptions.Columns.
func Fields() []string { return slices.Clone(fieldNames[:]) }

// A columnRole is what the values of a column mean.
type columnRole struct {
	field   field
	rank    int // among the columns of the field: the lowest counts
	form    addressForm
	check   pageCheck
	isLoose bool // the name has other meanings too, so that other values are no mistake
}

// An addressForm is how the cells of a column give the address of a page.
type addressForm uint8

const (
	formReference addressForm = iota // a URL, which may be relative
	formPath                         // a URL, or a path from the root; other rows sum up pages
	formHandle                       // the name of a product of Shopify
	formKey                          // the name of a product of Magento
)

// rolesByKey are the roles of columnNames by the key of the name.
var rolesByKey = sync.OnceValue(func() map[string]columnRole {
	roles := map[string]columnRole{}
	rank := 0
	for _, group := range columnNames {
		for _, name := range group.names {
			role := group.role
			role.rank = rank
			rank++
			if key := columnKey(name); roles[key] == (columnRole{}) {
				roles[key] = role
			}
		}
	}
	return roles
})

// columnKey returns what equal names of columns have in common: their letters, without
// accents, and digits, in lower case.
func columnKey(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, norm.NFKD.String(name))
}

// columns find the role of a column by its name.
type columns struct {
	given map[string]string // the names by field that RowOptions.Columns has
	keys  map[string]string // of the names that were asked for
}

// maxColumnKeys bounds the memory of the names of a file, which may all differ.
const maxColumnKeys = 4096

// role returns what a column means for a field.
func (c *columns) role(f field, name string) (role columnRole, ok bool) {
	key, known := c.keys[name]
	if !known {
		if key = columnKey(name); len(c.keys) < maxColumnKeys {
			if c.keys == nil {
				c.keys = map[string]string{}
			}
			c.keys[name] = key
		}
	}
	if given, is := c.given[f.String()]; is {
		isIt := strings.EqualFold(name, given) || key != "" && key == columnKey(given)
		return columnRole{field: f}, given != "" && isIt
	}
	role, ok = rolesByKey()[key]
	return role, ok && role.field == f
}

// best returns the index of the column that counts for a field, or -1.
func (c *columns) best(f field, names []string) (at int, role columnRole) {
	at = -1
	for i, name := range names {
		if found, ok := c.role(f, name); ok && (at < 0 || found.rank < role.rank) {
			at, role = i, found
		}
	}
	return at, role
}

// all returns the indexes of all columns of a field.
func (c *columns) all(f field, names []string) (at []int, roles []columnRole) {
	for i, name := range names {
		if role, ok := c.role(f, name); ok {
			at, roles = append(at, i), append(roles, role)
		}
	}
	return at, roles
}

// A ColumnError reports a field or a column that a table does not have.
type ColumnError struct {
	// Field is one of [Fields], or what was given in place of one.
	Field string
	// Column is the name that RowOptions.Columns gives. It is empty when that gives none,
	// and no column has a usual name.
	Column string
	// Columns are those that the table has; nil for a field that does not exist.
	Columns []string
	// Likely is the one of Columns that seems to hold what is missing, or empty.
	Likely string
}

// Error names the column and those that there are.
func (e *ColumnError) Error() string {
	switch {
	case e.Columns == nil:
		return fmt.Sprintf("unknown field %q: use %s", e.Field, strings.Join(Fields(), ", "))
	case e.Column == "":
		return "no column for the URL; the columns are " + joinColumns(e.Columns)
	}
	return fmt.Sprintf("no column %q for %s: the columns are %s", e.Column, e.Field, joinColumns(e.Columns))
}

// maxShownColumns is how many columns an error names.
const maxShownColumns = 20

func joinColumns(names []string) string {
	if more := len(names) - maxShownColumns; more > 0 {
		names = append(slices.Clone(names[:maxShownColumns]), fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, ", ")
}

func checkFields(columns map[string]string) error {
	for name := range columns {
		if !slices.Contains(Fields(), name) {
			return &ColumnError{Field: name}
		}
	}
	return nil
}
