package partition

// hashSet is a set of hashes other than 0. The zero value is empty. Their own bits are their slots.
type hashSet struct {
	slots []uint64 // a power of two; 0 is free
	count int
}

const minSlots = 1 << 8

// add adds a hash and reports whether the set had it before.
func (s *hashSet) add(hash uint64) (before bool) {
	if 2*s.count >= len(s.slots) {
		s.grow()
	}
	if before = s.put(hash); !before {
		s.count++
	}
	return before
}

// put starts at the slot of the last bits: the first bits are the same in a
// whole partition.
func (s *hashSet) put(hash uint64) (before bool) {
	mask := uint64(len(s.slots) - 1)
	for i := hash & mask; ; i = (i + 1) & mask {
		switch s.slots[i] {
		case hash:
			return true
		case 0:
			s.slots[i] = hash
			return false
		}
	}
}

func (s *hashSet) grow() {
	old := s.slots
	s.slots = make([]uint64, max(minSlots, 2*len(old)))
	for _, hash := range old {
		if hash != 0 {
			s.put(hash)
		}
	}
}

// clear empties the set and keeps its memory.
func (s *hashSet) clear() {
	clear(s.slots)
	s.count = 0
}
