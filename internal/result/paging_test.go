package result

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/report"
	_ "modernc.org/sqlite"
)

// all walks through all parts of a list of pages.
func all(t *testing.T, r *Result, f Filter, limit int) (ids []int64, total int64) {
	t.Helper()
	var at parts
	for cursor := ""; ; {
		list, err := r.Pages(t.Context(), f, cursor, limit)
		if err != nil {
			t.Fatalf("%+v: %v", f, err)
		}
		for _, page := range list.Pages {
			ids = append(ids, page.ID)
		}
		if len(list.Pages) > limit || list.Next != "" && len(list.Pages) < limit {
			t.Fatalf("%+v: a part of %d, after it %q", f, len(list.Pages), list.Next)
		}
		at.check(t, cursor, list.Part, len(list.Pages))
		if cursor = list.Next; cursor == "" {
			return ids, list.Total
		}
	}
}

// parts checks where the parts of a list are, which follow each other.
type parts struct {
	cursors []string
	before  int
}

func (p *parts) check(t *testing.T, cursor string, part Part, rows int) {
	t.Helper()
	want := Part{Before: p.before, Next: part.Next}
	if len(p.cursors) > 0 {
		want.Previous = p.cursors[len(p.cursors)-1]
	}
	equal(t, "part", part, want)
	p.cursors, p.before = append(p.cursors, cursor), p.before+rows
}

// TestSorted walks through lists in all their orders.
func TestSorted(t *testing.T) {
	name := folder(t, 300)
	r := open(t, name)
	type read func(cursor string) (keys []string, part Part, err error)
	walk := func(what string, compare func(a, b string) int, read read) {
		t.Helper()
		var at parts
		var all []string
		for cursor := ""; ; {
			keys, part, err := read(cursor)
			if err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			at.check(t, cursor, part, len(keys))
			all = append(all, keys...)
			if cursor = part.Next; cursor == "" {
				break
			}
		}
		if len(at.cursors) < 3 || !slices.IsSortedFunc(all, compare) {
			t.Errorf("%s: %d parts, %q", what, len(at.cursors), all)
		}
	}
	digits := func(n int64) string { return fmt.Sprintf("%09d", n) }
	for key, of := range map[string]func(*Folder) string{
		"name": func(f *Folder) string { return f.Name }, "urls": func(f *Folder) string { return digits(f.Total) },
		"listed": func(f *Folder) string { return digits(f.Listed) },
		"broken": func(f *Folder) string { return digits(f.Broken) },
	} {
		for mark, compare := range orders {
			walk("folders by "+mark+key, compare, func(cursor string) (keys []string, part Part, err error) {
				tree, err := r.Tree(t.Context(), origin+"/", mark+key, cursor, 3)
				for i := range tree.Folders {
					keys = append(keys, of(&tree.Folders[i]))
				}
				return keys, tree.Part, err
			})
		}
	}
	for key, of := range map[string]func(*Finding) string{
		"page":  func(f *Finding) string { return f.First[0].URL },
		"pages": func(f *Finding) string { return digits(int64(f.Places)) },
	} {
		for mark, compare := range orders {
			walk("findings by "+mark+key, compare, func(cursor string) (keys []string, part Part, err error) {
				list, err := r.Findings(t.Context(), FindingFilter{Rule: "link-broken", Sort: mark + key}, cursor, 3)
				for i := range list.Findings {
					keys = append(keys, of(&list.Findings[i]))
				}
				return keys, list.Part, err
			})
		}
	}
	rank := func(name string) string {
		return digits(int64(slices.IndexFunc(r.overview.Decisions, func(d report.NameCount) bool { return d.Name == name })))
	}
	for mark, compare := range orders {
		walk("pages by "+mark+"decision", compare, func(cursor string) (keys []string, part Part, err error) {
			list, err := r.Pages(t.Context(), Filter{Sort: mark + "decision"}, cursor, 50)
			for i := range list.Pages {
				keys = append(keys, rank(list.Pages[i].Decision))
			}
			return keys, list.Part, err
		})
	}
	for _, d := range []Direction{In, Out} {
		equal := func(a, b string) int { return 0 }
		walk(fmt.Sprint("links ", d), equal, func(cursor string) (keys []string, part Part, err error) {
			list, err := r.Links(t.Context(), 1, d, cursor, 2)
			return make([]string, len(list.Links)), list.Part, err
		})
	}
}

// orders compare the keys of rows in the order of a mark.
var orders = map[string]func(a, b string) int{
	"": strings.Compare, "-": func(a, b string) int { return strings.Compare(b, a) },
}

// ask returns the numbers that a query of the crawl file returns.
func ask(t *testing.T, folder, query string) (ids []int64) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(folder, crawlName)+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query(query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	return ids
}

// TestPages walks through all parts of many lists, and compares them with what queries of
// the crawl file say.
func TestPages(t *testing.T) {
	name := folder(t, 1100)
	r := open(t, name)
	for _, test := range []struct {
		filter Filter
		where  string
		order  string
	}{
		{Filter{}, "true", "id"},
		{Filter{Status: "404"}, "status = 404", "id"},
		{Filter{Status: "2xx"}, "status between 200 and 299", "id"},
		{Filter{Status: "none"}, "status = 0 and reason <> 'robots'", "id"},
		{Filter{Status: "500"}, "false", "id"},
		{Filter{Reason: "listed"}, "listed", "id"},
		{Filter{Reason: "waiting"}, "waiting", "id"},
		{Filter{Reason: "canonical"}, "reason = 'canonical'", "id"},
		{Filter{Reason: "trap"}, "false", "id"},
		{Filter{Type: "Application/PDF"}, "media_type = 'application/pdf'", "id"},
		{Filter{Role: "external"}, "role = 'external'", "id"},
		{Filter{Reason: "listed", Depth: "0"}, "id = 1", "id"},
		{Filter{Reason: "redirect", Sort: "-size"}, "reason = 'redirect'", "size desc, id"},
		{Filter{Rule: "title-missing"}, "listed and media_type = 'text/html' and title is null", "id"},
		{Filter{Rule: "link-broken"}, "id in (select page from finding where rule = 'link-broken')", "id"},
		{Filter{Rule: "tls-expiry"}, "false", "id"},
		{Filter{Named: "sitemap"}, "seed_sources like '%sitemap%'", "id"},
		{Filter{Named: "log", Status: "404"}, "seed_sources like '%log%' and status = 404", "id"},
		{Filter{Role: "page", Sort: "-time"}, "role = 'page'", "coalesce(duration_ms, 0) / 1 desc, id"},
		{Filter{Text: "page-29"}, "url like '%page-29%'", "id"},
		{Filter{Text: "SHARED 3"}, "title like 'Shared 3%'", "id"},
		{Filter{Text: "ünÏcode title"}, "title like '%nïcode%'", "id"},
		{Filter{Text: "sección-ñ"}, "url like '%/secci_C3_B3n-%'", "id"},
		{Filter{Text: "a", Status: "404", Sort: "-url"}, "status = 404", "url desc"},
		{Filter{Text: "%"}, "url like '%\\%%' escape '\\'", "id"},
		{Filter{Text: "nowhere"}, "false", "id"},
		{Filter{Folder: origin + "/section-7/"}, "url like '" + origin + "/section-7/%' and role = 'page'", "id"},
		{Filter{Folder: origin + "/section-7/part-3", Sort: "url"},
			"url like '" + origin + "/section-7/part-3/%' and role = 'page'", "url"},
		{Filter{Folder: origin + "/nothing/"}, "false", "id"},
		{Filter{Role: "page", Sort: "url"}, "role = 'page'", "url"},
		{Filter{Sort: "-size"}, "true", "coalesce(size, 0) desc, id"},
	} {
		want := ask(t, name, "select id from page where "+test.where+" order by "+test.order)
		for _, limit := range []int{1, 7, 1000} {
			if limit < 1000 && len(want) > 40*limit {
				continue
			}
			got, total := all(t, r, test.filter, limit)
			if !slices.Equal(got, want) || total != int64(len(want)) {
				t.Errorf("%+v by %d: %d pages, total %d, want %d: %v, want %v", test.filter, limit, len(got), total,
					len(want), got[:min(9, len(got))], want[:min(9, len(want))])
			}
		}
	}
}

func TestFilterErrors(t *testing.T) {
	r := open(t, folder(t, 50))
	for name, f := range map[string]Filter{
		"status": {Status: "70000"}, "reason": {Reason: "none"}, "role": {Role: "pages"}, "depth": {Depth: "-1"},
		"rule": {Rule: "titles"}, "named": {Named: "start"}, "sort": {Sort: "title"},
	} {
		var wrong *FilterError
		if _, err := r.Pages(t.Context(), f, "", 0); !errors.As(err, &wrong) || wrong.Name != name {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, cursor := range []string{
		".", "-1.1", "1.-1", "4294967296.1", "0.9223372036854775808", "0x1.1", "\x00", "1.1.1",
	} {
		if _, err := r.Pages(t.Context(), Filter{}, cursor, 0); !errors.Is(err, ErrCursor) {
			t.Errorf("%q: %v", cursor, err)
		}
		if _, err := r.Links(t.Context(), 1, In, cursor, 0); !errors.Is(err, ErrCursor) {
			t.Errorf("links %q: %v", cursor, err)
		}
		if _, err := r.Tree(t.Context(), "", "", cursor+"!", 0); !errors.Is(err, ErrCursor) {
			t.Errorf("tree %q: %v", cursor, err)
		}
	}
	for _, cursor := range []string{"4294967295.9223372036854775807", "0.9223372036854775807"} {
		if list, err := r.Pages(t.Context(), Filter{}, cursor, 1<<62); err != nil || len(list.Pages) > 0 {
			t.Errorf("%q: %v, %v", cursor, list, err)
		}
	}
	for _, id := range []int64{-1, 0, 51, 1024, 1 << 40, -1 << 63, 1<<63 - 1} {
		_, err := r.Page(t.Context(), id)
		_, errLinks := r.Links(t.Context(), id, Out, "", 0)
		if !errors.Is(err, ErrNotFound) || !errors.Is(errLinks, ErrNotFound) {
			t.Errorf("page %d: %v, %v", id, err, errLinks)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for i, query := range []func() error{
		func() error { _, err := r.Pages(ended, Filter{Text: "a"}, "", 0); return err },
		func() error { _, err := r.Page(ended, 1); return err },
		func() error { _, err := r.Links(ended, 1, In, "", 0); return err },
		func() error { _, err := r.Tree(ended, "", "", "", 0); return err },
		func() error { _, err := r.Findings(ended, FindingFilter{Rule: "title-missing"}, "", 0); return err },
		func() error { _, err := r.Changes(ended, "", "", 0); return err },
		func() error { return r.Export(ended, nil, Filter{}, "csv", nil) },
	} {
		if err := query(); !errors.Is(err, context.Canceled) {
			t.Error(fmt.Sprint("query ", i), err)
		}
	}
}
