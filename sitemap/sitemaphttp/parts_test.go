package sitemaphttp_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/mapatools/mapa/sitemap"
	"github.com/mapatools/mapa/sitemap/sitemaphttp"
)

func TestParts(t *testing.T) {
	posts, users := integers(-5, 25_010), texts(30_000)
	h := start(t, nil, sitemaphttp.Section{Name: "posts", Source: posts},
		sitemaphttp.Section{Name: "empty", Source: &memory{}}, sitemaphttp.Section{Name: "users", Source: users})
	found := parts(t, h)
	want := []string{"/sitemap-posts--10000.xml", "/sitemap-posts-0.xml", "/sitemap-posts-10000.xml",
		"/sitemap-posts-20000.xml", "/sitemap-users-0.xml"}
	if !slices.Equal(found[:5], want) {
		t.Errorf("parts %q, want them to begin with %q", found, want)
	}
	if len(found) < 7 {
		t.Errorf("30,000 random keys are in %d parts", len(found)-4)
	}
	if got := pages(t, h); !slices.Equal(got, append(posts.listed(), users.listed()...)) {
		t.Errorf("%d pages are listed, want the 55,010 of the sources, each once", len(got))
	}
	text, _ := get(t, h, "/sitemap.xml")
	newest := "<loc>https://example.com/sitemap-posts-0.xml</loc><lastmod>2024-05-01T14:46:39Z</lastmod>"
	if !strings.Contains(text, newest) {
		t.Errorf("the index has no %s, the newest of the part's dates:\n%s", newest, text)
	}
}

// TestPartsAreStable adds and removes rows and counts the parts that change, whose
// names stay.
func TestPartsAreStable(t *testing.T) {
	text := func(key string) sitemaphttp.Row {
		return sitemaphttp.Row{Key: sitemaphttp.Text(key), URL: sitemap.URL{Loc: base + "new/" + key}}
	}
	for _, test := range []struct {
		name   string
		source *memory
		size   int64
		row    sitemaphttp.Row
	}{
		{"integer", integers(1, 4_000), 1_000, intRow(4_001)},
		{"integer in a gap", &memory{rows: append(integers(1, 1_500).rows, integers(2_500, 3_000).rows...)}, 1_000,
			intRow(1_600)},
		{"first integer", integers(10, 3_000), 1_000, intRow(5)},
		{"first text", texts(5_000), 1_000, text("0")},
		{"text", texts(5_000), 1_000, text("80000001")},
		{"last text", texts(5_000), 1_000, text("ffffffff")},
		{"text in a split part", texts(30_000), 1 << 40, text("10000001")},
		{"integer in a split part", integers(1, 60_000), 1 << 40, intRow(0)},
	} {
		t.Run(test.name, func(t *testing.T) {
			section := sitemaphttp.Section{Name: "s", Source: test.source, PartSize: test.size}
			h := start(t, nil, section)
			before := tags(t, h)
			if again := tags(t, start(t, nil, section)); !maps.Equal(again, before) {
				t.Error("another process finds other parts")
			}
			test.source.insert(test.row)
			if err := h.Refresh(t.Context()); err != nil {
				t.Fatal(err)
			}
			after := tags(t, h)
			if changed := differences(before, after); len(changed) != 1 {
				t.Errorf("a row changed %d of %d parts: %q", len(changed), len(before), changed)
			}
			if got := pages(t, h); !slices.Equal(got, test.source.listed()) {
				t.Errorf("%d pages are listed of %d", len(got), len(test.source.rows))
			}
		})
	}
}

func differences(before, after map[string]string) []string {
	all := maps.Clone(before)
	maps.Copy(all, after)
	return slices.DeleteFunc(slices.Sorted(maps.Keys(all)), func(name string) bool { return before[name] == after[name] })
}

// TestSplit fills parts beyond the limits and compares the names with those before.
func TestSplit(t *testing.T) {
	large := integers(1, 12_000)
	for i := range large.rows {
		large.rows[i].Loc += "?" + strings.Repeat("x", 1_900)
	}
	for _, test := range []struct {
		name   string
		source *memory
		size   int64
		most   int // parts
	}{
		{"integers", integers(1, 80_000), 1 << 16, 5},
		{"integers far apart", far(80_000), 1 << 62, 5},
		{"integers in one range of exactly 50,000", integers(0, 50_000), 50_000, 1},
		{"texts", texts(80_000), 1 << 20, 5},
		{"large rows", large, 50_000, 4},
	} {
		t.Run(test.name, func(t *testing.T) {
			few := &memory{rows: slices.Clone(test.source.rows[:2_000])}
			h := start(t, nil, sitemaphttp.Section{Name: "s", Source: few, PartSize: test.size},
				sitemaphttp.Section{Name: "second", Source: integers(1, 1)})
			first := parts(t, h)[0]
			few.change(func(m *memory) { m.rows = test.source.rows })
			if err := h.Refresh(t.Context()); err != nil {
				t.Fatal(err)
			}
			found := parts(t, h)
			found = found[:len(found)-1]
			if found[0] != first || len(found) > test.most {
				t.Errorf("%d parts, at most %d are expected; the first was %s and is %s", len(found), test.most, first, found[0])
			}
			var listed []string
			for _, path := range found {
				text, _ := get(t, h, path)
				if len(text) > 16<<20 {
					t.Errorf("%s has %d bytes", path, len(text))
				}
				listed = append(listed, locs(t, text)...)
			}
			if !slices.Equal(listed, test.source.listed()) {
				t.Errorf("%d pages are listed of %d", len(listed), len(test.source.rows))
			}
		})
	}
}

// far returns a source of n integer keys with large gaps between them.
func far(n int) *memory {
	m := &memory{}
	for i := range n {
		row := intRow(i)
		row.Key = sitemaphttp.Int(-1<<62 + int64(i)<<44)
		m.rows = append(m.rows, row)
	}
	return m
}

// TestPartGrows asks for a part that has grown beyond the limit since the scan.
func TestPartGrows(t *testing.T) {
	source := integers(1, 20_000)
	h := start(t, nil, sitemaphttp.Section{Name: "s", Source: source, PartSize: 1 << 40})
	source.change(func(m *memory) { m.rows = integers(1, 60_000).rows })
	if w := ask(h, "GET", "/sitemap-s-0.xml"); w.Code != 503 {
		t.Errorf("a part of 60,000 rows is answered with %d", w.Code)
	}
	if err := h.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := pages(t, h); len(parts(t, h)) != 2 || !slices.Equal(got, source.listed()) {
		t.Errorf("%d pages in %d parts", len(got), len(parts(t, h)))
	}
}

// TestFewParts covers the sets that need no index.
func TestFewParts(t *testing.T) {
	source := &memory{}
	h := start(t, nil, sitemaphttp.Section{Name: "s", Source: source})
	if text, _ := get(t, h, "/sitemap.xml"); !strings.Contains(text, "<urlset") || strings.Contains(text, "<url>") {
		t.Errorf("without rows: %s", text)
	}
	source.insert(intRow(1))
	if err := h.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	index, _ := get(t, h, "/sitemap.xml")
	part, _ := get(t, h, "/sitemap-s-0.xml")
	if index != part || !slices.Equal(locs(t, index), source.listed()) {
		t.Errorf("with one part, sitemap.xml is\n%s\nand the part\n%s", index, part)
	}
	source.insert(intRow(20_000))
	if err := h.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := parts(t, h); len(got) != 2 {
		t.Errorf("with two parts, the index lists %q", got)
	}
}

func TestRowsThatCannotBeListed(t *testing.T) {
	row := func(key int64, u sitemap.URL) sitemaphttp.Row {
		return sitemaphttp.Row{Key: sitemaphttp.Int(key), URL: u}
	}
	source := &memory{rows: []sitemaphttp.Row{
		row(1, sitemap.URL{Loc: "/a?b=1&c=<2>"}),
		row(2, sitemap.URL{Loc: ""}),
		row(3, sitemap.URL{Loc: "javascript:alert(1)"}),
		row(4, sitemap.URL{Loc: base + strings.Repeat("x", 3_000)}),
		row(5, sitemap.URL{Loc: base + "nul\x00"}),
		row(6, sitemap.URL{Loc: base + "wrong-utf-8-\xff"}),
		row(7, sitemap.URL{Loc: base + "]]></loc></url>"}),
		row(8, sitemap.URL{Loc: base + "frequency", ChangeFreq: "sometimes", Priority: sitemap.PriorityOf(7)}),
		row(9, sitemap.URL{Loc: "//example.com/other"}),
		{Key: sitemaphttp.Int(10), URL: sitemap.URL{Loc: base + "date"}, Err: sitemap.ErrDate},
	}}
	var invalid []string
	h := start(t, &sitemaphttp.Options{OnInvalid: func(section string, row *sitemaphttp.Row, err error) {
		invalid = append(invalid, fmt.Sprint(section, row.Key, " ", err))
	}}, sitemaphttp.Section{Name: "s", Source: source})
	text, _ := get(t, h, "/sitemap-s-0.xml")
	for _, loc := range locs(t, text) {
		if !strings.HasPrefix(loc, base) {
			t.Errorf("%q is listed", loc)
		}
	}
	for _, want := range []string{base + "a?b=1&amp;c=%3C2%3E<", base + "frequency</loc></url>", base + "date</loc>"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	reported := strings.Join(invalid, "\n")
	for _, want := range []string{"s2 loc", "s3 loc", "s4 loc", "s8 changefreq", "priority", "s9 loc", "s10 not a date"} {
		if !strings.Contains(reported, want) {
			t.Errorf("no %q is reported:\n%s", want, reported)
		}
	}
}
