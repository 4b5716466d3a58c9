package sitemaphttp

import (
	"math"
	"math/big"
	"testing"
)

// FuzzStartOf compares the beginnings of ranges with arithmetic without limits.
func FuzzStartOf(f *testing.F) {
	f.Add(int64(123_456), int64(10_000), 0)
	f.Add(int64(-1), int64(10_000), 3)
	f.Add(int64(math.MinInt64), int64(math.MaxInt64), 1)
	f.Add(int64(math.MaxInt64), int64(math.MaxInt64), 63)
	f.Add(int64(math.MinInt64+5), int64(1<<40), 0)
	f.Add(int64(7), int64(1), 16)
	f.Fuzz(func(t *testing.T, n, size int64, level int) {
		if size < 1 || level < 0 || level > maxLevel {
			t.Skip()
		}
		got := startOf(n, size, level)
		if want := exactStart(n, size, level); got != want {
			t.Errorf("startOf(%d, %d, %d) = %d, want %d", n, size, level, got, want)
		}
		if got > n || level == 0 && uint64(n)-uint64(got) >= uint64(size) {
			t.Errorf("startOf(%d, %d, %d) = %d", n, size, level, got)
		}
		if level > 0 && got < startOf(n, size, level-1) {
			t.Errorf("%d begins earlier at level %d of size %d than at the level before", n, level, size)
		}
	})
}

// exactStart returns floor(n/size)*size + ceil(cell*size/2^level), and not less than
// the smallest integer.
func exactStart(n, size int64, level int) int64 {
	width, cells := big.NewInt(size), new(big.Int).Lsh(big.NewInt(1), uint(level))
	beginning := new(big.Int).Div(big.NewInt(n), width) // rounds down, since size is positive
	beginning.Mul(beginning, width)
	cell := new(big.Int).Sub(big.NewInt(n), beginning)
	cell.Mul(cell, cells).Div(cell, width)
	cell.Mul(cell, width).Add(cell, cells).Sub(cell, big.NewInt(1)).Div(cell, cells)
	beginning.Add(beginning, cell)
	if !beginning.IsInt64() {
		return math.MinInt64
	}
	return beginning.Int64()
}

func TestLevels(t *testing.T) {
	for _, test := range []struct {
		full float64
		want int
	}{{0, 0}, {0.5, 0}, {0.51, 2}, {0.75, 32}, {0.999, 63}, {1, 63}} {
		if got := levelFor(test.full); got != test.want {
			t.Errorf("a part that is full by %v may end at level %d, want %d", test.full, got, test.want)
		}
	}
}
