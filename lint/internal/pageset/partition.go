package pageset

import (
	"runtime"
	"sync"

	"github.com/mapatools/mapa/lint/internal/tempfile"
)

// partitions hold records in memory up to a bound and in a temporary file beyond
// it. The first bits of a key select the partition, so all records of a page are
// in the same one, and duplicates are found one partition at a time, without
// sorting. Several goroutines may exchange blocks.
type partitions struct {
	memory int64 // bytes of records that may be held in memory
	length int   // of a block in records

	mutex sync.Mutex
	held  int64
	slab  []record   // from which blocks are cut
	empty [][]record // blocks whose records were written to the file
	parts [partitionCount]partition
	file  tempfile.File
}

const (
	partitionBits  = 8
	partitionCount = 1 << partitionBits
	maxBlock       = 128
	slabBlocks     = 64
	flushSize      = 256 << 10
	readBlock      = 512
)

// partition is blocks in memory and extents of the file.
type partition struct {
	blocks  [][]record
	extents []extent
}

type extent struct {
	offset int64
	count  int // of records
}

func (k key) partition() int { return int(k >> (64 - partitionBits)) }

// newPartitions makes blocks so small that those not yet full, of which every
// goroutine has one in each partition, need at most half of the memory.
func newPartitions(memory int64) *partitions {
	open := int64(2 * runtime.GOMAXPROCS(0) * partitionCount)
	return &partitions{memory: memory, length: int(min(max(memory/open/recordSize, 4), maxBlock))}
}

// blockSet is the blocks that one goroutine fills.
type blockSet [partitionCount][]record

// add puts a record into its block.
func (p *partitions) add(s *blockSet, r record) (err error) {
	i := r.key.partition()
	if len(s[i]) == cap(s[i]) {
		s[i], err = p.exchange(i, s[i])
	}
	s[i] = append(s[i], r)
	return err
}

// exchange takes a block of a partition and returns an empty one.
func (p *partitions) exchange(i int, block []record) (empty []record, err error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.keepLocked(i, block)
	if size := int64(slabBlocks*p.length) * recordSize; len(p.empty) == 0 && len(p.slab) == 0 {
		if p.held > 0 && p.held+size > p.memory {
			err = p.flushLocked()
		}
		if len(p.empty) == 0 {
			p.held += size
			p.slab = make([]record, slabBlocks*p.length)
		}
	}
	if last := len(p.empty) - 1; last >= 0 {
		empty, p.empty = p.empty[last], p.empty[:last]
	} else {
		empty, p.slab = p.slab[:0:p.length], p.slab[p.length:]
	}
	return empty, err
}

func (p *partitions) keepLocked(i int, block []record) {
	if len(block) > 0 {
		p.parts[i].blocks = append(p.parts[i].blocks, block)
	}
}

// addAll takes all blocks of a set, full or not.
func (p *partitions) addAll(s *blockSet) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	for i, block := range s {
		p.keepLocked(i, block)
	}
}

// flushLocked writes all blocks to the file, one partition after the other. The
// caller holds p.mutex.
func (p *partitions) flushLocked() error {
	buffer := make([]byte, 0, flushSize)
	for i := range p.parts {
		part := &p.parts[i]
		for n, block := range part.blocks {
			for j := range block {
				buffer = block[j].append(buffer)
			}
			if last := n == len(part.blocks)-1; !last && len(buffer)+p.length*recordSize <= flushSize {
				continue
			}
			offset, err := p.file.Write(buffer)
			if err != nil {
				return err
			}
			part.extents = append(part.extents, extent{offset, len(buffer) / recordSize})
			buffer = buffer[:0]
		}
		for _, block := range part.blocks {
			p.empty = append(p.empty, block[:0])
		}
		part.blocks = part.blocks[:0]
	}
	return nil
}

// each calls visit with all records of a partition, in any order. Nobody may add
// to the partition any more.
func (p *partitions) each(i int, visit func([]record)) error {
	part := &p.parts[i]
	for _, block := range part.blocks {
		visit(block)
	}
	if len(part.extents) == 0 {
		return nil
	}
	text, block := make([]byte, readBlock*recordSize), make([]record, 0, readBlock)
	for _, e := range part.extents {
		for e.count > 0 {
			n := min(e.count, readBlock)
			b := text[:n*recordSize]
			if err := p.file.Read(b, e.offset); err != nil {
				return err
			}
			for block = block[:0]; len(b) > 0; b = b[recordSize:] {
				block = append(block, parseRecord(b))
			}
			visit(block)
			e.offset += int64(n) * recordSize
			e.count -= n
		}
	}
	return nil
}
