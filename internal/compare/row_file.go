package compare

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"iter"

	"github.com/mapatools/mapa/internal/tempfile"
)

// rowBuffer is how many bytes of a rowFile are written at once.
const rowBuffer = 64 << 10

// A rowFile keeps changes in a temporary file. The zero value is empty.
type rowFile struct {
	file   tempfile.File
	buffer []byte
}

// add appends a change, and returns where it is.
func (r *rowFile) add(change *found) (offset int64, err error) {
	text, err := json.Marshal(change)
	if err != nil {
		return 0, err
	}
	offset = r.file.Size() + int64(len(r.buffer))
	r.buffer = binary.LittleEndian.AppendUint32(r.buffer, uint32(len(text)))
	r.buffer = append(r.buffer, text...)
	if len(r.buffer) >= rowBuffer {
		err = r.flush()
	}
	return offset, err
}

func (r *rowFile) flush() error {
	if len(r.buffer) == 0 {
		return nil
	}
	_, err := r.file.Write(r.buffer)
	r.buffer = r.buffer[:0]
	return err
}

// at returns the change at an offset, and the offset of the next.
func (r *rowFile) at(offset int64) (change *found, next int64, err error) {
	if err := r.flush(); err != nil {
		return nil, 0, err
	}
	var length [4]byte
	if _, err := r.file.ReadAt(length[:], offset); err != nil {
		return nil, 0, err
	}
	offset += int64(len(length))
	text := make([]byte, binary.LittleEndian.Uint32(length[:]))
	if _, err := r.file.ReadAt(text, offset); err != nil {
		return nil, 0, err
	}
	change = &found{}
	return change, offset + int64(len(text)), json.Unmarshal(text, change)
}

// all returns the changes in the order in which they were added.
func (r *rowFile) all(ctx context.Context) iter.Seq2[*found, error] {
	return func(yield func(*found, error) bool) {
		err := r.flush()
		var change *found
		for offset := int64(0); err == nil && offset < r.file.Size(); {
			if err = ctx.Err(); err == nil {
				change, offset, err = r.at(offset)
			}
			if err == nil && !yield(change, nil) {
				return
			}
		}
		if err != nil {
			yield(nil, err)
		}
	}
}

func (r *rowFile) close() { r.file.Close() }
