package crawl

import "hash/maphash"

// A fingerprint stands for the key of an address. It is keyed by a secret of the
// process, so that no site can make two addresses collide.
type fingerprint struct{ high, low uint64 }

const (
	seenShards  = 64
	firstPlaces = 1 << 8
)

// A seenSet maps the fingerprints of all addresses met to their IDs. It is made
// of small tables that grow one at a time, so that growing never doubles it all.
// Check and mark are one step; the caller holds the lock.
type seenSet struct {
	seeds  [2]maphash.Seed
	shards [seenShards]seenTable
}

// A seenTable is open addressing with linear probing; an ID of 0 is a free place.
type seenTable struct {
	keys []fingerprint
	ids  []uint32
	used int
}

func newSeenSet() *seenSet {
	return &seenSet{seeds: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}}
}

// fingerprint may be called without the lock.
func (s *seenSet) fingerprint(key []byte) fingerprint {
	return fingerprint{maphash.Bytes(s.seeds[0], key), maphash.Bytes(s.seeds[1], key)}
}

// add returns the ID that a fingerprint has, or gives it next and reports true.
func (s *seenSet) add(f fingerprint, next ID) (id ID, added bool) {
	return s.shards[f.high%seenShards].add(f, next)
}

func (t *seenTable) add(f fingerprint, next ID) (ID, bool) {
	if t.used*4 >= len(t.keys)*3 {
		t.grow()
	}
	at := t.place(f)
	if t.ids[at] != 0 {
		return ID(t.ids[at]), false
	}
	t.keys[at], t.ids[at] = f, uint32(next)
	t.used++
	return next, true
}

func (t *seenTable) place(f fingerprint) int {
	at := int(f.low) & (len(t.keys) - 1)
	for t.ids[at] != 0 && t.keys[at] != f {
		at = (at + 1) & (len(t.keys) - 1)
	}
	return at
}

func (t *seenTable) grow() {
	old := *t
	t.keys = make([]fingerprint, max(firstPlaces, 2*len(old.keys)))
	t.ids = make([]uint32, len(t.keys))
	for i, id := range old.ids {
		if id != 0 {
			at := t.place(old.keys[i])
			t.keys[at], t.ids[at] = old.keys[i], id
		}
	}
}
