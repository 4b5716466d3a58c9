package sitemaphttp_test

import (
	"context"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/mapatools/mapa/sitemap"
	"github.com/mapatools/mapa/sitemap/sitemaphttp"
)

// TestSources serves the same rows from every kind of source.
func TestSources(t *testing.T) {
	for name, rows := range map[string]*memory{"integers": integers(-7, 12_000), "texts": texts(12_000)} {
		page := func(_ context.Context, keys sitemaphttp.Range, limit int) ([]sitemaphttp.Row, error) {
			from, _ := slices.BinarySearchFunc(rows.rows, keys.From, func(r sitemaphttp.Row, k sitemaphttp.Key) int {
				return r.Key.Compare(k)
			})
			until := from
			for until < len(rows.rows) && until < from+min(limit, 700) && keys.Contains(rows.rows[until].Key) {
				until++
			}
			return slices.Clone(rows.rows[from:until]), nil
		}
		all := iter.Seq2[*sitemaphttp.Row, error](func(yield func(*sitemaphttp.Row, error) bool) {
			for i := range rows.rows {
				if !yield(&rows.rows[i], nil) {
					return
				}
			}
		})
		for kind, source := range map[string]sitemaphttp.Source{
			"pages": sitemaphttp.Pages(page), "seq": sitemaphttp.Seq(all), "func": sitemaphttp.SourceFunc(rows.Rows),
		} {
			h := start(t, nil, sitemaphttp.Section{Name: "s", Source: source, PartSize: 1_000})
			if got := pages(t, h); !slices.Equal(got, rows.listed()) || len(parts(t, h)) < 5 {
				t.Errorf("%s, %s: %d pages in %d parts", name, kind, len(got), len(parts(t, h)))
			}
		}
	}
}

// TestSlice lists pages in any order, each once.
func TestSlice(t *testing.T) {
	pages := []sitemap.URL{{Loc: base + "c"}, {Loc: base + "a"}, {Loc: base + "b"}, {Loc: base + "a", ChangeFreq: "daily"}}
	h := start(t, nil, sitemaphttp.Section{Name: "s", Source: sitemaphttp.Slice(pages)})
	pages[0].Loc = base + "changed"
	text, _ := get(t, h, "/sitemap.xml")
	if got := strings.Join(locs(t, text), " "); got != base+"a "+base+"b "+base+"c" || strings.Contains(text, "daily") {
		t.Errorf("%s", text)
	}
}

// TestSourcesThatRepeat has functions that ignore what they are asked for.
func TestSourcesThatRepeat(t *testing.T) {
	rows := integers(1, 3).rows
	same := sitemaphttp.Pages(func(context.Context, sitemaphttp.Range, int) ([]sitemaphttp.Row, error) {
		return slices.Clone(rows), nil
	})
	unsorted := sitemaphttp.Seq(func(yield func(*sitemaphttp.Row, error) bool) {
		_ = yield(&rows[1], nil) && yield(&rows[0], nil)
	})
	for name, source := range map[string]sitemaphttp.Source{"pages": same, "seq": unsorted} {
		h := open(t, nil, sitemaphttp.Section{Name: "s", Source: source})
		if err := h.Refresh(t.Context()); err == nil || !strings.Contains(err.Error(), "do not ascend") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
