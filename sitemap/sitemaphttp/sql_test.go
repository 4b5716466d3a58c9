package sitemaphttp_test

import (
	"context"
	"database/sql"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	_ "github.com/go-sql-driver/mysql"
	_ "github.com/lib/pq"
	_ "modernc.org/sqlite"

	"github.com/mapatools/mapa/internal/testsite/database"
	"github.com/mapatools/mapa/sitemap/sitemaphttp"
)

// openSQL returns a database of each kind.
var openSQL = map[string]func(*testing.T) *sql.DB{
	"sqlite": func(t *testing.T) *sql.DB { return connect(t, "sqlite", filepath.Join(t.TempDir(), "test.db")) },
	"postgres": func(t *testing.T) *sql.DB {
		return connect(t, "postgres", database.StartPostgres(t))
	},
	"mariadb": func(t *testing.T) *sql.DB {
		address, err := url.Parse(database.StartMariaDB(t))
		if err != nil {
			t.Fatal(err)
		}
		return connect(t, "mysql", fmt.Sprintf("%s@tcp(%s)%s", address.User, address.Host, address.Path))
	},
}

func connect(t *testing.T, driver, name string) *sql.DB {
	t.Helper()
	db, err := sql.Open(driver, name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func execute(t *testing.T, db *sql.DB, statements ...string) {
	t.Helper()
	for _, statement := range statements {
		if _, err := db.ExecContext(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}

// fill makes a table of n posts. Every third id is missing.
func fill(t *testing.T, db *sql.DB, n int) {
	t.Helper()
	execute(t, db, "create table posts (id bigint primary key, code varchar(40) not null unique, slug varchar(200) not null, "+
		"day date, changed timestamp null, weight decimal(3,1))")
	for first := 0; first < n; first += 1_000 {
		var values []string
		for i := first; i < min(first+1_000, n); i++ {
			values = append(values, fmt.Sprintf("(%d, '%08x', 'post-%d', '2024-02-29', '2024-03-01 12:30:00', 0.5)",
				i*3/2, uint32(i)*2654435761, i))
		}
		execute(t, db, "insert into posts values "+strings.Join(values, ","))
	}
	execute(t, db, "insert into posts values (-3, 'zzzz', 'tea & \"cake\" <é>', null, null, null)")
}

func TestSQL(t *testing.T) {
	for name, open := range openSQL {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := open(t)
			fill(t, db, 12_000)
			loc := "concat('/posts/', slug)"
			if name == "sqlite" {
				loc = "'/posts/' || slug"
			}
			h := start(t, nil,
				sitemaphttp.Section{Name: "numbers", Source: sitemaphttp.SQL(db,
					"select id, "+loc+" as loc, day as lastmod, weight as priority, 'daily' as changefreq from posts;")},
				sitemaphttp.Section{Name: "codes", Source: sitemaphttp.SQL(db,
					"select code as ID, "+loc+" as loc, changed as lastmod, 'https://example.com/i.png' as image from posts -- all")})
			got := pages(t, h)
			if numbers, codes := got[:12_001], slices.Clone(got[12_001:]); numbers[1] != base+"posts/post-0" ||
				numbers[12_000] != base+"posts/post-11999" || !sameSet(numbers, codes) {
				t.Errorf("%d pages, %q to %q", len(got), got[0], got[len(got)-1])
			}
			first, _ := get(t, h, "/sitemap-numbers-0.xml")
			want := "<url><loc>https://example.com/posts/post-0</loc><lastmod>2024-02-29</lastmod>" +
				"<changefreq>daily</changefreq><priority>0.5</priority></url>\n"
			if !strings.Contains(first, want) {
				t.Errorf("no %s in %.400s", want, first)
			}
			escaped, _ := get(t, h, "/sitemap-numbers--10000.xml")
			want = "<url><loc>https://example.com/posts/tea%20&amp;%20%22cake%22%20%3C%C3%A9%3E</loc><changefreq>daily</changefreq></url>\n"
			if !strings.Contains(escaped, want) {
				t.Errorf("no %s in %s", want, escaped)
			}
			text, _ := get(t, h, "/sitemap-codes-0.xml")
			if want := "<lastmod>2024-03-01</lastmod>"; !strings.Contains(text, want) || !strings.Contains(text, "<image:loc>") {
				t.Errorf("no %s or no image in %.600s", want, text)
			}
			before := tags(t, h)
			execute(t, db, "insert into posts values (8000, '80000000', 'between', null, null, null)")
			if err := h.Refresh(t.Context()); err != nil {
				t.Fatal(err)
			}
			if changed := differences(before, tags(t, h)); len(changed) != 2 {
				t.Errorf("a row in two sections changed %q", changed)
			}
		})
	}
}

func sameSet(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

func TestSQLNews(t *testing.T) {
	db := openSQL["sqlite"](t)
	h := start(t, nil, sitemaphttp.Section{Name: "news", News: true, Source: sitemaphttp.SQL(db, `
		select 1 as id, '/a' as loc, 'Example' as publication_name, 'en' as publication_language, 'Tea & cake' as title,
			strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '-1 hour') as publication_date
		union all
		select 2, '/b', 'Example', 'en', 'Old', '2020-01-01'`)})
	text, _ := get(t, h, "/sitemap.xml")
	if !strings.Contains(text, "<news:title>Tea &amp; cake</news:title>") || len(locs(t, text)) != 1 {
		t.Errorf("%s", text)
	}
}

func TestSQLErrors(t *testing.T) {
	db := openSQL["sqlite"](t)
	for query, want := range map[string]string{
		"select 1 as id": "id and loc are required",
		"select 1 as id, 'a' as loc, 2 as colour":            `"colour" is unknown`,
		"select 1 as id, 'a' as loc, 'b' as loc":             `"loc:1"`, // the database's name for the second
		"select 1.5 as id, 'a' as loc":                       "id: a value of this type cannot be used",
		"select , as id":                                     "syntax error",
		"select id, loc from missing":                        "no such table",
		"select 1 as id, '/a' as loc union select 'a', '/b'": "integers and texts",
	} {
		h := open(t, nil, sitemaphttp.Section{Name: "s", Source: sitemaphttp.SQL(db, query)})
		if err := h.Refresh(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", query, err, want)
		}
	}
}

// TestSQLValues reads values of unusual types, and such as cannot be used.
func TestSQLValues(t *testing.T) {
	db := openSQL["sqlite"](t)
	var problems []string
	h := start(t, &sitemaphttp.Options{OnInvalid: func(_ string, row *sitemaphttp.Row, err error) {
		if problem := row.Key.String() + " " + err.Error(); !slices.Contains(problems, problem) {
			problems = append(problems, problem)
		}
	}}, sitemaphttp.Section{Name: "s", Source: sitemaphttp.SQL(db, `
		select 1 as id, '/a' as loc, '2024-01' as lastmod, 1 as priority
		union all select 2, '/b', 'soon', '0.25'
		union all select 3, '/c', 17, 'high'
		union all select 4, null, null, null
		union all select null, '/e', null, null
		union all select 6, x'2f66', '2024-02-03T04:05:06+01:00', 0.1`)})
	text, _ := get(t, h, "/sitemap.xml")
	for _, want := range []string{
		"<loc>https://example.com/a</loc><priority>1.0</priority>",
		"<loc>https://example.com/b</loc><priority>0.25</priority>",
		"<loc>https://example.com/c</loc></url>",
		"<loc>https://example.com/f</loc><lastmod>2024-02-03T04:05:06+01:00</lastmod><priority>0.1</priority>",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	if len(locs(t, text)) != 4 || len(problems) != 4 || problems[0] != "1 lastmod: a date without a day" ||
		problems[1] != `2 lastmod: not a date: "soon"` {
		t.Errorf("%d pages, problems %q", len(locs(t, text)), problems)
	}
}

// TestDatabaseDies kills the server between and during requests.
func TestDatabaseDies(t *testing.T) {
	address := database.StartPostgres(t)
	db := connect(t, "postgres", address)
	fill(t, db, 12_000)
	killed := false
	posts := sitemaphttp.SQL(db, "select id, '/posts/' || slug as loc from posts")
	source := sitemaphttp.SourceFunc(func(ctx context.Context, keys sitemaphttp.Range) iter.Seq2[*sitemaphttp.Row, error] {
		return func(yield func(*sitemaphttp.Row, error) bool) {
			count := 0
			for row, err := range posts.Rows(ctx, keys) {
				if count++; count == 5_000 && keys != (sitemaphttp.Range{}) && !killed {
					killed = true
					database.Kill(t, address)
				}
				if !yield(row, err) {
					return
				}
			}
		}
	})
	h := start(t, nil, sitemaphttp.Section{Name: "s", Source: source})
	index, _ := get(t, h, "/sitemap.xml")
	for range 2 {
		if w := ask(h, "GET", "/sitemap-s-0.xml"); w.Code != http.StatusServiceUnavailable {
			t.Errorf("a part of a dead database: %d, %d bytes", w.Code, w.Body.Len())
		}
	}
	if err := h.Refresh(t.Context()); err == nil {
		t.Error("a dead database can be read")
	}
	if after, _ := get(t, h, "/sitemap.xml"); after != index {
		t.Error("the index changed")
	}
}
