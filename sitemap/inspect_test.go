package sitemap_test

import (
	"strings"
	"testing"

	"github.com/mapatools/mapa/sitemap"
)

const placed = `<?xml version="1.0"?>
<?xml-stylesheet href="/s.xsl"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:pic="http://www.google.com/schemas/sitemap-image/1.1">
<url>
  <loc>https://example.com/1</loc>
  <pic:image><pic:loc>https://example.com/a.png</pic:loc></pic:image>
  <pic:image><pic:loc>https://example.com/b.png</pic:loc></pic:image>
</url>
<url><lastmod>2024-01-08</lastmod><loc>https://example.com/2</loc></url>
<url><lastmod>2024-01-09</lastmod><loc>https://example.com/3</loc></url>
<url><loc>https://example.com/4</loc><changefreq> daily </changefreq></url>
<url><loc>https://example.com/5</loc><changefreq>daily</changefreq></url>
<url><loc>https://example.com/6</loc><changefreq>daily</changefreq></url>
<url><pic:image/><loc>https://example.com/7</loc></url>
</urlset>
<?late?>
<?xml-stylesheet href="/late.xsl"?>
`

func TestEntryFind(t *testing.T) {
	wanted := map[string][]struct {
		element      string
		n            int
		line, column int
	}{
		"https://example.com/1": {
			{"", 0, 4, 1}, {"loc", 0, 5, 3}, {"image:image", 1, 7, 3}, {"image:loc", 0, 6, 14}, {"image:loc", 1, 7, 14},
			{"image:loc", 2, 4, 1}, {"pic:loc", 1, 7, 14}, {"lastmod", 0, 4, 1},
		},
		"https://example.com/2": {{"lastmod", 0, 9, 6}, {"loc", 0, 9, 35}},
		"https://example.com/3": {{"lastmod", 0, 10, 6}},
		"https://example.com/6": {{"changefreq", 0, 13, 38}},
	}
	reader := sitemap.NewReader(strings.NewReader(placed))
	for entry, err := range reader.Entries() {
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range wanted[string(entry.Loc)] {
			offset, line, column := entry.Source().Find(w.element, w.n)
			if line != w.line || column != w.column {
				t.Errorf("%s, %s %d: line %d, column %d, want %d, %d", entry.Loc, w.element, w.n, line, column, w.line, w.column)
			}
			if before := placed[:offset]; strings.Count(before, "\n")+1 != line ||
				int(offset)-strings.LastIndexByte(before, '\n') != column {
				t.Errorf("%s, %s %d: offset %d is not in line %d, column %d", entry.Loc, w.element, w.n, offset, line, column)
			}
			if shown, caret := reader.Inspect().Line(offset); shown != strings.Split(placed, "\n")[line-1] || caret != column {
				t.Errorf("%s, %s %d: line %q, caret %d", entry.Loc, w.element, w.n, shown, caret)
			}
		}
		if raw := string(entry.Source().Raw()); !strings.HasPrefix(raw, "<url>") || !strings.HasSuffix(raw, "</url>") ||
			strings.Count(raw, "<url>") != 1 {
			t.Errorf("%s: raw %q", entry.Loc, raw)
		}
		clone := entry.Clone()
		if _, line, _ := clone.Source().Find("loc", 0); line != entry.Line() || clone.Source().Raw() != nil {
			t.Errorf("%s: the clone is in line %d, its raw text %q", entry.Loc, line, clone.Source().Raw())
		}
	}
}

// TestEntryFindIn finds elements in others of the same name.
func TestEntryFindIn(t *testing.T) {
	const document = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"><url>
<image:image/>
<image:image><image:loc>http://a/</image:loc></image:image>
<image:image>
<image:title>t</image:title>
</image:image>
<image:title>of none</image:title>
<loc>https://example.com/</loc></url></urlset>`
	reader := sitemap.NewReader(strings.NewReader(document))
	for entry, err := range reader.Entries() {
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range []struct {
			parent  string
			n       int
			element string
			line    int
		}{
			{"image:image", 0, "image:loc", 2}, {"image:image", 1, "image:loc", 3}, {"image:image", 1, "image:title", 3},
			{"image:image", 2, "image:title", 5}, {"image:image", 2, "", 4}, {"image:image", 3, "image:title", 1},
			{"loc", 0, "", 8}, {"", 0, "loc", 1},
		} {
			if _, line, _ := entry.Source().FindIn(w.parent, w.n, w.element); line != w.line {
				t.Errorf("%+v is in line %d", w, line)
			}
		}
	}
}

func TestEntryShape(t *testing.T) {
	reader := sitemap.NewReader(strings.NewReader(placed))
	var disordered, padded string
	for entry, err := range reader.Entries() {
		if err != nil {
			t.Fatal(err)
		}
		number := strings.TrimPrefix(string(entry.Loc), "https://example.com/")
		if !entry.Source().Ordered() {
			disordered += number
		}
		if entry.Source().Padded() {
			padded += number
		}
	}
	if disordered != "237" || padded != "4" {
		t.Errorf("not ordered %q, want 237; padded %q, want 4", disordered, padded)
	}
	if want := placed[:strings.Index(placed, "1.1\">")+len("1.1\">")]; string(reader.Inspect().Prolog()) != want {
		t.Errorf("prolog %q, want %q", reader.Inspect().Prolog(), want)
	}
	at := strings.LastIndex(placed, "<?xml-stylesheet")
	wantLine := 1 + strings.Count(placed[:at], "\n")
	if offset, line, column := reader.Inspect().LateStylesheet(); int(offset) != at || line != wantLine || column == 0 {
		t.Errorf("late stylesheet at %d, line %d, column %d, want %d, line %d", offset, line, column, at, wantLine)
	}
	if reader.Inspect().Compressed() || reader.Inspect().Size() != int64(len(placed)) {
		t.Errorf("compressed %v, size %d", reader.Inspect().Compressed(), reader.Inspect().Size())
	}
}

// TestInspectionLineIsShort cuts a line around the place and keeps control characters
// away from terminals.
func TestInspectionLineIsShort(t *testing.T) {
	text := `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` +
		strings.Repeat("<url><loc>https://example.com/\x1b[31m</loc></url>", 500) + "</urlset>"
	reader := sitemap.NewReader(strings.NewReader(text))
	for entry, err := range reader.Entries() {
		if err != nil {
			t.Fatal(err)
		}
		offset, _, _ := entry.Source().Find("loc", 0)
		line, caret := reader.Inspect().Line(offset)
		if len(line) > 200 || strings.ContainsRune(line, 0x1b) || !strings.HasPrefix(line[caret-1:], "<loc>") {
			t.Fatalf("caret %d in %q", caret, line)
		}
	}
	if line, caret := reader.Inspect().Line(1 << 40); line != "" || caret != 0 {
		t.Errorf("after the end: %q, %d", line, caret)
	}
}
