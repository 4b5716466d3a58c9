package source

import (
	"context"
	"database/sql"
	"fmt"
	"iter"
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
}

func newResultReader(row *rowReader, rows *sql.Rows, names map[string]string) (*resultReader, error) {
	columns, err := rows.ColumnTypes()
	if err != nil {
		return nil, &Error{Location: Query, Err: err}
	}
	r := &resultReader{rowReader: row, rows: rows, table: newTable(names), values: make([]any, len(columns))}
	header := make([]cell, len(columns))
	for i, column := range columns {
		header[i].text = []byte(column.Name())
		r.types = append(r.types, column.DatabaseTypeName())
		r.into = append(r.into, &r.values[i])
	}
	if _, err := r.table.readHeader(header); err != nil {
		return nil, err
	}
	if r.table.column[fieldLoc] < 0 {
		return nil, &ColumnError{fieldLoc.String(), fieldLoc.String(), r.table.header}
	}
	return r, nil
}

// read yields the rows, and at the end the error of the query.
func (r *resultReader) read(yield func(*record, error) bool) {
	var found record
	for number := 1; r.rows.Next(); number++ {
		found = record{line: number}
		err := r.rows.Scan(r.into...)
		if err == nil {
			err = r.fill(&found)
		}
		if !yield(&found, err) {
			return
		}
	}
	if err := r.rows.Err(); err != nil {
		yield(nil, err)
	}
}

// fill turns the values of a row into those of a record.
func (r *resultReader) fill(found *record) error {
	for f, i := range r.table.column {
		if i < 0 {
			continue
		}
		switch value := r.values[i].(type) {
		case nil:
		case string:
			found.cells[f].text = []byte(value)
		case []byte:
			found.cells[f].text = value
		case int64:
			found.cells[f].text = strconv.AppendInt(nil, value, 10)
		case float64:
			found.cells[f].text = strconv.AppendFloat(nil, value, 'f', -1, 64)
		case time.Time:
			if field(f) != fieldLastMod {
				found.cells[f].text = value.AppendFormat(nil, time.RFC3339)
				continue
			}
			var err error
			if found.date, err = lastmod.Of(value, r.types[i], r.now); err != nil {
				return &RowError{Line: found.line, Err: &sitemap.FieldError{
					Field: fieldLastMod.String(), Value: value.Format(time.RFC3339), Err: err}}
			}
		default:
			return &RowError{Line: found.line, Err: &sitemap.FieldError{
				Field: field(f).String(), Err: fmt.Errorf("a value of type %T", value)}}
		}
	}
	return nil
}
