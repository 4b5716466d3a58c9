package compare

import (
	"bufio"
	"container/heap"
	"encoding/binary"
	"fmt"
	"io"
	"iter"
)

const blockSize = 64 << 10

// merge returns the records of sorted runs, and of memory, in order.
func merge(file io.ReaderAt, runs []run, memory []record) iter.Seq2[record, error] {
	return func(yield func(record, error) bool) {
		var all cursors
		for _, r := range runs {
			section := io.NewSectionReader(file, r.from, r.to-r.from)
			all = append(all, &cursor{in: bufio.NewReaderSize(section, blockSize)})
		}
		all = append(all, &cursor{memory: memory})
		var left cursors
		for _, c := range all {
			if c.next() {
				left = append(left, c)
			} else if c.err != io.EOF {
				yield(record{}, fmt.Errorf("sort on disk: %w", c.err))
				return
			}
		}
		heap.Init(&left)
		for len(left) > 0 {
			first := left[0]
			if !yield(first.record, nil) {
				return
			}
			switch {
			case first.next():
				heap.Fix(&left, 0)
			case first.err == io.EOF:
				heap.Pop(&left)
			default:
				yield(record{}, fmt.Errorf("sort on disk: %w", first.err))
				return
			}
		}
	}
}

// cursor holds the next record of a run on disk or in memory.
type cursor struct {
	record
	in     *bufio.Reader
	buffer []byte
	memory []record // if in is nil
	err    error
}

// next reads the next record. On failure err is the reason, io.EOF at the end.
func (c *cursor) next() bool {
	if c.in == nil {
		if len(c.memory) == 0 {
			c.err = io.EOF
			return false
		}
		c.record, c.memory = c.memory[0], c.memory[1:]
		return true
	}
	var address, lastMod int
	c.buffer = c.buffer[:0]
	if address, c.err = c.take(); c.err == nil {
		if lastMod, c.err = c.take(); c.err == io.EOF {
			c.err = io.ErrUnexpectedEOF
		}
	}
	if c.err != nil {
		return false
	}
	c.address, c.lastMod = c.buffer[:address], c.buffer[address:address+lastMod]
	return true
}

// take reads a length and as many bytes into the buffer and returns the length.
func (c *cursor) take() (int, error) {
	length, err := binary.ReadUvarint(c.in)
	if err != nil {
		return 0, err
	}
	from := len(c.buffer)
	c.buffer = append(c.buffer, make([]byte, length)...)
	if _, err := io.ReadFull(c.in, c.buffer[from:]); err != nil {
		return 0, io.ErrUnexpectedEOF
	}
	return int(length), nil
}

// cursors is a heap with the first record on top.
type cursors []*cursor

func (c cursors) Len() int           { return len(c) }
func (c cursors) Less(i, j int) bool { return c[i].compare(c[j].record) < 0 }
func (c cursors) Swap(i, j int)      { c[i], c[j] = c[j], c[i] }
func (c *cursors) Push(x any)        { *c = append(*c, x.(*cursor)) }
func (c *cursors) Pop() any {
	last := (*c)[len(*c)-1]
	*c = (*c)[:len(*c)-1]
	return last
}
