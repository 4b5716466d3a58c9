package crawl

import "encoding/binary"

const frontierChunk = 64 << 10

// An item is an address that waits to be fetched.
type item struct {
	id    ID
	from  ID
	depth int
	hops  int
	run   int // pages of the same form in a row that led here
	role  Role
	url   string
	moved bool // to another spelling since it was taken; not kept in a queue
}

func (l *Link) item() item {
	return item{id: l.ID, from: l.From, depth: l.Depth, hops: l.Hops, role: l.Role, url: l.URL}
}

// A frontier is the queue of a crawl, first in first out, so that the crawl goes
// breadth first. It keeps the items as bytes in chunks, without a pointer for
// each. The caller holds the lock.
type frontier struct {
	chunks [][]byte
	read   int // in the first chunk
	count  int
	spare  []byte
}

func (f *frontier) push(i item) {
	last := len(f.chunks) - 1
	if last < 0 || len(f.chunks[last])+len(i.url)+50 > frontierChunk {
		chunk := f.spare
		f.spare = nil
		if cap(chunk) < len(i.url)+50 {
			chunk = make([]byte, 0, max(frontierChunk, len(i.url)+50))
		}
		f.chunks = append(f.chunks, chunk[:0])
		last++
	}
	b := f.chunks[last]
	for _, n := range [...]uint64{uint64(i.id), uint64(i.from), uint64(i.depth), uint64(i.hops), uint64(i.run), uint64(i.role), uint64(len(i.url))} {
		b = binary.AppendUvarint(b, n)
	}
	f.chunks[last] = append(b, i.url...)
	f.count++
}

func (f *frontier) pop() (item, bool) {
	if f.count == 0 {
		return item{}, false
	}
	b := f.chunks[0]
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
		f.read = 0
		if len(f.chunks) == 1 {
			f.chunks[0] = b[:0]
			return i, true
		}
		f.spare = b
		f.chunks[0] = nil
		f.chunks = f.chunks[1:]
	}
	return i, true
}
