package build

import (
	"reflect"
	"testing"
	"time"

	"github.com/mapatools/mapa/sitemap"
)

// TestStoredRow reads rows as they were written, and none that is damaged.
func TestStoredRow(t *testing.T) {
	var b build
	full := &buildRow{location: "pages.csv", line: 1 << 40, isLog: true}
	full.Loc, full.Title = "https://example.com/ä", "a \x00 title"
	full.LastMod = sitemap.DateOf(time.Date(2026, 1, 2, 3, 4, 5, 600, time.FixedZone("", 3600)))
	full.ChangeFreq, full.Priority = sitemap.ChangeFreqDaily, sitemap.PriorityOf(0)
	full.Images = []sitemap.Image{{Loc: "https://example.com/a.jpg"}}
	for _, row := range []*buildRow{{}, full} {
		text := appendRow(nil, row)
		got, err := b.parseRow(text)
		if err != nil || !reflect.DeepEqual(got, row) {
			t.Errorf("%+v, want %+v, %v", got, row, err)
		}
		for length := range text {
			if _, err := b.parseRow(text[:length]); err == nil {
				t.Errorf("%d of %d bytes are a row", length, len(text))
			}
		}
		if _, err := b.parseRow(append(text, 0)); err == nil {
			t.Error("a byte too many is no error")
		}
	}
}
