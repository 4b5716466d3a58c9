package compare

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
)

// TestSorter compares the sorter on disk with a sort in memory. The memory limit is so
// small that merged runs are merged again.
func TestSorter(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	random := rand.New(rand.NewPCG(1, 2))
	for _, count := range []int{0, 1, 3, 100, 5000} {
		s := newSorter()
		s.limit = 200
		var want []string
		for range count {
			address, date := fmt.Sprintf("https://example.com/%d", random.IntN(2000)), ""
			if random.IntN(2) == 0 {
				date = fmt.Sprintf("2026-01-%02d", 1+random.IntN(30))
			}
			want = append(want, address+" "+date)
			if err := s.add([]byte(address), []byte(date)); err != nil {
				t.Fatal(err)
			}
		}
		slices.Sort(want)
		if count == 5000 && len(s.runs) < 3 {
			t.Errorf("only %d levels of runs", len(s.runs))
		}
		for pass := range 2 {
			var got []string
			var before record
			for r, err := range s.sorted() {
				if err != nil {
					t.Fatal(err)
				}
				if before.address != nil && before.compare(r) > 0 {
					t.Fatalf("%s %s before %s %s", before.address, before.lastMod, r.address, r.lastMod)
				}
				before = record{slices.Clone(r.address), slices.Clone(r.lastMod)}
				got = append(got, string(r.address)+" "+string(r.lastMod))
			}
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Fatalf("%d records, pass %d: not what went in", count, pass)
			}
		}
		s.close()
	}
	left, err := os.ReadDir(os.TempDir())
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func BenchmarkSorter(b *testing.B) {
	b.ReportAllocs()
	var address []byte
	for b.Loop() {
		s := newSorter()
		for i := range 1_000_000 {
			address = fmt.Appendf(address[:0], "https://www.example.com/section-%d/page-%d.html", i*7919%1000, i)
			if err := s.add(address, []byte("2026-01-02T03:04:05Z")); err != nil {
				b.Fatal(err)
			}
		}
		for _, err := range s.sorted() {
			if err != nil {
				b.Fatal(err)
			}
		}
		s.close()
	}
}
