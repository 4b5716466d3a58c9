//go:build !race

// The race detector multiplies the memory that is measured here.

package store

import (
	"bytes"
	"fmt"
	"os"
	"runtime/debug"
	"testing"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/programtest"
)

// resident returns the memory of this process in bytes, SQLite's included,
// which Go's own statistics do not know.
func resident(t *testing.T) int64 {
	t.Helper()
	debug.FreeOSMemory()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := bytes.Cut(status, []byte("VmRSS:"))
	var kilobytes int64
	if _, err := fmt.Sscan(string(rest), &kilobytes); err != nil {
		t.Fatal(err)
	}
	return kilobytes << 10
}

func TestMemoryIsFlat(t *testing.T) {
	programtest.SkipShort(t, "it stores a large crawl")
	f, _ := create(t)
	s := site{pages: 1000, links: 2}
	fill := func(from, to int) {
		for number := from; number < to; number++ {
			if err := f.Append(t.Context(), s.commit(number)); err != nil {
				t.Fatal(err)
			}
		}
	}
	start := resident(t)
	fill(0, 20)
	early := resident(t)
	fill(20, 300)
	late := resident(t)
	if err := f.Replay(t.Context(), func(crawl.Commit) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if _, known, err := f.PageByURL(s.link(200_000).URL); err != nil || !known {
		t.Fatalf("known %t, error %v", known, err)
	}
	indexed := resident(t)
	closeFile(t, f)
	t.Logf("MB more than at the start: %.1f after 20,000 pages, %.1f after 300,000, %.1f with index",
		float64(early-start)/1e6, float64(late-start)/1e6, float64(indexed-start)/1e6)
	if late-early > 5e6 || indexed-early > 10e6 {
		t.Error("memory grows with the crawl")
	}
}
