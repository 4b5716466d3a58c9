package dedupe

import (
	"encoding/binary"
	"fmt"
	"iter"
	"math"

	"github.com/klauspost/compress/s2"
	"github.com/mapatools/mapa/internal/bitset"
	"github.com/mapatools/mapa/internal/partition"
	"github.com/mapatools/mapa/internal/tempfile"
)

const (
	recordMemory = 32 << 20 // bytes of records in memory
	blockSize    = 1 << 20  // bytes of items that are compressed together
)

// A record is what is kept of an item to compare it with all others.
type record struct {
	hash   uint64
	number uint64 // of the item, from 1; 0 for the items that were yielded at once
	facts  Facts
}

var recordCodec = partition.Codec[record]{
	Size: 20,
	Append: func(dst []byte, r *record) []byte {
		dst = binary.LittleEndian.AppendUint64(dst, r.hash)
		dst = binary.LittleEndian.AppendUint64(dst, r.number)
		return binary.LittleEndian.AppendUint32(dst, uint32(r.facts))
	},
	Parse: func(text []byte) record {
		return record{
			binary.LittleEndian.Uint64(text), binary.LittleEndian.Uint64(text[8:]),
			Facts(binary.LittleEndian.Uint32(text[16:])),
		}
	},
}

// later holds items on disk until it is known which of them are repeated.
type later struct {
	records *partition.Set[record]
	filling partition.Blocks[record]
	file    tempfile.File
	block   []byte // of items, not compressed yet
	packed  []byte
	lengths []int // of the blocks in the file
	count   uint64

	repeated, conflict bitset.Set[uint64] // by number
}

// newLater takes the hashes of the items that were yielded at once, and empties their
// table.
func newLater(known *table) (*later, error) {
	l := &later{records: partition.New(recordMemory, recordCodec)}
	err := known.all(func(key Key) error {
		return l.records.Add(&l.filling, key.Hash, record{hash: key.Hash, facts: key.Facts})
	})
	if err != nil {
		l.close()
		return nil, err
	}
	*known = table{}
	return l, nil
}

func (l *later) add(key Key, item []byte) error {
	l.count++
	l.block = binary.AppendUvarint(l.block, uint64(len(item)))
	l.block = append(l.block, item...)
	if len(l.block) >= blockSize {
		if err := l.flush(); err != nil {
			return err
		}
	}
	return l.records.Add(&l.filling, key.Hash, record{key.Hash, l.count, key.Facts})
}

// flush writes the items of a block.
func (l *later) flush() error {
	l.packed = s2.Encode(l.packed[:cap(l.packed)], l.block)
	l.block = l.block[:0]
	l.lengths = append(l.lengths, len(l.packed))
	_, err := l.file.Write(l.packed)
	return err
}

// compare finds the repeated items.
func (l *later) compare() error {
	l.records.AddAll(&l.filling)
	l.filling = partition.Blocks[record]{}
	l.repeated, l.conflict = bitset.New(l.count+1), bitset.New(l.count+1)
	repeats := partition.Repeats[record]{
		Hash:   func(r *record) (uint64, bool) { return r.hash, true },
		Before: func(r, first *record) bool { return r.number < first.number },
		Last:   record{number: math.MaxUint64},
	}
	for i := range partition.Count {
		err := repeats.Each(l.records, i, func(r, first *record) {
			if r.number == first.number {
				return
			}
			l.repeated.Add(r.number)
			if r.facts.Conflict(first.facts) {
				l.conflict.Add(r.number)
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// A storedItem is an item of the file. Its text is valid until the next one.
type storedItem struct {
	text               []byte
	repeated, conflict bool
}

// items yields all items in their order.
func (l *later) items() iter.Seq2[storedItem, error] {
	return func(yield func(storedItem, error) bool) {
		offset, number := int64(0), uint64(0)
		last := l.block
		l.block = nil
		var text []byte
		for i := 0; i <= len(l.lengths); i++ {
			block := last
			if i < len(l.lengths) {
				var err error
				if text, err = l.read(text, offset, l.lengths[i]); err != nil {
					yield(storedItem{}, err)
					return
				}
				offset += int64(l.lengths[i])
				block = text
			}
			for len(block) > 0 {
				length, n := binary.Uvarint(block)
				item := block[n : n+int(length)]
				block = block[n+int(length):]
				number++
				if !yield(storedItem{item, l.repeated.Has(number), l.conflict.Has(number)}, nil) {
					return
				}
			}
		}
	}
}

// read returns a block of the file.
func (l *later) read(dst []byte, offset int64, length int) ([]byte, error) {
	if cap(l.packed) < length {
		l.packed = make([]byte, length)
	}
	packed := l.packed[:length]
	if _, err := l.file.ReadAt(packed, offset); err != nil {
		return nil, err
	}
	text, err := s2.Decode(dst[:cap(dst)], packed)
	if err != nil {
		return nil, fmt.Errorf("reading a temporary file: %w", err)
	}
	return text, nil
}

func (l *later) close() {
	l.records.Close()
	l.file.Close()
}
