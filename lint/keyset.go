package lint

// A keySet is a set of page keys. The zero value is empty. Its keys are hashes
// already, so their own bits say where they stand.
type keySet struct {
	slots []pageKey // a power of two; 0 is free
	count int
}

const leastSlots = 1 << 8

// add reports whether a key was there before.
func (s *keySet) add(key pageKey) (before bool) {
	if 2*s.count >= len(s.slots) {
		s.grow()
	}
	if before = s.put(key); !before {
		s.count++
	}
	return before
}

// put looks for a key where its last bits say: the first are the same in a whole
// partition.
func (s *keySet) put(key pageKey) (before bool) {
	mask := pageKey(len(s.slots) - 1)
	for i := key & mask; ; i = (i + 1) & mask {
		switch s.slots[i] {
		case key:
			return true
		case 0:
			s.slots[i] = key
			return false
		}
	}
}

func (s *keySet) grow() {
	old := s.slots
	s.slots = make([]pageKey, max(leastSlots, 2*len(old)))
	for _, key := range old {
		if key != 0 {
			s.put(key)
		}
	}
}

// clear empties the set and keeps its memory.
func (s *keySet) clear() {
	clear(s.slots)
	s.count = 0
}
