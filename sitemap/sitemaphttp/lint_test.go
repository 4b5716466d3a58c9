package sitemaphttp_test

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/mapatools/mapa/lint"
	"github.com/mapatools/mapa/sitemap"
	"github.com/mapatools/mapa/sitemap/sitemaphttp"
)

// dateTypes are types of columns with dates, by database.
var dateTypes = map[string][]string{
	"sqlite":   {"text", "datetime", "timestamp", "date"},
	"postgres": {"text", "timestamp", "timestamptz", "date"},
	"mariadb":  {"varchar(40)", "datetime", "timestamp", "date"},
}

// TestLint makes sure that nothing is wrong, for any engine, with what is served of dates
// of all types, whatever a text says.
func TestLint(t *testing.T) {
	now := time.Now().UTC().Truncate(time.Second)
	for name, open := range openSQL {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := open(t)
			var sections []sitemaphttp.Section
			for _, kind := range dateTypes[name] {
				table := "of_" + strings.NewReplacer("(", "", ")", "").Replace(kind)
				execute(t, db, "create table "+table+" (id bigint primary key, changed "+kind+" null)",
					"insert into "+table+" values (1, '2026-01-10 10:00:00'), (2, '2026-01-11'), (3, null)")
				section := strings.ReplaceAll(strings.ReplaceAll(table, "_", "-"), " ", "-")
				loc := "concat('/" + section + "/', id)"
				if name == "sqlite" {
					loc = "'/" + section + "/' || id"
				}
				query := "select id, " + loc + " as loc, changed as lastmod from " + table
				sections = append(sections, sitemaphttp.Section{Name: section, Source: sitemaphttp.SQL(db, query)})
			}
			text := "insert into " + "of_" + strings.NewReplacer("(", "", ")", "").Replace(dateTypes[name][0]) + " values "
			execute(t, db, text+"(4, '2026-01-10T10:00'), (5, '2026-01'), (6, 'soon'), (7, '2999-01-01'), (8, '1970-01-01'), "+
				"(9, '2026-01-12 10:00:00+01'), (10, '2026-01-13T10:00Z'), (11, 'Fri, 02 Jan 2026 03:04:05 GMT')")
			lintSections(t, sections)
		})
	}
	t.Run("news", func(t *testing.T) {
		lintSections(t, []sitemaphttp.Section{{Name: "news", News: true, Source: sitemaphttp.SQL(openSQL["sqlite"](t), `
			select 1 as id, '/a' as loc, 'Example' as publication_name, 'en' as publication_language, 'A' as title,
				datetime('now', '-2 hours') as publication_date, datetime('now', '-2 hours') as lastmod
			union all select 2, '/b', 'Example', 'en', 'B', strftime('%Y-%m-%dT%H:%MZ', 'now', '-5 hours'), null`)}})
	})
	t.Run("slice", func(t *testing.T) {
		pages := []sitemap.URL{{Loc: "/a"}, {Loc: "/b"}, {Loc: "/c", LastMod: sitemap.DayOf(now.AddDate(1, 0, 0))}}
		pages[0].LastMod, _ = sitemap.ParseDate("2026-01-10T10:00:00")
		pages[1].LastMod, _ = sitemap.ParseDate("2026-01")
		article := sitemap.URL{Loc: "/d"}
		article.News = []sitemap.News{{PublicationName: "Example", PublicationLanguage: "en", Title: "D",
			PublicationDate: now.Format(time.DateTime)}}
		lintSections(t, []sitemaphttp.Section{
			{Name: "pages", Source: sitemaphttp.Slice(pages)},
			{Name: "news", News: true, Source: sitemaphttp.Slice([]sitemap.URL{article})},
		})
		if article.News[0].PublicationDate != now.Format(time.DateTime) {
			t.Error("the caller's News was changed")
		}
	})
}

// lintSections serves sections and reports what the linter finds.
func lintSections(t *testing.T, sections []sitemaphttp.Section) {
	t.Helper()
	server := httptest.NewUnstartedServer(nil)
	handler, err := sitemaphttp.New("http://"+server.Listener.Addr().String()+"/", sections,
		&sitemaphttp.Options{OnInvalid: func(string, *sitemaphttp.Row, error) {}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { handler.Close() })
	server.Config.Handler = handler
	server.Start()
	t.Cleanup(server.Close)
	linter, err := lint.New(&lint.Options{Engines: lint.EngineAll})
	if err != nil {
		t.Fatal(err)
	}
	for finding, err := range linter.Check(t.Context(), server.URL+"/sitemap.xml") {
		if err != nil {
			t.Fatal(err)
		}
		t.Error(&finding)
	}
}
