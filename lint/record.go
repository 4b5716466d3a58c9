package lint

import (
	"cmp"
	"encoding/binary"
	"hash/maphash"
	"slices"
)

// A record is what is kept of a page, or of a link between two, until all files
// are read: 32 bytes whatever the length of the address.
type record struct {
	key    pageKey
	origin uint32 // kind in the two highest bits, then the number of the file
	entry  uint32 // number of the entry in the file
	a, b   uint32 // by kind
}

// Of one page, records are sorted by kind first.
const (
	pageRecord    = iota << originBits // a: the spelling, 0 for the normal form; b: the metadata
	outRecord                          // a link of the page; a: the other page; b: the language
	inRecord                           // a link to the page from the page at origin; a: that page; b: the language
	crawledRecord                      // a crawl has met the page; a: whether links lead there

	originBits = 30
	fileMask   = 1<<originBits - 1
)

func (r *record) kind() uint32 { return r.origin &^ fileMask }
func (r *record) file() uint32 { return r.origin & fileMask }

const recordSize = 32

// A pageKey is a keyed hash of the normal form of an address. Its key is chosen
// anew in every run, so that nobody can make two pages collide.
type pageKey [2]uint64

// hashSeeds are the keys of a run.
type hashSeeds [2]maphash.Seed

func newHashSeeds() hashSeeds { return hashSeeds{maphash.MakeSeed(), maphash.MakeSeed()} }

func (s *hashSeeds) key(normal []byte) pageKey {
	return pageKey{maphash.Bytes(s[0], normal), maphash.Bytes(s[1], normal)}
}

// short is a hash that is never 0.
func (s *hashSeeds) short(text []byte) uint32 { return uint32(maphash.Bytes(s[1], text)) | 1 }

func compareRecords(a, b record) int {
	if a.key[0] != b.key[0] {
		return cmp.Compare(a.key[0], b.key[0])
	}
	return cmp.Or(cmp.Compare(a.key[1], b.key[1]), cmp.Compare(a.origin, b.origin), cmp.Compare(a.entry, b.entry),
		cmp.Compare(a.a, b.a), cmp.Compare(a.b, b.b))
}

// sortRecords sorts into a slice of the same length. Keys are evenly spread, so
// that nearly every record falls into a bucket of its own.
func sortRecords(into, from []record) {
	bits := 4
	for bits < 16 && 1<<bits < len(from) {
		bits++
	}
	shift := 64 - bits
	ends := make([]int32, 1<<bits)
	for i := range from {
		ends[from[i].key[0]>>shift]++
	}
	sum := int32(0)
	for i, n := range ends {
		ends[i] = sum
		sum += n
	}
	for i := range from {
		bucket := &ends[from[i].key[0]>>shift]
		into[*bucket] = from[i]
		*bucket++
	}
	start := int32(0)
	for _, end := range ends {
		sortBucket(into[start:end])
		start = end
	}
}

func sortBucket(b []record) {
	switch {
	case len(b) < 2:
	case len(b) == 2:
		if compareRecords(b[0], b[1]) > 0 {
			b[0], b[1] = b[1], b[0]
		}
	default:
		slices.SortFunc(b, compareRecords)
	}
}

func (r *record) append(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint64(dst, r.key[0])
	dst = binary.LittleEndian.AppendUint64(dst, r.key[1])
	dst = binary.LittleEndian.AppendUint32(dst, r.origin)
	dst = binary.LittleEndian.AppendUint32(dst, r.entry)
	dst = binary.LittleEndian.AppendUint32(dst, r.a)
	return binary.LittleEndian.AppendUint32(dst, r.b)
}

func parseRecord(b []byte) record {
	b = b[:recordSize]
	return record{
		key:    pageKey{binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])},
		origin: binary.LittleEndian.Uint32(b[16:]),
		entry:  binary.LittleEndian.Uint32(b[20:]),
		a:      binary.LittleEndian.Uint32(b[24:]),
		b:      binary.LittleEndian.Uint32(b[28:]),
	}
}
