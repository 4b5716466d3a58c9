// Package partition divides records of fixed size by a hash. It holds them in memory
// up to a bound and in a temporary file beyond it. All records of one hash are in the
// same partition, so equal ones are found one partition at a time, without sorting.
package partition

import (
	"runtime"
	"sync"

	"github.com/mapatools/mapa/internal/tempfile"
)

// A Codec says how a record is kept in the file.
type Codec[R any] struct {
	Size   int                           // of every record, in bytes
	Append func(dst []byte, r *R) []byte // appends Size bytes
	Parse  func(text []byte) (record R)  // of Size bytes
}

// Set is records in partitions. Several goroutines may add to it.
type Set[R any] struct {
	codec  Codec[R]
	memory int64 // bytes of records that may be held in memory
	length int   // of a block in records

	mutex sync.Mutex
	held  int64
	slab  []R   // from which blocks are cut
	empty [][]R // blocks whose records were written to the file
	parts [Count]part[R]
	file  tempfile.File
}

const (
	// Bits is the number of the first bits of a hash that select its partition.
	Bits = 8
	// Count is the number of partitions.
	Count = 1 << Bits

	maxBlock   = 128
	slabBlocks = 64
	flushSize  = 256 << 10
	readBlock  = 512
)

// part is the blocks of a partition in memory and its extents of the file.
type part[R any] struct {
	blocks  [][]R
	extents []extent
}

type extent struct {
	offset int64
	count  int // of records
}

// Of returns the partition of a hash, which its first bits select.
func Of(hash uint64) int { return int(hash >> (64 - Bits)) }

// New returns an empty set that holds up to memory bytes of records in memory. Every
// goroutine has a block that is not yet full in each partition; together they need at most
// half of it.
func New[R any](memory int64, codec Codec[R]) *Set[R] {
	open := int64(2 * runtime.GOMAXPROCS(0) * Count)
	length := int(min(max(memory/open/int64(codec.Size), 4), maxBlock))
	return &Set[R]{codec: codec, memory: memory, length: length}
}

// Blocks are what one goroutine fills. The zero value is empty.
type Blocks[R any] [Count][]R

// Add puts the record of a hash into its block. The error is that of the file.
func (p *Set[R]) Add(s *Blocks[R], hash uint64, r R) (err error) {
	i := Of(hash)
	if len(s[i]) == cap(s[i]) {
		s[i], err = p.exchange(i, s[i])
	}
	s[i] = append(s[i], r)
	return err
}

// exchange takes a block of a partition and returns an empty one.
func (p *Set[R]) exchange(i int, block []R) (empty []R, err error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.keepLocked(i, block)
	if size := int64(slabBlocks * p.length * p.codec.Size); len(p.empty) == 0 && len(p.slab) == 0 {
		if p.held > 0 && p.held+size > p.memory {
			err = p.flushLocked()
		}
		if len(p.empty) == 0 {
			p.held += size
			p.slab = make([]R, slabBlocks*p.length)
		}
	}
	if last := len(p.empty) - 1; last >= 0 {
		empty, p.empty = p.empty[last], p.empty[:last]
	} else {
		empty, p.slab = p.slab[:0:p.length], p.slab[p.length:]
	}
	return empty, err
}

func (p *Set[R]) keepLocked(i int, block []R) {
	if len(block) > 0 {
		p.parts[i].blocks = append(p.parts[i].blocks, block)
	}
}

// AddAll takes all blocks, full or not.
func (p *Set[R]) AddAll(s *Blocks[R]) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	for i, block := range s {
		p.keepLocked(i, block)
	}
}

// flushLocked writes all blocks to the file, one partition after the other. The
// caller holds p.mutex.
func (p *Set[R]) flushLocked() error {
	buffer := make([]byte, 0, flushSize)
	for i := range p.parts {
		part := &p.parts[i]
		for n, block := range part.blocks {
			for j := range block {
				buffer = p.codec.Append(buffer, &block[j])
			}
			if last := n == len(part.blocks)-1; !last && len(buffer)+p.length*p.codec.Size <= flushSize {
				continue
			}
			offset := p.file.Size()
			if _, err := p.file.Write(buffer); err != nil {
				return err
			}
			part.extents = append(part.extents, extent{offset, len(buffer) / p.codec.Size})
			buffer = buffer[:0]
		}
		for _, block := range part.blocks {
			p.empty = append(p.empty, block[:0])
		}
		part.blocks = part.blocks[:0]
	}
	return nil
}

// Each calls visit with all records of a partition, in any order. Nobody may add
// to the partition any more.
func (p *Set[R]) Each(i int, visit func([]R)) error {
	part := &p.parts[i]
	for _, block := range part.blocks {
		visit(block)
	}
	if len(part.extents) == 0 {
		return nil
	}
	size := p.codec.Size
	text, block := make([]byte, readBlock*size), make([]R, 0, readBlock)
	for _, e := range part.extents {
		for e.count > 0 {
			n := min(e.count, readBlock)
			b := text[:n*size]
			if _, err := p.file.ReadAt(b, e.offset); err != nil {
				return err
			}
			for block = block[:0]; len(b) > 0; b = b[size:] {
				block = append(block, p.codec.Parse(b[:size]))
			}
			visit(block)
			e.offset += int64(n * size)
			e.count -= n
		}
	}
	return nil
}

// OnDisk returns the number of bytes in the file.
func (p *Set[R]) OnDisk() int64 { return p.file.Size() }

// Close removes the file.
func (p *Set[R]) Close() { p.file.Close() }
