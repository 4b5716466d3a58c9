package dedupe

// A table maps the hashes of items to their facts. The zero value is empty. Hashes are
// random already, so their own bits are their slots.
type table struct {
	slots  []slot // a power of two
	count  int
	loaded uint32 // see load
}

// A slot holds a hash in two halves, so that it has 12 bytes: a look-up reads them from
// memory at once. It is free when both are 0.
type slot struct {
	high, low uint32
	facts     Facts
}

func (s *slot) hash() uint64 { return uint64(s.high)<<32 | uint64(s.low) }

const minSlots = 1 << 12

// add adds a key unless the table has its hash: then it returns the facts of that.
func (t *table) add(key Key) (facts Facts, found bool) {
	if 4*t.count >= 3*len(t.slots) {
		t.grow()
	}
	s := t.slot(key.Hash)
	if s.hash() == key.Hash {
		return s.facts, true
	}
	*s = slot{uint32(key.Hash >> 32), uint32(key.Hash), key.Facts}
	t.count++
	return 0, false
}

// load reads the slots of keys into the cache of the processor. No read waits for another.
func (t *table) load(keys []Key) {
	if len(t.slots) == 0 {
		return
	}
	mask, sum := uint64(len(t.slots)-1), uint32(0)
	for i := range keys {
		sum += t.slots[keys[i].Hash&mask].low
	}
	t.loaded = sum // so that the reads are of use to the compiler
}

// slot returns the slot of a hash, or the free one where it belongs. It begins at the
// last bits: the first ones are the same in a whole partition.
func (t *table) slot(hash uint64) *slot {
	mask := uint64(len(t.slots) - 1)
	for i := hash & mask; ; i = (i + 1) & mask {
		if found := t.slots[i].hash(); found == 0 || found == hash {
			return &t.slots[i]
		}
	}
}

func (t *table) grow() {
	old := t.slots
	t.slots = make([]slot, max(minSlots, 2*len(old)))
	for i := range old {
		if hash := old[i].hash(); hash != 0 {
			*t.slot(hash) = old[i]
		}
	}
}

// clear empties the table and keeps its memory.
func (t *table) clear() {
	clear(t.slots)
	t.count = 0
}
