package crawl

import (
	"encoding/binary"
	"slices"
	"time"
)

const (
	headChunks   = 128 // kept in memory, of the oldest items
	itemOverhead = 60  // most bytes of an item without its URL
)

// item is a URL that waits to be fetched.
type item struct {
	id          ID
	from        ID
	depth       int
	redirects   int // in a row that led to it
	chainLength int // pages of the same path pattern in a row that led to it
	emptyMonths int // months of a calendar in a row that led to it
	role        Role
	isDependent bool // found on a page with a parameter that canonicals drop
	isLeft      bool // an earlier run left it to this one, as it could not be rendered
	isEarlier   bool // only an earlier crawl names it: see askVanished
	url         string
	moved       bool       // url has changed since pop; not kept in a queue
	asked       string     // Link.RequestedURL; not kept in a queue
	isLater     bool       // from state.later; not kept in a queue
	isFirst     bool       // of rankFirst; not kept in a queue
	host        *checkHost // that it was taken from; nil for pages; not kept in a queue

	// Of an item that is requested again; not kept in a queue.
	again   bool
	refused bool      // the response was to come back later
	due     time.Time // not to be requested before
}

func (l *Link) item() item {
	return item{
		id: l.ID, from: l.From, depth: l.Depth, redirects: l.Hops, role: l.Role, url: l.URL,
		isLeft: l.Detail.Code() == DetailRenderFailed, isEarlier: l.OnlyEarlier(),
	}
}

// frontier is the queue of URLs to fetch, first in first out, so that the crawl goes
// breadth first. It keeps the items as bytes in chunks, without a pointer for each:
// the oldest chunks in memory, then those on disk, then the newest in memory. A URL is
// kept without what it shares with the URL before it in the chunk. It is not safe for
// concurrent use.
type frontier struct {
	head   [][]byte
	read   int // offset in the first chunk of head
	disk   diskQueue
	tail   []byte
	count  int
	spare  []byte // a chunk to use again
	pushed string // the last URL in tail
	popped string // the last URL that was read of the first chunk
}

// push appends an item. It fails only where the disk does.
func (f *frontier) push(i item) error {
	if len(f.tail)+len(i.url)+itemOverhead > cap(f.tail) {
		if err := f.endChunk(); err != nil {
			return err
		}
		f.tail, f.spare = f.spare[:0], nil
		if cap(f.tail) < len(i.url)+itemOverhead {
			f.tail = make([]byte, 0, max(queueChunk, len(i.url)+itemOverhead))
		}
		f.pushed = ""
	}
	f.tail = appendItem(f.tail, &i, f.pushed)
	f.pushed = i.url
	f.count++
	return nil
}

// appendItem appends an item as bytes, without what its URL shares with the one before.
func appendItem(b []byte, i *item, before string) []byte {
	shared := sharedPrefix(before, i.url)
	numbers := [...]int{
		int(i.id), int(i.from), i.depth, i.redirects, i.chainLength, i.emptyMonths, i.flags(), shared,
		len(i.url) - shared,
	}
	for _, n := range numbers {
		b = binary.AppendUvarint(b, uint64(n))
	}
	return append(b, i.url[shared:]...)
}

// readItem reads the first item of b, and returns how many bytes it takes there.
func readItem(b []byte, before string) (i item, size int) {
	number := func() int {
		n, length := binary.Uvarint(b[size:])
		size += length
		return int(n)
	}
	i = item{
		id: ID(number()), from: ID(number()), depth: number(), redirects: number(), chainLength: number(),
		emptyMonths: number(),
	}
	flags := number()
	i.role, i.isDependent, i.isLeft, i.isEarlier = Role(flags>>3), flags&1 != 0, flags&2 != 0, flags&4 != 0
	shared, rest := number(), number()
	i.url = before[:shared] + string(b[size:size+rest])
	return i, size + rest
}

// flags returns what a queue keeps in one byte.
func (i *item) flags() int {
	flags := int(i.role) << 3
	if i.isDependent {
		flags |= 1
	}
	if i.isLeft {
		flags |= 2
	}
	if i.isEarlier {
		flags |= 4
	}
	return flags
}

// sharedPrefix returns how many bytes a and b have in common at the beginning.
func sharedPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// endChunk moves the full tail to the end of the older chunks.
func (f *frontier) endChunk() error {
	if len(f.tail) == 0 {
		return nil
	}
	if len(f.head) < headChunks && f.disk.chunks() == 0 {
		f.head, f.tail = append(f.head, f.tail), nil
		return nil
	}
	err := f.disk.push(f.tail)
	f.spare, f.tail = f.tail, nil
	return err
}

// pop removes the oldest item. It reports false if the queue is empty.
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
	i, size := readItem(b[f.read:], f.popped)
	f.popped = i.url
	f.read += size
	f.count--
	if f.read == len(b) {
		f.read, f.spare, f.popped = 0, b, ""
		f.head = slices.Delete(f.head, 0, 1)
	}
	return i, true, nil
}

// refill moves the oldest chunk of the rest to the empty head.
func (f *frontier) refill() error {
	chunk := f.tail
	if f.disk.chunks() > 0 {
		var err error
		if chunk, err = f.disk.pop(f.spare); err != nil {
			return err
		}
		f.spare = nil
	} else {
		f.tail = nil
	}
	f.head = append(f.head[:0], chunk)
	return nil
}
