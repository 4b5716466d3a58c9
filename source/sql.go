package source

import (
	"context"
	"database/sql"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"time"

	"github.com/mapatools/mapa/internal/lastmod"
	"github.com/mapatools/mapa/sitemap"
)

// Query is the Location of a [Row] and a [RowError] of [SQL].
const Query = "query"

// SQL yields the pages that a query returns, in its order, as [Rows] does. The columns
// are found by their names. A time of a type without a zone is known to the day. The
// query runs in a read-only transaction, and its rows are read as they are needed. It
// must be trusted all the same: in MySQL, a statement such as DROP TABLE ends the
// transaction first, and a driver may execute several statements. Options other than
// Base, Columns and StripParameters have no effect. The error is a [*RowError] for a
// row that is left out; any other ends the iteration. When ctx ends, so does the query.
func SQL(ctx context.Context, db *sql.DB, query string, options *RowOptions) iter.Seq2[*Row, error] {
	return func(yield func(*Row, error) bool) {
		r, err := newRowReader(Query, options)
		if err != nil {
			yield(nil, err)
			return
		}
		fail := func(err error) { yield(nil, &Error{Location: Query, Err: err}) }
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		transaction, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
		if err != nil {
			fail(fmt.Errorf("%w: %w", ErrOpen, err))
			return
		}
		defer transaction.Rollback() // nothing was written
		// Prepared, most databases refuse more than one statement: another could end the
		// transaction.
		statement, err := transaction.PrepareContext(ctx, query)
		if err != nil {
			fail(err)
			return
		}
		defer statement.Close()
		rows, err := statement.QueryContext(ctx)
		if err != nil {
			fail(err)
			return
		}
		defer rows.Close()
		reader, err := newResultReader(r, rows, options.Columns)
		if err != nil {
			yield(nil, err)
			return
		}
		for row, err := range r.records(reader.read) {
			if !yield(row, err) || err != nil && !isRowError(err) {
				return
			}
		}
	}
}

// A resultReader reads the rows of a query.
type resultReader struct {
	*rowReader
	rows   *sql.Rows
	table  *table
	types  []string // of the columns in the database
	values []any
	into   []any // pointers to values
	cells  []cell
}

func newResultReader(row *rowReader, rows *sql.Rows, names map[string]string) (*resultReader, error) {
	columns, err := rows.ColumnTypes()
	if err != nil {
		return nil, &Error{Location: Query, Err: err}
	}
	r := &resultReader{rowReader: row, rows: rows, table: newTable(names), values: make([]any, len(columns))}
	r.cells = make([]cell, len(columns))
	for i, column := range columns {
		r.cells[i].text = []byte(column.Name())
		r.types = append(r.types, column.DatabaseTypeName())
		r.into = append(r.into, &r.values[i])
	}
	if _, err := r.table.readHeader(r.cells); err != nil {
		return nil, err
	}
	if !r.table.hasAddresses() {
		return nil, r.table.missing(nil)
	}
	return r, nil
}

// read yields the rows, and at the end the error of the query.
func (r *resultReader) read(yield func(*record, error) bool) {
	var found record
	for number := 1; r.rows.Next(); number++ {
		found = record{line: number}
		isPage, err := true, r.rows.Scan(r.into...)
		if err == nil {
			isPage, err = r.fill(&found)
		}
		if (isPage || err != nil) && !yield(&found, err) {
			return
		}
	}
	if err := r.rows.Err(); err != nil {
		yield(nil, err)
	}
}

// fill turns the values of a row into those of a record.
func (r *resultReader) fill(found *record) (isPage bool, err error) {
	for i, value := range r.values {
		text, err := r.text(found, i, value)
		if r.cells[i] = (cell{text: text}); err == nil || !slices.Contains(r.table.column[:], i) {
			continue
		}
		f := field(slices.Index(r.table.column[:], i))
		fault := &RowError{Line: found.line, Err: &sitemap.FieldError{Field: f.String(), Err: err}}
		if f == fieldLoc {
			return true, fault
		}
		found.dropped = append(found.dropped, fault)
	}
	return r.table.fill(found, r.cells)
}

// text returns the text of a value. A time in the column of the lastmod becomes the date of
// the record, as far as it can be listed.
func (r *resultReader) text(found *record, column int, value any) (text []byte, err error) {
	switch value := value.(type) {
	case nil:
	case string:
		text = []byte(value)
	case []byte:
		text = value
	case bool:
		text = strconv.AppendBool(nil, value)
	case int64:
		text = strconv.AppendInt(nil, value, 10)
	case float64:
		text = strconv.AppendFloat(nil, value, 'f', -1, 64)
	case time.Time:
		if column == r.table.column[fieldLastMod] {
			if found.date, err = lastmod.Of(value, r.types[column], r.now); err == nil {
				return nil, nil
			}
		}
		text = value.AppendFormat(nil, time.RFC3339) // whose error names it
	default:
		return nil, fmt.Errorf("a value of type %T", value)
	}
	return text, nil
}
