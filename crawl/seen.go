package crawl

import "hash/maphash"

// fingerprint is the 128-bit hash of a URL's key. It depends on a secret of the
// process, so a site cannot make two URLs collide.
type fingerprint struct{ high, low uint64 }

// keyHasher computes fingerprints.
type keyHasher struct{ high, low maphash.Seed }

func newKeyHasher() keyHasher { return keyHasher{maphash.MakeSeed(), maphash.MakeSeed()} }

func (h *keyHasher) fingerprint(key []byte) fingerprint {
	return fingerprint{maphash.Bytes(h.high, key), maphash.Bytes(h.low, key)}
}

const (
	seenShards    = 64
	seenFirstSize = 1 << 8
)

// seenSet maps the fingerprints of all URLs found to their IDs. It consists of
// small tables that grow one at a time, so it never needs twice its memory at once.
// It is not safe for concurrent use.
type seenSet struct {
	shards [seenShards]seenTable
}

// seenTable is a hash table with open addressing and linear probing. An ID of 0
// marks a free slot.
type seenTable struct {
	keys []fingerprint
	ids  []uint32
	used int
}

// add returns the ID of a fingerprint. It stores next and reports true if the
// fingerprint is new: check and insert are one step.
func (s *seenSet) add(f fingerprint, next ID) (id ID, added bool) {
	return s.shards[f.high%seenShards].add(f, next)
}

// get returns the ID of a fingerprint, or 0.
func (s *seenSet) get(f fingerprint) ID {
	t := &s.shards[f.high%seenShards]
	if t.used == 0 {
		return 0
	}
	return ID(t.ids[t.slot(f)])
}

func (t *seenTable) add(f fingerprint, next ID) (ID, bool) {
	if t.used*4 >= len(t.keys)*3 {
		t.grow()
	}
	slot := t.slot(f)
	if t.ids[slot] != 0 {
		return ID(t.ids[slot]), false
	}
	t.keys[slot], t.ids[slot] = f, uint32(next)
	t.used++
	return next, true
}

// slot returns the slot of f, or the free one where f belongs.
func (t *seenTable) slot(f fingerprint) int {
	slot := int(f.low) & (len(t.keys) - 1)
	for t.ids[slot] != 0 && t.keys[slot] != f {
		slot = (slot + 1) & (len(t.keys) - 1)
	}
	return slot
}

func (t *seenTable) grow() {
	old := *t
	t.keys = make([]fingerprint, max(seenFirstSize, 2*len(old.keys)))
	t.ids = make([]uint32, len(t.keys))
	for i, id := range old.ids {
		if id != 0 {
			slot := t.slot(old.keys[i])
			t.keys[slot], t.ids[slot] = old.keys[i], id
		}
	}
}
