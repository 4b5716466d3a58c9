package crawl

import (
	"encoding/binary"
	"math/bits"
)

// hashBody hashes a body. The hash is the same in every process, so that pages of an
// interrupted crawl can be compared with later ones. It is not a cryptographic hash: a
// site could only make its own pages collide. The hash of an empty body is 0.
func hashBody(body []byte) uint64 {
	if len(body) == 0 {
		return 0
	}
	hash := uint64(len(body)) * 0x9e3779b97f4a7c15
	if len(body) >= 64 {
		lanes := [4]uint64{hash, hash + 1, hash + 2, hash + 3} // independent, so that they run in parallel
		for ; len(body) >= 64; body = body[64:] {
			for i := range lanes {
				lanes[i] = fold(lanes[i]^binary.LittleEndian.Uint64(body[16*i:]), binary.LittleEndian.Uint64(body[16*i+8:]))
			}
		}
		hash = fold(fold(lanes[0], lanes[1]), fold(lanes[2], lanes[3]))
	}
	for ; len(body) >= 16; body = body[16:] {
		hash = fold(hash^binary.LittleEndian.Uint64(body), binary.LittleEndian.Uint64(body[8:]))
	}
	var rest [16]byte
	copy(rest[:], body)
	return fold(hash^binary.LittleEndian.Uint64(rest[:]), binary.LittleEndian.Uint64(rest[8:])) | 1
}

func fold(a, b uint64) uint64 {
	high, low := bits.Mul64(a^0x9e3779b97f4a7c15, b^0xd6e8feb86659fd93)
	return high ^ low
}
