package crawl

import (
	"hash/maphash"
	"math/bits"
)

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

// seenTable is a hash table with open addressing and linear probing. It is between 60 and
// 75 % full. A slot is 16 bytes, so that it needs one access to memory.
type seenTable struct {
	slots []seenSlot
	used  int
}

// seenSlot holds 96 bits of a fingerprint, and 6 more are those of its shard: among a
// billion URLs, two share them in one crawl of a million million. An ID of 0 marks a free
// slot.
type seenSlot struct {
	low  uint64
	high uint32
	id   uint32
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
	return ID(t.slot(f.low, uint32(f.high>>32)).id)
}

func (t *seenTable) add(f fingerprint, next ID) (ID, bool) {
	if t.used*4 >= len(t.slots)*3 {
		t.grow()
	}
	slot := t.slot(f.low, uint32(f.high>>32))
	if slot.id != 0 {
		return ID(slot.id), false
	}
	*slot = seenSlot{f.low, uint32(f.high >> 32), uint32(next)}
	t.used++
	return next, true
}

// slot returns the slot of a fingerprint, or the free one where it belongs. Slots are
// nearly in the order of low, so that growing reads and writes memory in its order.
func (t *seenTable) slot(low uint64, high uint32) *seenSlot {
	first, _ := bits.Mul64(low, uint64(len(t.slots)))
	for i := int(first); ; i++ {
		if i == len(t.slots) {
			i = 0
		}
		if s := &t.slots[i]; s.id == 0 || s.low == low && s.high == high {
			return s
		}
	}
}

// grow makes a quarter more slots: twice as many would be half empty for long.
func (t *seenTable) grow() {
	old := t.slots
	t.slots = make([]seenSlot, max(seenFirstSize, len(old)+len(old)/4))
	for i := range old {
		if s := &old[i]; s.id != 0 {
			*t.slot(s.low, s.high) = *s
		}
	}
}
