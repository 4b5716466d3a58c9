package dedupe

import (
	"math/rand/v2"
	"testing"
)

// TestTable compares with a map, also where most hashes belong to few buckets: the first and
// the last ones.
func TestTable(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var known table
	want := map[uint64]Facts{}
	for range 6_000 {
		key := Key{max(1, random.Uint64()), Facts(random.Uint32())}
		switch random.IntN(4) {
		case 0:
			key.Hash |= 1<<32 - 1<<8
		case 1:
			key.Hash &^= 1<<32 - 1<<8
			key.Hash |= 1
		}
		if random.IntN(4) == 0 {
			key.Hash &= 0xff_0000_00ff
			key.Hash |= 1
		}
		known.load([]Key{key})
		facts, found := known.add(key)
		if wantFacts, wantFound := want[key.Hash]; found != wantFound || facts != wantFacts {
			t.Fatalf("%x: %v %t, want %v %t", key.Hash, facts, found, wantFacts, wantFound)
		}
		if !found {
			want[key.Hash] = key.Facts
		}
	}
	if known.count != len(want) {
		t.Errorf("%d keys, want %d", known.count, len(want))
	}
	_ = known.all(func(key Key) error {
		if want[key.Hash] != key.Facts {
			t.Errorf("%x: %v, want %v", key.Hash, key.Facts, want[key.Hash])
		}
		delete(want, key.Hash)
		return nil
	})
	if len(want) > 0 {
		t.Errorf("%d keys are missing", len(want))
	}
}
