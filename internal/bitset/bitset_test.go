package bitset

import (
	"math/rand/v2"
	"testing"
)

// TestSet compares a set with a map.
func TestSet(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	set, want := New[int64](100), map[int64]bool{}
	for range 5000 {
		n := random.Int64N(1000)
		if random.IntN(3) == 0 {
			set.Remove(n)
			delete(want, n)
		} else {
			set.Add(n)
			want[n] = true
		}
		if other := random.Int64N(2000); set.Has(n) != want[n] || set.Has(other) != want[other] {
			t.Fatalf("%d: %v, want %v; %d: %v, want %v", n, set.Has(n), want[n], other, set.Has(other), want[other])
		}
	}
}
