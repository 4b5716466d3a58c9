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

	"github.com/mapatools/mapa/internal/insight"
	"github.com/mapatools/mapa/internal/page"
	"github.com/mapatools/mapa/internal/report"
	"github.com/mapatools/mapa/internal/store"
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
			ids = append(ids, int64(page.Link.ID))
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
	for key, of := range map[string]func(*store.Folder) string{
		"name":   func(f *store.Folder) string { return f.Name },
		"urls":   func(f *store.Folder) string { return digits(f.Total) },
		"listed": func(f *store.Folder) string { return digits(f.Listed) },
		"broken": func(f *store.Folder) string { return digits(f.Broken) },
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
	for key, of := range map[string]func(*insight.Finding) string{
		"page":  func(f *insight.Finding) string { return f.First[0].URL },
		"pages": func(f *insight.Finding) string { return digits(int64(f.Places)) },
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
			list, err := r.Pages(t.Context(), Filter{"sort": mark + "decision"}, cursor, 50)
			for i := range list.Pages {
				keys = append(keys, rank(page.DecisionName(list.Pages[i].Decision())))
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
		{Filter{"status": "404"}, "status = 404", "id"},
		{Filter{"status": "2xx"}, "status between 200 and 299", "id"},
		{Filter{"status": "none"}, "status is null and decision <> 'robots' and id in (select id from fetch)", "id"},
		{Filter{"status": "500"}, "false", "id"},
		{Filter{"decision": "listed"}, "decision = 'listed'", "id"},
		{Filter{"decision": "waiting"}, "decision = 'waiting'", "id"},
		{Filter{"decision": "canonical"}, "decision = 'canonical'", "id"},
		{Filter{"decision": "trap"}, "false", "id"},
		{Filter{"media_type": "Application/PDF"}, "media_type = 'application/pdf'", "id"},
		{Filter{"role": "external"}, "role = 'external'", "id"},
		{Filter{"decision": "listed", "depth": "0"}, "id = 1", "id"},
		{Filter{"decision": "redirect", "sort": "-size"}, "decision = 'redirect'", "size is null, size desc, id"},
		{Filter{"rule": "title-missing"}, "listed and media_type = 'text/html' and title is null", "id"},
		{Filter{"rule": "link-broken"}, "id in (select page from finding where rule = 'link-broken')", "id"},
		{Filter{"rule": "tls-expiry"}, "false", "id"},
		{Filter{"seed_sources": "sitemap"}, "seed_sources like '%sitemap%'", "id"},
		{Filter{"seed_sources": "log", "status": "404"}, "seed_sources like '%log%' and status = 404", "id"},
		{Filter{"role": "page", "sort": "-duration_ms"}, "role = 'page'", "duration_ms is null, duration_ms desc, id"},
		{Filter{"text": "page-29"}, "url like '%page-29%'", "id"},
		{Filter{"text": "SHARED 3"}, "title like 'Shared 3%'", "id"},
		{Filter{"text": "ünÏcode title"}, "title like '%nïcode%'", "id"},
		{Filter{"text": "sección-ñ"}, "url like '%/secci_C3_B3n-%'", "id"},
		{Filter{"text": "a", "status": "404", "sort": "-url"}, "status = 404", "url desc"},
		{Filter{"text": "%"}, "url like '%\\%%' escape '\\'", "id"},
		{Filter{"text": "nowhere"}, "false", "id"},
		{Filter{"folder": origin + "/section-7/"}, "url like '" + origin + "/section-7/%' and role = 'page'", "id"},
		{Filter{"folder": origin + "/section-7/part-3", "sort": "url"},
			"url like '" + origin + "/section-7/part-3/%' and role = 'page'", "url"},
		{Filter{"folder": origin + "/nothing/"}, "false", "id"},
		{Filter{"role": "page", "sort": "url"}, "role = 'page'", "url"},
		{Filter{"sort": "title"}, "true", "title is null, title, id"},
		{Filter{"sort": "-words", "title_length": "1-20"}, "title_length between 1 and 20", "words is null, words desc, id"},
		{Filter{"depth": "none"}, "depth is null", "id"},
		{Filter{"images_without_alt": "1", "role": "page"}, "images_without_alt = 1 and role = 'page'", "id"},
		{Filter{"sort": "-size"}, "true", "size is null, size desc, id"},
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
		"status": {"status": "4yy"}, "decision": {"decision": "none"}, "role": {"role": "pages"}, "depth": {"depth": "-1"},
		"rule": {"rule": "titles"}, "seed_sources": {"seed_sources": "feed"}, "sort": {"sort": "role"},
		"title": {"title": "x"}, "n.id": {"n.id": "1"},
	} {
		var wrong *FilterError
		if _, err := r.Pages(t.Context(), f, "", 0); !errors.As(err, &wrong) || wrong.Name != name {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, cursor := range []string{".", "-1", "1.1", "9223372036854775808", "0x1", "\x00"} {
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
	for _, cursor := range []string{"51", "9223372036854775807"} {
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
		func() error { _, err := r.Pages(ended, Filter{"text": "a"}, "", 0); return err },
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
