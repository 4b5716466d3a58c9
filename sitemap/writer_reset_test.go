package sitemap_test

import (
	"strings"
	"testing"

	"github.com/mapatools/mapa/sitemap"
)

// TestReset compares the files of a writer that is used again with those of new ones.
func TestReset(t *testing.T) {
	files := [][]*sitemap.URL{
		{{Loc: "https://example.com/", LastMod: date(t, "2024-02-29"),
			Extensions: sitemap.Extensions{Images: []sitemap.Image{{Loc: "https://example.com/i.png"}}}}},
		{{Loc: "https://example.com/a"}, {Loc: "https://example.org/b", LastMod: date(t, "2020")}},
		nil,
	}
	var out strings.Builder
	reused := sitemap.NewWriter(&out)
	for _, discarded := range files {
		for _, u := range discarded {
			if err := reused.Write(u); err != nil {
				t.Fatal(err)
			}
		}
		for _, urls := range files {
			out.Reset()
			reused.Reset(&out)
			for _, u := range urls {
				if err := reused.Write(u); err != nil {
					t.Fatal(err)
				}
			}
			if err := reused.Close(); err != nil {
				t.Fatal(err)
			}
			if want := write(t, nil, urls...); out.String() != want || reused.Size() != int64(len(want)) {
				t.Errorf("%d bytes:\n%s\nwant\n%s", reused.Size(), out.String(), want)
			}
			reused.Reset(&out)
			if reused.Count() != 0 || !reused.NewestLastMod().IsZero() {
				t.Errorf("after Reset: %d entries, newest %s", reused.Count(), reused.NewestLastMod())
			}
		}
	}
}
