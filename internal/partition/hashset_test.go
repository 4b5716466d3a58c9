package partition

import (
	"math/rand/v2"
	"testing"
)

// TestHashSet compares a set with a map, with hashes whose slots collide.
func TestHashSet(t *testing.T) {
	var s hashSet
	for round := range 3 {
		random := rand.New(rand.NewPCG(2, uint64(round)))
		known := map[uint64]bool{}
		for range 20_000 {
			hash := random.Uint64N(5000)<<20 + random.Uint64N(2) + 1
			if before := s.add(hash); before != known[hash] {
				t.Fatalf("%d: %v, want %v", hash, before, known[hash])
			}
			known[hash] = true
		}
		s.clear()
	}
}
