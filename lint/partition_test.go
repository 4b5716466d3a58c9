package lint

import (
	"math/rand/v2"
	"sync"
	"testing"
)

// TestPartitions puts records in from several sides, with room for few, and wants
// every one back once, from the partition of its key.
func TestPartitions(t *testing.T) {
	const sides, records = 3, 20_000
	for _, room := range []int64{1, 1 << 16, 1 << 30} {
		p := newPartitions(room)
		var running sync.WaitGroup
		for side := range sides {
			running.Go(func() {
				random := rand.New(rand.NewPCG(1, uint64(side)))
				var s sheaf
				for i := range records {
					r := record{key: pageKey(random.Uint64()), origin: uint32(side), entry: uint32(i), a: uint32(i) * 3, b: uint32(i) * 5}
					if err := p.add(&s, r); err != nil {
						t.Error(err)
					}
				}
				p.surrender(&s)
			})
		}
		running.Wait()
		seen := map[pageAt]bool{}
		for i := range partitionCount {
			err := p.each(i, func(block []record) {
				for _, r := range block {
					if r.key.partition() != i || seen[r.at()] || r.a != r.entry*3 || r.b != r.entry*5 {
						t.Fatalf("room %d: partition %d has %+v", room, i, r)
					}
					seen[r.at()] = true
				}
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		if len(seen) != sides*records {
			t.Errorf("room %d: %d records, want %d", room, len(seen), sides*records)
		}
		if spilled := p.spill.size > 0; spilled != (room < 1<<20) {
			t.Errorf("room %d: %d bytes on disk", room, p.spill.size)
		}
		p.spill.close()
	}
}

// TestKeySet holds a set against a map, with keys that stand in each other's way.
func TestKeySet(t *testing.T) {
	var s keySet
	for round := range 3 {
		random := rand.New(rand.NewPCG(2, uint64(round)))
		known := map[pageKey]bool{}
		for range 20_000 {
			key := pageKey(random.Uint64N(5000)<<20 + random.Uint64N(2) + 1)
			if before := s.add(key); before != known[key] {
				t.Fatalf("%d: %v, want %v", key, before, known[key])
			}
			known[key] = true
		}
		s.clear()
	}
}

// TestUsualValues wants the words of changefreq, and the priorities, told apart.
func TestUsualValues(t *testing.T) {
	g := gatherer{set: newSet(1 << 20)}
	for _, values := range [][]string{
		{"", "always", "hourly", "daily", "weekly", "monthly", "yearly", "never"},
		{"", "0", "1", "0.0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "1.0"},
	} {
		seen := map[uint32]string{}
		for _, value := range values {
			h := g.smallHash([]byte(value))
			if other, taken := seen[h]; taken || h > 255 || (h == 0) != (value == "") {
				t.Errorf("%q has %d, as %q", value, h, other)
			}
			seen[h] = value
		}
	}
}
