package store

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/sqlite"
)

func documentation(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../docs/crawl-file.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var sqlBlock = regexp.MustCompile("(?s)```sql\n(.*?)```")

func TestDocumentedQueries(t *testing.T) {
	f := sampleFile(t)
	if err := f.NewCounter().Write(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := [][]string{
		{"pattern 1"},
		{"https://example.com/ 2026-03", "https://example.com/add 2026-01-02T03:04:05+02:00"},
		{"https://example.com/missing 404 https://example.com/"},
		{"listed 2", "waiting 2", "client-error 1", "excluded 1", "redirect 1"},
		{"https://example.com/old?a='b' 301 https://example.com/"},
		{"https://example.com/ 1.234 15000"},
		{"<nil> 1 https://example.com/add"},
		{"<nil> 1 https://example.com/add"},
		{"https://example.com/ 200 start,log", "https://example.com/add <nil> sitemap"},
		{"https://example.com/ https://example.com/a.png"},
		{"robots-conflict 1 1", "title-multiple 1 2"},
		{"<nil> 2 1", "0 1 1", "1 2 0"},
		{"https://example.com/", "https://example.com/old?a='b'", "https://example.com/waiting"},
		{"program 1.2.3", "start https://example.com/", "state running"},
	}
	blocks := sqlBlock.FindAllStringSubmatch(documentation(t), -1)
	if len(blocks) != len(want) {
		t.Fatalf("%d queries are documented, %d known here", len(blocks), len(want))
	}
	for i, block := range blocks {
		equal(t, block[1], ask(t, f, block[1]), want[i])
	}
	shell := regexp.MustCompile(`sqlite3 crawl.sqlite "(.*)"`).FindStringSubmatch(documentation(t))
	if shell == nil {
		t.Fatal("the first query is gone")
	}
	equal(t, shell[1], ask(t, f, shell[1]), []string{"https://example.com/missing"})
}

// ask returns the rows of a query as lines.
func ask(t *testing.T, f *File, query string) []string {
	t.Helper()
	var lines []string
	err := f.db.Query(query, func(r sqlite.Row) bool {
		var values []any
		for _, value := range r {
			values = append(values, value)
		}
		lines = append(lines, strings.TrimSuffix(fmt.Sprintln(values...), "\n"))
		return true
	})
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return lines
}

func TestViewIsReadable(t *testing.T) {
	f := sampleFile(t)
	equal(t, "page 1", ask(t, f, "select time, digest, role, found_on from page where id = 1"),
		[]string{"2026-03-04T05:06:07.089Z 8000000000000005 page <nil>"})
	equal(t, "page 6", ask(t, f, "select role, status, decision, listed from page where id = 6"),
		[]string{"external <nil> waiting 0"})
	equal(t, "facts of page 1", ask(t, f,
		"select seed_sources, words, language, json_extract(extensions, '$.images[0].loc') from page where id = 1"),
		[]string{"start,log 120 de-CH https://example.com/a.png"})
	equal(t, "more facts of page 1", ask(t, f,
		"select h1, images, images_without_alt, parts, open_graph, json_ld, needs_script from page where id = 1"),
		[]string{"Welcome 7 3 video,viewport title,image Article, BreadcrumbList 1"})
	equal(t, "security of pages 1 to 3", ask(t, f, "select security, certificate_end from page where id < 4"),
		[]string{"csp,hsts 2027-01-31", "<nil> <nil>", "<nil> <nil>"})
	equal(t, "rendering of pages 1 to 3", ask(t, f,
		"select render_reason, rendered, render_failure, render_ms, before_render from page where id < 4"), []string{
		`root 1 <nil> 1234 {"title":"App","links":1}`, "<nil> <nil> <nil> <nil> <nil>", "no-text 0 render-failed\tscript 0 <nil>"})
	equal(t, "faults of page 1", ask(t, f, "select faults ->> 1 from page where id = 1"),
		[]string{`{"rule":"robots-conflict","kind":"index","count":1,"line":3,"column":5}`})
	equal(t, "page 5", ask(t, f, "select decision, detail, listed from page where id = 5"),
		[]string{"excluded pattern\t/private* 0"})
}

func TestSchemaIsDocumented(t *testing.T) {
	f := sampleFile(t)
	page := documentation(t)
	columns := ask(t, f, `select distinct c.name from sqlite_schema s, pragma_table_info(s.name) c
where s.type in ('table', 'view')`)
	if len(columns) < 29 {
		t.Fatalf("only %d columns", len(columns))
	}
	for _, column := range columns {
		if !strings.Contains(page, "`"+column+"`") {
			t.Errorf("column %s is not documented", column)
		}
	}
	_, numbers, _ := strings.Cut(page, "\n## The tables `numbers` and `folder`")
	numbers, _, _ = strings.Cut(numbers, "\n## ")
	for _, column := range ask(t, f, "select name from pragma_table_info('numbers')") {
		if !strings.Contains(numbers, "`"+column+"`") {
			t.Errorf("column %s of the table numbers is not documented", column)
		}
	}
	var kinds []string
	for number, kind := range crawl.EdgeKinds() {
		kinds = append(kinds, fmt.Sprintf("%d %s", number, kind))
	}
	equal(t, "edge_kind", ask(t, f, "select number, name from edge_kind order by number"), kinds)
	if list := strings.Join(kinds, ", "); !strings.Contains(page, list) {
		t.Errorf("the kinds of edge are not documented as %s", list)
	}
	if !strings.Contains(page, fmt.Sprintf("the version of this page is %d", spec.Version)) {
		t.Error("the version of the schema is not documented")
	}
	for _, reason := range []crawl.Reason{crawl.ReasonRobots, crawl.ReasonClientError, crawl.ReasonParameterVariant,
		crawl.ReasonSoft404, crawl.ReasonTooLarge, crawl.ReasonUnlistable} {
		if !strings.Contains(page, "`"+string(reason)+"`") {
			t.Errorf("reason %s is not documented", reason)
		}
	}
}

// TestDetailsAreDocumented checks that the page names every code that a crawl file holds.
func TestDetailsAreDocumented(t *testing.T) {
	page := documentation(t)
	others := []string{"missing-anchor", "robots.no-rule", "robots.no-group", "robots.always"} // not of a crawl file
	for code := range catalog.For(catalog.English).WithPrefix("detail.") {
		name := strings.TrimPrefix(code, "failure.")
		if !strings.Contains(page, "`"+name+"`") && !strings.HasPrefix(name, "trap.") && !slices.Contains(others, name) {
			t.Errorf("the detail %s is not documented", code)
		}
	}
}
