//go:build !race

// The race detector multiplies the memory that is measured here.

package source_test

import (
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/mapatools/mapa/source"
)

// endless gives the same bytes until a number of them was read.
type endless struct {
	text string
	left int
}

func (e *endless) Read(p []byte) (int, error) {
	if e.left <= 0 {
		return 0, io.EOF
	}
	n := 0
	for n+len(e.text) <= len(p) {
		n += copy(p[n:], e.text)
	}
	e.left -= n
	return n, nil
}

// TestListMemory reads 32 MB of each format and holds little of it.
func TestListMemory(t *testing.T) {
	for _, format := range [][2]string{
		{"", "https://a.example/page\n"}, {"", `{"url":"https://a.example/page"}` + "\n"},
		{"url;title\n", "https://a.example/page;A page\n"},
	} {
		in := io.MultiReader(strings.NewReader(format[0]), &endless{text: format[1], left: 32 << 20})
		before, peak, count := liveBytes(), int64(0), 0
		for range source.Lists([]string{"-"}, &source.LineOptions{Stdin: in}) {
			if count++; count%200_000 == 0 {
				peak = max(peak, liveBytes()-before)
			}
		}
		if count < 500_000 || peak > 4<<20 {
			t.Errorf("%q: %d addresses, %d KB in use", format, count, peak>>10)
		}
	}
}

// liveBytes returns the bytes of the heap that are in use, without garbage.
func liveBytes() int64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}
