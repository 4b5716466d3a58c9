package pageset

import (
	"math/rand/v2"
	"sync"
	"testing"
)

// TestPartitions adds records in several goroutines, with memory for few, and wants
// every one back once, from the partition of its key.
func TestPartitions(t *testing.T) {
	const sides, records = 3, 20_000
	for _, memory := range []int64{1, 1 << 16, 1 << 30} {
		p := newPartitions(memory)
		var running sync.WaitGroup
		for side := range sides {
			running.Go(func() {
				random := rand.New(rand.NewPCG(1, uint64(side)))
				var s blockSet
				for i := range records {
					r := record{key: key(random.Uint64()), origin: uint32(side), entry: uint32(i), a: uint32(i) * 3, b: uint32(i) * 5}
					if err := p.add(&s, r); err != nil {
						t.Error(err)
					}
				}
				p.addAll(&s)
			})
		}
		running.Wait()
		seen := map[page]bool{}
		for i := range partitionCount {
			err := p.each(i, func(block []record) {
				for _, r := range block {
					if r.key.partition() != i || seen[r.page()] || r.a != r.entry*3 || r.b != r.entry*5 {
						t.Fatalf("memory %d: partition %d has %+v", memory, i, r)
					}
					seen[r.page()] = true
				}
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		if len(seen) != sides*records {
			t.Errorf("memory %d: %d records, want %d", memory, len(seen), sides*records)
		}
		if spilled := p.file.Size() > 0; spilled != (memory < 1<<20) {
			t.Errorf("memory %d: %d bytes on disk", memory, p.file.Size())
		}
		p.file.Close()
	}
}

// TestKeySet compares a set with a map, with keys whose slots collide.
func TestKeySet(t *testing.T) {
	var s keySet
	for round := range 3 {
		random := rand.New(rand.NewPCG(2, uint64(round)))
		known := map[key]bool{}
		for range 20_000 {
			key := key(random.Uint64N(5000)<<20 + random.Uint64N(2) + 1)
			if before := s.add(key); before != known[key] {
				t.Fatalf("%d: %v, want %v", key, before, known[key])
			}
			known[key] = true
		}
		s.clear()
	}
}

// TestUsualValues wants different hashes of all words of changefreq and priorities.
func TestUsualValues(t *testing.T) {
	c := Collector{set: New(Options{Memory: 1 << 20})}
	for _, values := range [][]string{
		{"", "always", "hourly", "daily", "weekly", "monthly", "yearly", "never"},
		{"", "0", "1", "0.0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "1.0"},
	} {
		seen := map[uint32]string{}
		for _, value := range values {
			h := c.smallHash([]byte(value))
			if other, taken := seen[h]; taken || h > 255 || (h == 0) != (value == "") {
				t.Errorf("%q has %d, as %q", value, h, other)
			}
			seen[h] = value
		}
	}
}
