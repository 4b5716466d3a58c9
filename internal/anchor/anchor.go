// Package anchor compares the fragments of links with the ids of pages by hashes, so that a
// crawl keeps four bytes of each id.
package anchor

import (
	"bytes"
	"slices"
)

// HashAll hashes the ids that a fragment can point to, four bytes each. An id with percent signs
// counts as it is and decoded: browsers look for a fragment as written first.
func HashAll(anchors [][]byte) []uint32 {
	if len(anchors) == 0 {
		return nil
	}
	hashes := make([]uint32, 0, len(anchors))
	for _, anchor := range anchors {
		hashes = append(hashes, Hash(anchor))
		if bytes.IndexByte(anchor, '%') >= 0 {
			hashes = append(hashes, Hash(decodeFragment(string(anchor))))
		}
	}
	slices.Sort(hashes)
	return slices.Compact(hashes)
}

// Hash returns the hash of an id: FNV-1a, folded to 32 bits.
func Hash[T string | []byte](anchor T) uint32 { return foldHash(hashText(anchor)) }

// hashText is FNV-1a.
func hashText[T string | []byte](text T) uint64 {
	const offset, prime = 0xcbf29ce484222325, 0x100000001b3
	hash := uint64(offset)
	for i := range len(text) {
		hash = (hash ^ uint64(text[i])) * prime
	}
	return hash
}

func foldHash(hash uint64) uint32 { return uint32(hash>>32) ^ uint32(hash) }
