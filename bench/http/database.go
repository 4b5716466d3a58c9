package main

import (
	"database/sql"
	"fmt"
	"os"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver

	"github.com/mapatools/mapa/internal/testsite/database"
)

// A host starts the database of the tests without a test.
type host struct {
	testing.TB
	cleanups []func()
}

func (h *host) Helper()          {}
func (h *host) Cleanup(f func()) { h.cleanups = append(h.cleanups, f) }
func (h *host) Error(a ...any)   { fmt.Fprintln(os.Stderr, a...) }
func (h *host) Fatal(a ...any)   { panic(fmt.Sprint(a...)) }

// Fatalf ends the program.
func (h *host) Fatalf(format string, a ...any) { panic(fmt.Sprintf(format, a...)) }

// Skipf ends the program: without a database there is nothing to measure.
func (h *host) Skipf(format string, a ...any) { panic(fmt.Sprintf(format, a...)) }

func (h *host) tidy() {
	for i := len(h.cleanups) - 1; i >= 0; i-- {
		h.cleanups[i]()
	}
	h.cleanups = nil
}

// createPosts makes a table whose slugs look random, as titles do.
const createPosts = `create table posts as
	select id, 'post-' || substr(md5(id::text), 1, 16) || '-' || id as slug,
		timestamptz '2024-01-01' + id % 40000000 * interval '1 second' as changed
	from generate_series(1::bigint, $1::bigint) as id`

// startPosts starts a server with the table and returns its URL.
func startPosts(h *host, rows int) (string, error) {
	address := database.StartPostgres(h)
	db, err := sql.Open("pgx", address)
	if err != nil {
		return "", err
	}
	defer db.Close()
	for _, step := range []struct {
		statement string
		arguments []any
	}{
		{fmt.Sprintf("do $$ begin execute $q$%s$q$ using %d::bigint; end $$", createPosts, rows), nil},
		{"alter table posts add primary key (id)", nil},
		{"vacuum analyze posts", nil},
	} {
		if _, err := db.Exec(step.statement, step.arguments...); err != nil {
			return "", fmt.Errorf("%s: %w", step.statement, err)
		}
	}
	return address, nil
}
