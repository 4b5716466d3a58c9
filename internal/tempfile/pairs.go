package tempfile

import (
	"context"
	"encoding/binary"
	"errors"
)

// Pairs holds pairs of numbers in a temporary file, in as few bytes as the differences of
// pairs that follow each other need. Few pairs need no file. The zero value is empty. It must not be used by two
// goroutines at the same time.
type Pairs struct {
	file     File
	buffer   []byte
	from, to int64 // the last pair
}

// pairsBuffer is the number of bytes that are written and read at once.
const pairsBuffer = 64 << 10

// Add adds a pair. It takes few bytes if it is close to the one before.
func (p *Pairs) Add(from, to int64) error {
	p.buffer = binary.AppendVarint(p.buffer, from-p.from)
	p.buffer = binary.AppendVarint(p.buffer, to-p.to)
	p.from, p.to = from, to
	if len(p.buffer) < pairsBuffer {
		return nil
	}
	return p.flush()
}

func (p *Pairs) flush() error {
	_, err := p.file.Write(p.buffer)
	p.buffer = p.buffer[:0]
	return err
}

var errPairs = errors.New("a temporary file is damaged")

// Each calls do with every pair in the order in which they were added, until it returns an
// error or ctx ends.
func (p *Pairs) Each(ctx context.Context, do func(from, to int64) error) error {
	rest := p.buffer // all pairs, if there is no file
	if p.file.Size() > 0 {
		if err := p.flush(); err != nil {
			return err
		}
		rest = nil
	}
	var from, to int64
	block := make([]byte, pairsBuffer)
	for at := int64(0); at < p.file.Size() || len(rest) > 0; {
		if err := ctx.Err(); err != nil {
			return err
		}
		kept := copy(block, rest) // the beginning of a pair
		fresh := block[kept:min(pairsBuffer, int64(kept)+p.file.Size()-at)]
		if len(fresh) > 0 {
			if _, err := p.file.ReadAt(fresh, at); err != nil {
				return err
			}
		}
		at += int64(len(fresh))
		rest = block[:kept+len(fresh)]
		for len(rest) >= 2*binary.MaxVarintLen64 || len(rest) > 0 && at == p.file.Size() {
			first, n := binary.Varint(rest)
			second, m := binary.Varint(rest[max(n, 0):])
			if n <= 0 || m <= 0 {
				return errPairs
			}
			from, to, rest = from+first, to+second, rest[n+m:]
			if err := do(from, to); err != nil {
				return err
			}
		}
	}
	return nil
}

// Close removes the file.
func (p *Pairs) Close() { p.file.Close() }
