package lint

import (
	"fmt"
	"runtime"
	"sync"
)

// partitions hold records, all those of one page in the same partition, which is
// told by the first bits of its key: in memory up to a bound and in a temporary
// file beyond. So what stands twice is found without sorting, a partition at a
// time. Blocks may be exchanged by several goroutines.
type partitions struct {
	room   int64 // bytes of records that may be held in memory
	length int   // of a block in records

	mutex sync.Mutex
	held  int64
	slab  []record   // from which blocks are cut
	empty [][]record // blocks whose records were written to the file
	parts [partitionCount]partition
	spill scratchFile
}

const (
	partitionBits  = 8
	partitionCount = 1 << partitionBits
	longestBlock   = 128
	slabBlocks     = 64
	flushSize      = 256 << 10
	readBlock      = 512
)

// A partition is blocks in memory and stretches of the file.
type partition struct {
	blocks [][]record
	spills []stretch
}

type stretch struct {
	at    int64
	count int
}

func (k pageKey) partition() int { return int(k >> (64 - partitionBits)) }

// newPartitions sees that half of the room is enough for the blocks not yet full, of
// which every goroutine has one in each partition.
func newPartitions(room int64) *partitions {
	open := int64(2 * runtime.GOMAXPROCS(0) * partitionCount)
	return &partitions{room: room, length: int(min(max(room/open/recordSize, 4), longestBlock))}
}

// A sheaf is the blocks that one goroutine fills.
type sheaf [partitionCount][]record

// add puts a record into its block.
func (p *partitions) add(s *sheaf, r record) (err error) {
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
	p.keep(i, block)
	if size := int64(slabBlocks*p.length) * recordSize; len(p.empty) == 0 && len(p.slab) == 0 {
		if p.held > 0 && p.held+size > p.room {
			err = p.flush()
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

func (p *partitions) keep(i int, block []record) {
	if len(block) > 0 {
		p.parts[i].blocks = append(p.parts[i].blocks, block)
	}
}

// surrender takes the blocks of a sheaf, full or not.
func (p *partitions) surrender(s *sheaf) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	for i, block := range s {
		p.keep(i, block)
	}
}

// flush writes all blocks to the file, one partition after the other.
func (p *partitions) flush() error {
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
			at, err := p.spill.write(buffer)
			if err != nil {
				return err
			}
			part.spills = append(part.spills, stretch{at, len(buffer) / recordSize})
			buffer = buffer[:0]
		}
		for _, block := range part.blocks {
			p.empty = append(p.empty, block[:0])
		}
		part.blocks = part.blocks[:0]
	}
	return nil
}

// each calls visit with all records of a partition, in any order, once nobody adds
// to it any more.
func (p *partitions) each(i int, visit func([]record)) error {
	part := &p.parts[i]
	for _, block := range part.blocks {
		visit(block)
	}
	if len(part.spills) == 0 {
		return nil
	}
	text, block := make([]byte, readBlock*recordSize), make([]record, 0, readBlock)
	for _, s := range part.spills {
		for s.count > 0 {
			n := min(s.count, readBlock)
			b := text[:n*recordSize]
			if _, err := p.spill.file.ReadAt(b, s.at); err != nil {
				return fmt.Errorf("reading a temporary file: %w", err)
			}
			for block = block[:0]; len(b) > 0; b = b[recordSize:] {
				block = append(block, parseRecord(b))
			}
			visit(block)
			s.at += int64(n) * recordSize
			s.count -= n
		}
	}
	return nil
}
