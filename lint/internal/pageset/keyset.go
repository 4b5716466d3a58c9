package pageset

// keySet is a set of keys. The zero value is empty. The keys are hashes already,
// so their own bits are their slots.
type keySet struct {
	slots []key // a power of two; 0 is free
	count int
}

const minSlots = 1 << 8

// add adds a key and reports whether the set had it before.
func (s *keySet) add(k key) (before bool) {
	if 2*s.count >= len(s.slots) {
		s.grow()
	}
	if before = s.put(k); !before {
		s.count++
	}
	return before
}

// put starts at the slot of the last bits: the first bits are the same in a
// whole partition.
func (s *keySet) put(k key) (before bool) {
	mask := key(len(s.slots) - 1)
	for i := k & mask; ; i = (i + 1) & mask {
		switch s.slots[i] {
		case k:
			return true
		case 0:
			s.slots[i] = k
			return false
		}
	}
}

func (s *keySet) grow() {
	old := s.slots
	s.slots = make([]key, max(minSlots, 2*len(old)))
	for _, k := range old {
		if k != 0 {
			s.put(k)
		}
	}
}

// clear empties the set and keeps its memory.
func (s *keySet) clear() {
	clear(s.slots)
	s.count = 0
}
