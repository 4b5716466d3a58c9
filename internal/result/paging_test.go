package result

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	_ "modernc.org/sqlite"
)

// all walks through all parts of a list of pages.
func all(t *testing.T, r *Result, f Filter, limit int) (ids []int64, total int64) {
	t.Helper()
	cursor := ""
	for {
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
		if cursor = list.Next; cursor == "" {
			return ids, list.Total
		}
	}
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
		if _, err := r.Tree(t.Context(), "", cursor+"!", 0); !errors.Is(err, ErrCursor) {
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
		func() error { _, err := r.Tree(ended, "", "", 0); return err },
		func() error { _, err := r.Findings(ended, "title-missing", "", "", 0); return err },
		func() error { _, err := r.Changes(ended, "", "", 0); return err },
		func() error { return r.Export(ended, nil, Filter{}, "csv") },
	} {
		if err := query(); !errors.Is(err, context.Canceled) {
			t.Error(fmt.Sprint("query ", i), err)
		}
	}
}
