package extract

// names finds a name of a fixed list, without regard to ASCII case, in a few
// nanoseconds. It is a hash table with open addressing; place 0 of the list
// stands for every name that is not on it.
type names struct {
	list  []string
	keys  []uint64
	slots [512]uint8
}

// nameKey packs up to eight lower-case bytes of a name.
func nameKey(name []byte) uint64 {
	var key uint64
	for i := range min(len(name), 8) {
		key |= uint64(lower[name[i]]) << (8 * i)
	}
	return key
}

func nameSlot(key uint64) int { return int(key * 0x9e3779b97f4a7c15 >> 55) }

func newNames(list []string) *names {
	t := &names{list: list, keys: make([]uint64, len(list))}
	for i, name := range list {
		if name == "" {
			continue
		}
		t.keys[i] = nameKey([]byte(name))
		slot := nameSlot(t.keys[i])
		for t.slots[slot] != 0 {
			slot = (slot + 1) % len(t.slots)
		}
		t.slots[slot] = uint8(i)
	}
	return t
}

// find returns the place of name in the list, or 0.
func (t *names) find(name []byte) int {
	if len(name) == 0 {
		return 0
	}
	key := nameKey(name)
	for slot := nameSlot(key); t.slots[slot] != 0; slot = (slot + 1) % len(t.slots) {
		i := t.slots[slot]
		if t.keys[i] == key && len(t.list[i]) == len(name) && (len(name) <= 8 || equalFold(name, t.list[i])) {
			return int(i)
		}
	}
	return 0
}
