package view_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/view"
)

func leaf(name string, total, listed, broken int) view.TreemapFolder {
	return view.TreemapFolder{Name: name, Href: "#addresses/folder-120", Total: total, Listed: listed, Broken: broken}
}

type folders = []view.TreemapFolder

// many returns as many folders as a picture shows, whose names are as large as they get.
func many(name string) (all folders) {
	for i := range 30 {
		all = append(all, leaf(fmt.Sprint("/", i, name), 1000+i*i, 500, 20))
	}
	return all
}

// TestTreemap checks that the areas of the fields are the shares of the pages, that no field leaves the picture
// or overlaps another, and which labels there are.
func TestTreemap(t *testing.T) {
	nested := leaf("/blog/ (others)", 10, 10, 0)
	nested.Inside = []view.TreemapFolder{
		leaf("/blog/2024/", 60, 30, 30), leaf("/blog/2025/", 30, 0, 0), leaf("/blog/no/", 0, 0, 0),
	}
	for name, test := range map[string]struct {
		folders         folders
		fields          int
		labels, narrows string
	}{
		"nothing": {},
		"one":     {folders: folders{leaf("/", 5, 5, 0), leaf("/no/", 0, 0, 0)}},
		"two":     {folders{leaf("/a/", 3, 3, 0), leaf("/", 1, 0, 1)}, 2, "/a/ /", "/a/ /"},
		"equal": {
			folders{leaf("/a/", 1, 1, 0), leaf("/b/", 1, 1, 0), leaf("/c/", 1, 0, 0)}, 3,
			"/a/ /b/ /c/", "/a/ /b/ /c/",
		},
		"nested": {
			folders{nested, leaf("/", 100, 100, 0)}, 4,
			"/blog/2024/ /blog/2025/ /blog/ (other… /", "2024/ 2025/ /blo… /",
		},
		"overlap": {folders{leaf("/a/", 4, 4, 4), leaf("/", 1, 0, 1)}, 2, "/a/ /", "/a/ /"},
		"wide": {
			folders{leaf("/商品商品商品商品商品商品商品商品/", 3, 3, 0), leaf("/", 3, 3, 0)}, 2,
			"/商品商品商品商品商品商品商品商品/ /", "商品商品商品商品… /",
		},
		"long": {
			folders{leaf("/"+strings.Repeat("x", 99)+"/", 3, 3, 0), leaf("/", 3, 3, 0)}, 2,
			"/" + strings.Repeat("x", 23) + "… /", "/" + strings.Repeat("x", 15) + "… /",
		},
		"readable": {
			folders{leaf("/%C3%B1/", 3, 3, 0), leaf("/a%20b/", 2, 2, 0)}, 2,
			"/ñ/ /a%20b/", "/ñ/ /a%20b/",
		},
		"short": {
			folders{leaf("/productos/herramientas/", 3, 3, 0), leaf("/", 3, 3, 0)}, 2,
			"/productos/herramientas/ /", "herramientas/ /",
		},
		"many": {many("/"), 30, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			picture := view.NewTreemap(catalog.For(catalog.English), view.TreemapFolder{Inside: test.folders})
			if picture == nil {
				if test.fields > 0 {
					t.Error("there is no picture")
				}
				return
			}
			checkAreas(t, picture.Fields, test.fields)
			if name == "many" {
				return
			}
			var labels, narrows []string
			for _, f := range picture.Fields {
				for _, l := range f.Labels {
					if l.Class != "narrow" {
						labels = append(labels, l.Text)
					}
					if l.Class != "wide" {
						narrows = append(narrows, l.Text)
					}
				}
			}
			if got := strings.Join(labels, " "); got != test.labels {
				t.Errorf("labels %q, want %q", got, test.labels)
			}
			if got := strings.Join(narrows, " "); got != test.narrows {
				t.Errorf("labels on a phone %q, want %q", got, test.narrows)
			}
		})
	}
}

// TestTreemapSizes checks that no field is too small, and that pages that no folder shows do not hide those that are.
func TestTreemapSizes(t *testing.T) {
	draw := func(root view.TreemapFolder) (areas []float64) {
		for _, f := range view.NewTreemap(catalog.For(catalog.English), root).Fields {
			areas = append(areas, math.Round(f.Width*f.Height/100))
		}
		return areas
	}
	small := draw(view.TreemapFolder{Inside: folders{leaf("/a/", math.MaxInt32, 1, 0), leaf("/b/", 1, 1, 0)}})
	if !slices.Equal(small, []float64{99, 1}) {
		t.Errorf("a small field has %v", small)
	}
	others := leaf("/ (others)", 1_000_000, 0, 0)
	others.Inside = folders{leaf("/a/", 50_000, 0, 0), leaf("/b/", 40_000, 0, 0)}
	if got := draw(others); got[2] != 25 || got[0] < got[2] {
		t.Errorf("the others have %v", got)
	}
}

func checkAreas(t *testing.T, fields []view.TreemapField, want int) {
	t.Helper()
	if len(fields) != want {
		t.Fatalf("%d fields, want %d", len(fields), want)
	}
	const small = 1e-6
	total := 0
	for i := range fields {
		total += fields[i].Total
	}
	for i := range fields {
		f := &fields[i]
		if f.X < -small || f.Y < -small || f.X+f.Width > 100+small || f.Y+f.Height > 100+small {
			t.Errorf("%s is outside: %+v", f.Name, *f)
		}
		if area, share := f.Width*f.Height/10_000, float64(f.Total)/float64(total); math.Abs(area-share) > small {
			t.Errorf("%s has the area %f, want %f", f.Name, area, share)
		}
		if f.LeftOutFrom < 0 || f.LeftOutFrom > f.BrokenFrom || f.BrokenFrom > 100 {
			t.Errorf("%s has bands from %f and %f", f.Name, f.LeftOutFrom, f.BrokenFrom)
		}
		for j := range fields[:i] {
			o := &fields[j]
			if min(f.X+f.Width, o.X+o.Width)-max(f.X, o.X) > small && min(f.Y+f.Height, o.Y+o.Height)-max(f.Y, o.Y) > small {
				t.Errorf("%s and %s overlap", f.Name, o.Name)
			}
		}
	}
}

// TestTreemapPage writes the picture of folders with hostile names. It stays small, and has the same in a list.
func TestTreemapPage(t *testing.T) {
	for _, name := range []string{
		"/", `<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, "\u202eexe.cod\u0007", strings.Repeat("&", 40),
		"%3Cscript%3E", strings.Repeat("%E5%95%86", 100), "]]></svg>",
	} {
		for _, language := range catalog.Languages() {
			c := catalog.For(language)
			var page strings.Builder
			picture := view.NewTreemap(c, view.TreemapFolder{Inside: many(name)})
			if err := view.Blocks(c).ExecuteTemplate(&page, "treemap", picture); err != nil {
				t.Fatal(err)
			}
			text := page.String()
			for _, wrong := range []string{"<script", "<img", "\u202e", "\u0007", "]]></svg><"} {
				if strings.Contains(text, wrong) {
					t.Errorf("%q: the page has %q", name, wrong)
				}
			}
			if len(text) > 24<<10 {
				t.Errorf("%q, %s: %d bytes", name, language, len(text))
			}
			if strings.Count(text, "<li>") != 30 || strings.Count(text, `tabindex="-1"`) != 30 {
				t.Errorf("%q: the list and the fields are not the same", name)
			}
		}
	}
}
