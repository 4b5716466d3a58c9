package sqlite

import (
	"cmp"
	"database/sql/driver"
	"strings"
)

// insertValues is how many values one statement inserts. More of them were not faster.
const insertValues = 120

// An Inserter inserts rows, some with each statement: a statement costs as much as a row. Rows that were added are in
// the table after Flush. It is used in a transaction that an error ends: "or fail" lets SQLite keep no copy of what a
// statement changes.
type Inserter struct {
	one, many *Statement
	columns   int
	values    []driver.Value // of rows that wait
}

// NewInserter returns an inserter of rows with values for some columns of a table.
func (f *File) NewInserter(table string, columns ...string) (*Inserter, error) {
	into := "insert or fail into " + table + " (" + strings.Join(columns, ", ") + ") values "
	row := "(?" + strings.Repeat(",?", len(columns)-1) + ")"
	one, err := f.Prepare(into + row)
	if err != nil {
		return nil, err
	}
	many, err := f.Prepare(into + row + strings.Repeat(","+row, max(insertValues/len(columns), 1)-1))
	if err != nil {
		return nil, cmp.Or(err, one.Close())
	}
	return &Inserter{one: one, many: many, columns: len(columns)}, nil
}

// Add adds a row.
func (i *Inserter) Add(values ...driver.Value) error {
	i.values = append(i.values, values...)
	if len(i.values)+i.columns <= insertValues {
		return nil
	}
	err := i.many.Exec(i.values...)
	i.values = i.values[:0]
	return err
}

// Flush inserts the rows that wait.
func (i *Inserter) Flush() error {
	rest := i.values
	i.values = i.values[:0]
	for ; len(rest) > 0; rest = rest[i.columns:] {
		if err := i.one.Exec(rest[:i.columns]...); err != nil {
			return err
		}
	}
	return nil
}

// Close closes the statements. Rows that wait are lost.
func (i *Inserter) Close() error { return cmp.Or(i.one.Close(), i.many.Close()) }
