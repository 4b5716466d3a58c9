package extract

import "math/bits"

// names finds a name in a fixed list, in any ASCII case, in a few nanoseconds. It is
// a hash table with open addressing; index 0 of the list means every other name.
type names struct {
	list  []string
	slots []nameSlot // a power of two
	shift uint8      // of the hash of a name, for its first slot
}

type nameSlot struct {
	key    uint64 // of the name
	length uint16
	place  uint16 // in the list; 0 is a free slot
}

// slotsPerName is how many slots there are for a name at least. Most names of a page are
// in no list, and a free slot says so at once.
const slotsPerName = 5

// nameKey packs up to eight bytes of a name, in lower case.
func nameKey(name []byte) uint64 { return lowerEight(pack(name[:min(len(name), 8)])) }

// lowerEight converts the ASCII capitals among eight bytes to lower case.
func lowerEight(x uint64) uint64 {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	low := x &^ high
	capitals := (low + (0x80-'A')*ones) &^ (low + (0x80-'Z'-1)*ones) &^ x & high
	return x | capitals>>2
}

func (t *names) firstSlot(key uint64) uint { return uint(key * 0x9e3779b97f4a7c15 >> (t.shift & 63)) }

// newNames returns the names of a list. An empty name keeps its place and is never found.
func newNames(list []string) *names {
	log := bits.Len(uint(slotsPerName*len(list) - 1))
	t := &names{list: list, slots: make([]nameSlot, 1<<log), shift: uint8(64 - log)}
	for place, name := range list {
		if name == "" {
			continue
		}
		key := nameKey([]byte(name))
		slot := t.firstSlot(key)
		for t.slots[slot].place != 0 {
			slot = (slot + 1) % uint(len(t.slots))
		}
		t.slots[slot] = nameSlot{key, uint16(len(name)), uint16(place)}
	}
	return t
}

// find returns the index of name in the list, or 0.
func (t *names) find(name []byte) int {
	key := nameKey(name)
	for i := t.firstSlot(key); ; i++ {
		slot := &t.slots[i&uint(len(t.slots)-1)]
		if slot.key == key && int(slot.length) == len(name) && (len(name) <= 8 || equalFold(name, t.list[slot.place])) ||
			slot.place == 0 {
			return int(slot.place)
		}
	}
}
