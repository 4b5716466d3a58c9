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
// A date is a day, or a time with a zone: of a timestamptz, or of a text such as
// 2026-01-31T09:30:00Z. Of a time without a zone, only the day is listed. A date that is
// in the future, or from before the web, is reported and left out.
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
