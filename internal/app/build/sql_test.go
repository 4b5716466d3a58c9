package build

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/internal/testsite/database"
	"github.com/mapatools/mapa/source"
)

// settingsOf returns the settings to build from a database into a folder.
func settingsOf(address, query, folder string) *Settings {
	s := NewSettings()
	s.BaseURL, s.Output, s.SQL, s.Query = "https://example.com/", folder, address, query
	return s
}

// execute runs statements on a database, which a build only reads. It creates a file of
// SQLite.
func execute(t *testing.T, address string, statements ...string) {
	t.Helper()
	name, source := "postgres", address
	if file, found := strings.CutPrefix(address, "sqlite:"); found {
		name, source = "sqlite", file
	} else if server, err := url.Parse(address); err == nil && server.Scheme == "mysql" {
		name, source = "mysql", fmt.Sprintf("%s@tcp(%s)%s", server.User, server.Host, server.Path)
	}
	db, err := sql.Open(name, source)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, statement := range statements {
		if _, err := db.Exec(statement); err != nil {
			t.Fatalf("%.80s: %v", statement, err)
		}
	}
}

func newSQLite(t *testing.T) string {
	address := "sqlite:" + filepath.Join(t.TempDir(), "shop.sqlite")
	execute(t, address, pageTable...)
	return address
}

// pageTable creates what the tests read, in the SQL of every database.
var pageTable = []string{
	"create table page (id integer primary key, path varchar(3000), changed date, weight numeric(3,1), name varchar(100))",
	"insert into page values (1, '/', '2026-01-02', 1.0, 'Home'), (2, '/a', null, null, 'A'), (3, null, null, null, ''), " +
		"(4, '/b', null, 7.5, null), (5, 'https://other.example/', null, null, null), (6, '/c', '2999-01-01', 0.5, 'C')",
}

const selectPages = "select path as loc, changed as lastmod, weight as priority, name as title from page order by id"

// TestBuildSQL reads the same rows from three databases.
func TestBuildSQL(t *testing.T) {
	for _, test := range []struct {
		name  string
		start func(t *testing.T) string
	}{
		{"sqlite", newSQLite},
		{"postgres", func(t *testing.T) string {
			address := database.StartPostgres(t)
			execute(t, address, append(pageTable,
				"create procedure clear() language plpgsql as $$ begin commit; delete from page; commit; end $$")...)
			withoutMode, _, _ := strings.Cut(address, "?") // the server has no TLS
			return withoutMode
		}},
		{"mariadb", func(t *testing.T) string {
			address := database.StartMariaDB(t)
			execute(t, address, append(pageTable, "create procedure clear() begin commit; delete from page; commit; end")...)
			return address
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			address, folder := test.start(t), t.TempDir()
			var events eventLog
			result, err := Run(t.Context(), (&app.App{OnEvent: events.add}), settingsOf(address, selectPages, folder))
			if err != nil {
				t.Fatal(err)
			}
			if result.Rows != 6 || result.Listed != 4 || result.Invalid != 1 || result.DroppedValues != 2 ||
				result.OutOfScope != 1 {
				t.Errorf("%+v", result)
			}
			text, err := os.ReadFile(result.Sitemap)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(text), "<url><loc>https://example.com/</loc><lastmod>2026-01-02</lastmod>"+
				"<priority>1.0</priority></url>\n<url><loc>https://example.com/a</loc></url>\n<url><loc>https://example.com/b</loc></url>\n"+
				"<url><loc>https://example.com/c</loc><priority>0.5</priority></url>\n</urlset>") {
				t.Errorf("sitemap %s", text)
			}
			for _, want := range []string{
				"row 3 of the query: loc: required and missing", "row 4 of the query: priority: not a number from 0.0 to 1.0",
				"row 5 of the query: https://other.example/: outside the site",
				"row 6 of the query: lastmod: in the future: \"2999-01-01T00:00:00Z\": the page is listed without it",
			} {
				if !strings.Contains(events.String(), want) {
					t.Errorf("%q is missing in\n%s", want, &events)
				}
			}
			for _, query := range []string{
				"delete from page", "select nothing from page", "select '/' as loc; commit; delete from page",
				"drop table page", "alter table page add more int", "create table copy as select * from page",
				"commit; delete from page", "/* a comment */ delete from page", "update page set path = '/x' where id = 1",
				"with two as (select 2 as id) delete from page where id in (select id from two)",
				"truncate table page", "rename table page to other", "analyze table page", "call clear()",
			} {
				if _, err := Run(t.Context(), new(app.App), settingsOf(address, query, t.TempDir())); err == nil {
					t.Errorf("%q is no error", query)
				}
			}
			again, err := Run(t.Context(), new(app.App), settingsOf(address, selectPages, folder))
			if err != nil || again.Rows != 6 {
				t.Errorf("afterwards: %+v, %v", again, err)
			}
			if test.name != "sqlite" {
				testKilled(t, address, folder, text)
			}
		})
	}
}

// An eventLog keeps the texts of problems.
type eventLog struct{ bytes.Buffer }

func (l *eventLog) add(event app.Event) {
	if problem, ok := event.(app.Problem); ok {
		fmt.Fprintln(l, problem.Err)
	}
}

// testKilled kills the server in the middle of a query: nothing is published.
func testKilled(t *testing.T, address, folder string, before []byte) {
	settings := settingsOf(address, manyRows(address), folder)
	build, err := newBuild(new(app.App), settings)
	if err != nil {
		t.Fatal(err)
	}
	defer build.close()
	read := 0
	for _, err = range build.queried(t.Context()) {
		if read++; read == 1000 {
			database.Kill(t, address)
		}
	}
	var failed *DatabaseError
	if !errors.As(err, &failed) || read < 1000 {
		t.Fatalf("after %d rows: %v", read, err)
	}
	_, err = Run(t.Context(), new(app.App), settings)
	if !errors.As(err, &failed) || !errors.Is(err, source.ErrOpen) {
		t.Errorf("a database that is not there: %v", err)
	}
	if after, err := os.ReadFile(filepath.Join(folder, "sitemap.xml")); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the sitemap changed: %v", err)
	}
}

// manyRows returns a query of more rows than a connection buffers.
func manyRows(address string) string {
	if strings.HasPrefix(address, "postgres") {
		return "select '/' || i || repeat('x', 500) as loc from generate_series(1, 1000000) i"
	}
	return "select concat('/', seq, repeat('x', 500)) as loc from seq_1_to_1000000"
}

// TestBuildSQLSettings refuses what cannot be a database, and shows no password.
func TestBuildSQLSettings(t *testing.T) {
	const secret = "s3cret"
	for _, address := range []string{
		"postgres://me:" + secret + "@127.0.0.1/x", "mysql://me:" + secret + "@127.0.0.1/x",
		"postgres://127.0.0.1/x?password=" + secret, "oracle://me@127.0.0.1/x", "x", "sqlite:none.sqlite",
		"mysql://me@127.0.0.1/x?password=" + secret, "mysql://me@127.0.0.1/x?unknown=1", "postgres://127.0.0.1:x/x",
	} {
		_, err := Run(context.Background(), new(app.App), settingsOf(address, "select 1", t.TempDir()))
		var setting *setting.Error
		if !errors.As(err, &setting) || strings.Contains(err.Error(), secret) {
			t.Errorf("%s: %v", address, err)
		}
	}
	environment := func(name string) (string, bool) { return secret, name == mysqlPassword || name == postgresPassword }
	app := &app.App{LookupEnv: environment}
	if text := masked(app, "access denied for me, password "+secret); strings.Contains(text, secret) {
		t.Error(text)
	}
	for _, address := range []string{"postgres://me@127.0.0.1:1/x", "mysql://me@127.0.0.1:1/x"} {
		_, err := Run(context.Background(), app, settingsOf(address, "select 1", t.TempDir()))
		if err == nil || strings.Contains(err.Error(), secret) || !errors.Is(err, source.ErrOpen) {
			t.Errorf("%s: %v", address, err)
		}
	}
}
