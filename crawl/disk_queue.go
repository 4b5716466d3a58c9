package crawl

import (
	"errors"
	"fmt"
	"os"
)

// queueChunk is the usual size of a chunk, in bytes.
const queueChunk = 64 << 10

// diskQueue is a queue of chunks in a temporary file, which is created when it is
// first needed. The zero value is empty.
type diskQueue struct {
	folder  string // of the file; empty means the system's
	file    *os.File
	lengths []int32 // of the chunks in the file, oldest first
	from    int64   // offset of the oldest chunk
	to      int64   // offset of the next chunk
}

func (q *diskQueue) chunks() int { return len(q.lengths) }

// push appends a chunk.
func (q *diskQueue) push(chunk []byte) error {
	if q.file == nil {
		file, err := os.CreateTemp(q.folder, ".frontier-*")
		if err != nil {
			return fmt.Errorf("creating a file for the queue of URLs: %w", err)
		}
		q.file = file
		_ = os.Remove(file.Name()) // where the system can remove an open file, a kill leaves nothing
	}
	if _, err := q.file.WriteAt(chunk, q.to); err != nil {
		return fmt.Errorf("writing the queue of URLs: %w", err)
	}
	q.to += int64(len(chunk))
	q.lengths = append(q.lengths, int32(len(chunk)))
	return nil
}

// pop removes the oldest chunk. It uses buffer if that is large enough.
func (q *diskQueue) pop(buffer []byte) ([]byte, error) {
	length := int(q.lengths[0])
	if cap(buffer) < length {
		buffer = make([]byte, max(length, queueChunk))
	}
	chunk := buffer[:length]
	if _, err := q.file.ReadAt(chunk, q.from); err != nil {
		return nil, fmt.Errorf("reading the queue of URLs: %w", err)
	}
	q.from += int64(length)
	if q.lengths = q.lengths[1:]; len(q.lengths) == 0 {
		q.lengths, q.from, q.to = nil, 0, 0
	}
	return chunk, nil
}

// close closes and removes the file.
func (q *diskQueue) close() error {
	if q.file == nil {
		return nil
	}
	err := q.file.Close()
	if removed := os.Remove(q.file.Name()); removed != nil && !errors.Is(removed, os.ErrNotExist) {
		err = errors.Join(err, removed)
	}
	return err
}
