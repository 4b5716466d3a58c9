package report

import "github.com/mapatools/mapa/crawl"

// bitSet is a set of IDs.
type bitSet []uint64

func (s *bitSet) add(id crawl.ID) {
	for int(id/64) >= len(*s) {
		*s = append(*s, 0)
	}
	(*s)[id/64] |= 1 << (id % 64)
}

func (s bitSet) has(id crawl.ID) bool {
	return int(id/64) < len(s) && s[id/64]&(1<<(id%64)) != 0
}
