package extract

import "encoding/binary"

// names finds a name of a fixed list, without regard to ASCII case, in a few
// nanoseconds. It is a hash table with open addressing; place 0 of the list
// stands for every name that is not on it.
type names struct {
	list  []string
	keys  []uint64
	slots [512]uint8
}

// nameKey packs up to eight bytes of a name, in lower case.
func nameKey(name []byte) uint64 {
	if cap(name) < 8 {
		return lowerEight(pack(name))
	}
	// Reading behind the name, where there is more of the page, and masking
	// it is quicker than a loop.
	key := binary.LittleEndian.Uint64(name[:8])
	if len(name) < 8 {
		key &= 1<<(8*len(name)) - 1
	}
	return lowerEight(key)
}

// lowerEight lowers the ASCII capitals among eight bytes.
func lowerEight(x uint64) uint64 {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	low := x &^ high
	capitals := (low + (0x80-'A')*ones) &^ (low + (0x80-'Z'-1)*ones) &^ x & high
	return x | capitals>>2
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
