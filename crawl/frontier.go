package crawl

import (
	"encoding/binary"
	"slices"
)

const (
	frontierChunk = 64 << 10
	chunksHeld    = 128 // in memory, of the oldest items
	longestHead   = 50  // bytes of an item beside its address
)

// An item is an address that waits to be fetched.
type item struct {
	id    ID
	from  ID
	depth int
	hops  int
	run   int // pages of the same form in a row that led here
	role  Role
	url   string
	moved bool   // to another spelling since it was taken; not kept in a queue
	asked string // Link.Asked; not kept in a queue
}

func (l *Link) item() item {
	return item{id: l.ID, from: l.From, depth: l.Depth, hops: l.Hops, role: l.Role, url: l.URL}
}

// A frontier is the queue of a crawl, first in first out, so that the crawl goes
// breadth first. It keeps the items as bytes in chunks, without a pointer for
// each: the oldest in memory, what does not fit there in a file, and the newest
// in memory again. The caller holds the lock.
type frontier struct {
	head  [][]byte
	read  int // in the first chunk of head
	file  spill
	tail  []byte
	count int
	spare []byte
}

// push adds an item. An error is that of the file.
func (f *frontier) push(i item) error {
	if len(f.tail)+len(i.url)+longestHead > cap(f.tail) {
		if err := f.endChunk(); err != nil {
			return err
		}
		f.tail, f.spare = f.spare[:0], nil
		if cap(f.tail) < len(i.url)+longestHead {
			f.tail = make([]byte, 0, max(frontierChunk, len(i.url)+longestHead))
		}
	}
	b := f.tail
	for _, n := range [...]uint64{uint64(i.id), uint64(i.from), uint64(i.depth), uint64(i.hops), uint64(i.run), uint64(i.role), uint64(len(i.url))} {
		b = binary.AppendUvarint(b, n)
	}
	f.tail = append(b, i.url...)
	f.count++
	return nil
}

// endChunk moves a full tail behind what is older.
func (f *frontier) endChunk() error {
	if len(f.tail) == 0 {
		return nil
	}
	if len(f.head) < chunksHeld && f.file.chunks() == 0 {
		f.head, f.tail = append(f.head, f.tail), nil
		return nil
	}
	err := f.file.put(f.tail)
	f.spare, f.tail = f.tail, nil
	return err
}

// pop takes the oldest item, or reports false where there is none.
func (f *frontier) pop() (item, bool, error) {
	if f.count == 0 {
		return item{}, false, nil
	}
	if len(f.head) == 0 {
		if err := f.refill(); err != nil {
			return item{}, false, err
		}
	}
	b := f.head[0]
	number := func() int {
		n, size := binary.Uvarint(b[f.read:])
		f.read += size
		return int(n)
	}
	i := item{id: ID(number()), from: ID(number()), depth: number(), hops: number(), run: number(), role: Role(number())}
	length := number()
	i.url = string(b[f.read : f.read+length])
	f.read += length
	f.count--
	if f.read == len(b) {
		f.read, f.spare = 0, b
		f.head = slices.Delete(f.head, 0, 1)
	}
	return i, true, nil
}

// refill brings the oldest chunk that is not in head there.
func (f *frontier) refill() error {
	chunk := f.tail
	if f.file.chunks() > 0 {
		var err error
		if chunk, err = f.file.take(f.spare); err != nil {
			return err
		}
		f.spare = nil
	} else {
		f.tail = nil
	}
	f.head = append(f.head[:0], chunk)
	return nil
}
