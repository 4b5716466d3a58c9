package lint

import (
	"cmp"
	"encoding/binary"
	"hash/maphash"
)

// A record is what is kept of a page, or of a link between two, until all files
// are read: 24 bytes whatever the length of the address.
type record struct {
	key    pageKey
	origin uint32 // kind in the two highest bits, then the number of the file
	entry  uint32 // number of the entry in the file
	a, b   uint32 // by kind
}

// The kinds, in the order in which the records of a page are sorted.
const (
	pageRecord    = iota << originBits // a: the spelling, 0 for the normal form; b: the metadata
	outRecord                          // a link of the page; a: the other page; b: the language
	inRecord                           // a link to the page from the page at origin; a: that page; b: the language
	crawledRecord                      // a crawl has met the page, or a file lists it by another name; a: which, see notLinked

	originBits = 30
	fileMask   = 1<<originBits - 1
)

func (r *record) kind() uint32 { return r.origin &^ fileMask }
func (r *record) file() uint32 { return r.origin & fileMask }
func (r *record) at() pageAt   { return pageAt{r.file(), r.entry} }

const recordSize = 24

// A pageKey is a keyed hash of the normal form of an address, and never 0. Its key
// is chosen anew in every run, so that nobody can make two pages collide; by
// chance two of five million do in one run of a million.
type pageKey uint64

// short is what a record keeps of the key of another page.
func (k pageKey) short() uint32 { return uint32(k) }

// A hashSeed is the key of a run.
type hashSeed struct{ seed maphash.Seed }

func newHashSeed() hashSeed { return hashSeed{maphash.MakeSeed()} }

func (s hashSeed) key(normal []byte) pageKey { return max(1, pageKey(maphash.Bytes(s.seed, normal))) }

// short is a hash that is never 0.
func (s hashSeed) short(text []byte) uint32 { return uint32(maphash.Bytes(s.seed, text)) | 1 }

func compareRecords(a, b record) int {
	return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.origin, b.origin), cmp.Compare(a.entry, b.entry),
		cmp.Compare(a.a, b.a), cmp.Compare(a.b, b.b))
}

func (r *record) append(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint64(dst, uint64(r.key))
	dst = binary.LittleEndian.AppendUint32(dst, r.origin)
	dst = binary.LittleEndian.AppendUint32(dst, r.entry)
	dst = binary.LittleEndian.AppendUint32(dst, r.a)
	return binary.LittleEndian.AppendUint32(dst, r.b)
}

func parseRecord(b []byte) record {
	b = b[:recordSize]
	return record{
		key:    pageKey(binary.LittleEndian.Uint64(b)),
		origin: binary.LittleEndian.Uint32(b[8:]),
		entry:  binary.LittleEndian.Uint32(b[12:]),
		a:      binary.LittleEndian.Uint32(b[16:]),
		b:      binary.LittleEndian.Uint32(b[20:]),
	}
}
