package partition

import (
	"encoding/binary"
	"math/rand/v2"
	"sync"
	"testing"
)

// A pair is a record for tests.
type pair struct{ hash, value uint64 }

var pairs = Codec[pair]{
	Size: 16,
	Append: func(dst []byte, p *pair) []byte {
		return binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(dst, p.hash), p.value)
	},
	Parse: func(text []byte) pair {
		return pair{binary.LittleEndian.Uint64(text), binary.LittleEndian.Uint64(text[8:])}
	},
}

// TestSet adds records in several goroutines, with memory for few, and wants every one
// back once, from the partition of its hash.
func TestSet(t *testing.T) {
	const sides, records = 3, 20_000
	for _, memory := range []int64{1, 1 << 16, 1 << 30} {
		p := New(memory, pairs)
		var running sync.WaitGroup
		for side := range sides {
			running.Go(func() {
				random := rand.New(rand.NewPCG(1, uint64(side)))
				var s Blocks[pair]
				for i := range records {
					hash := random.Uint64()
					if err := p.Add(&s, hash, pair{hash, uint64(side*records + i)}); err != nil {
						t.Error(err)
					}
				}
				p.AddAll(&s)
			})
		}
		running.Wait()
		seen := map[uint64]bool{}
		for i := range Count {
			err := p.Each(i, func(block []pair) {
				for _, r := range block {
					if Of(r.hash) != i || seen[r.value] {
						t.Fatalf("memory %d: partition %d has %+v", memory, i, r)
					}
					seen[r.value] = true
				}
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		if len(seen) != sides*records {
			t.Errorf("memory %d: %d records, want %d", memory, len(seen), sides*records)
		}
		if onDisk := p.OnDisk() > 0; onDisk != (memory < 1<<20) {
			t.Errorf("memory %d: %d bytes on disk", memory, p.OnDisk())
		}
		p.Close()
	}
}
