//go:build !race

// The race detector multiplies the time that a million pages take.

package publish

import (
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/programtest"
	"github.com/mapatools/mapa/sitemap"
)

// TestMemory publishes a million pages and checks the memory in use.
func TestMemory(t *testing.T) {
	programtest.SkipShort(t, "it writes a million URLs")
	const pages, most = 1_000_000, 48 << 20
	var before, now runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	worst := uint64(0)
	stream := func(yield func(*Page, error) bool) {
		for i := range pages {
			p := &Page{Title: strings.Repeat("title ", 10), Depth: i % 9}
			p.Loc = "https://example.com/folder-" + strconv.Itoa(i/5000) + "/page-" + strconv.Itoa(i)
			p.LastMod = sitemap.DayOf(day1.AddDate(0, 0, -i%5000))
			p.Images = []sitemap.Image{{Loc: "https://example.com/i.png"}}
			if i%100_000 == 99_999 {
				runtime.GC()
				runtime.ReadMemStats(&now)
				worst = max(worst, now.HeapInuse)
			}
			if !yield(p, nil) {
				return
			}
		}
	}
	options := Options{
		Folder: t.TempDir(), Home: home, Outputs: AllOutputs(), Gzip: true, MaxShrink: 30,
		Sets: setsOf(t, "odd=[13579]$", "ten=0$"), Apart: Apart{Images: true},
		Weights: Weights{Priority: PriorityByDepth},
	}
	published, err := Run(t.Context(), stream, &options)
	if err != nil || published.Pages != pages {
		t.Fatalf("published %+v: %v", published, err)
	}
	grown := int64(worst) - int64(before.HeapInuse)
	t.Logf("%d MiB held at most", grown>>20)
	if grown > most {
		t.Errorf("%d MiB held, want at most %d", grown>>20, most>>20)
	}
}
