package dedupe

// A table maps the hashes of items to their facts. The zero value is empty. Hashes are
// random already, so their own bits are their slots.
type table struct {
	hashes []uint64 // a power of two; 0 is free
	facts  []Facts
	count  int
}

const minSlots = 1 << 12

// add adds a key unless the table has its hash: then it returns the facts of that.
func (t *table) add(key Key) (facts Facts, found bool) {
	if 4*t.count >= 3*len(t.hashes) {
		t.grow()
	}
	i := t.slot(key.Hash)
	if t.hashes[i] == key.Hash {
		return t.facts[i], true
	}
	t.hashes[i], t.facts[i] = key.Hash, key.Facts
	t.count++
	return 0, false
}

// slot returns the slot of a hash, or the free one where it belongs. It begins at the
// last bits: the first ones are the same in a whole partition.
func (t *table) slot(hash uint64) int {
	mask := uint64(len(t.hashes) - 1)
	i := hash & mask
	for t.hashes[i] != 0 && t.hashes[i] != hash {
		i = (i + 1) & mask
	}
	return int(i)
}

func (t *table) grow() {
	old := *t
	size := max(minSlots, 2*len(old.hashes))
	t.hashes, t.facts = make([]uint64, size), make([]Facts, size)
	for i, hash := range old.hashes {
		if hash != 0 {
			slot := t.slot(hash)
			t.hashes[slot], t.facts[slot] = hash, old.facts[i]
		}
	}
}

// clear empties the table and keeps its memory.
func (t *table) clear() {
	clear(t.hashes)
	t.count = 0
}
