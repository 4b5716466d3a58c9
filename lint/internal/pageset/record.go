package pageset

import (
	"cmp"
	"encoding/binary"
	"hash/maphash"

	"github.com/mapatools/mapa/internal/partition"
)

// record is what the set keeps of a page, or of a link between two, until all
// files are read: 24 bytes regardless of the length of the address.
type record struct {
	key    key
	origin uint32 // kind in the two highest bits, then the number of the file
	entry  uint32 // number of the entry in the file
	a, b   uint32 // by kind
}

// The kinds, in the order in which the records of a page are sorted.
const (
	pageRecord    = iota << originBits // a: the spelling, 0 for the normal form; b: the metadata
	outRecord                          // a link of the page; a: the other page; b: the language
	inRecord                           // a link to the page from the page at origin; a: that page; b: the language
	crawledRecord                      // a crawl found the page, or a file lists it by another name; a: see notLinked

	originBits = 30
	fileMask   = 1<<originBits - 1
)

func (r *record) kind() uint32 { return r.origin &^ fileMask }
func (r *record) file() uint32 { return r.origin & fileMask }
func (r *record) page() page   { return page{r.file(), r.entry} }

const recordSize = 24

// page is an entry of a file, both by number.
type page struct{ file, entry uint32 }

func comparePages(a, b page) int {
	return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.entry, b.entry))
}

// key is a keyed hash of the normal form of an address, and never 0. The seed is
// new in every run, so that nobody can make two pages collide; by chance two of
// five million pages do in one run of a million.
type key uint64

// short is what a record keeps of the key of another page.
func (k key) short() uint32 { return uint32(k) }

// seed makes the keys of a run.
type seed struct{ seed maphash.Seed }

func newSeed() seed { return seed{maphash.MakeSeed()} }

func (s seed) key(normal []byte) key { return max(1, key(maphash.Bytes(s.seed, normal))) }

// short is a hash that is never 0.
func (s seed) short(text []byte) uint32 { return uint32(maphash.Bytes(s.seed, text)) | 1 }

func compareRecords(a, b record) int {
	return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.origin, b.origin), cmp.Compare(a.entry, b.entry),
		cmp.Compare(a.a, b.a), cmp.Compare(a.b, b.b))
}

var recordCodec = partition.Codec[record]{
	Size:   recordSize,
	Append: func(dst []byte, r *record) []byte { return r.append(dst) },
	Parse:  parseRecord,
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
		key:    key(binary.LittleEndian.Uint64(b)),
		origin: binary.LittleEndian.Uint32(b[8:]),
		entry:  binary.LittleEndian.Uint32(b[12:]),
		a:      binary.LittleEndian.Uint32(b[16:]),
		b:      binary.LittleEndian.Uint32(b[20:]),
	}
}
