package result

import (
	"context"
	"database/sql"
	"encoding/binary"
	"iter"

	"github.com/mapatools/mapa/internal/sqlite"
)

// pair is two numbers of a kind.
type pair struct{ kind, key, value int64 }

// The kinds of pairs.
const (
	inLinks   = iota // a page and one that links to it
	rulePages        // the number of a rule and a page on which it found something
)

// pairsInBlock is the number of pairs in a block.
const pairsInBlock = 4096

// pairWriter writes pairs, which are added in ascending order.
type pairWriter struct {
	write func(first pair, pairs []byte) error // writes a block
	first pair
	last  pair
	count int
	block []byte
}

// add adds a pair. In a block it is the differences to the pair before: of the kind, then
// of the key if the kind is the same, then of the value if the key is the same too.
func (w *pairWriter) add(p pair) error {
	if w.count == pairsInBlock {
		if err := w.flush(); err != nil {
			return err
		}
	}
	if w.count == 0 {
		w.first, w.last = p, pair{kind: p.kind} // the reader knows the kind of the block
	}
	step := p.kind - w.last.kind
	w.block = binary.AppendUvarint(w.block, uint64(step))
	if step > 0 {
		w.last = pair{kind: p.kind}
	}
	step = p.key - w.last.key
	w.block = binary.AppendUvarint(w.block, uint64(step))
	if step > 0 {
		w.last.value = 0
	}
	w.block = binary.AppendUvarint(w.block, uint64(p.value-w.last.value))
	w.last = p
	w.count++
	return nil
}

// flush writes the block.
func (w *pairWriter) flush() error {
	if w.count == 0 {
		return nil
	}
	err := w.write(w.first, w.block)
	w.block, w.count = w.block[:0], 0
	return err
}

// pairReader reads the pairs of a block.
type pairReader struct {
	block []byte
	last  pair
	err   error
}

func (r *pairReader) next() (pair, bool) {
	if len(r.block) == 0 || r.err != nil {
		return pair{}, false
	}
	if step := r.uvarint(); step > 0 {
		r.last = pair{kind: r.last.kind + step}
	}
	if step := r.uvarint(); step > 0 {
		r.last.key, r.last.value = r.last.key+step, 0
	}
	r.last.value += r.uvarint()
	return r.last, r.err == nil
}

func (r *pairReader) uvarint() int64 {
	n, size := binary.Uvarint(r.block)
	if size <= 0 {
		r.err = sqlite.ErrDamaged
		return 0
	}
	r.block = r.block[size:]
	return int64(n)
}

const selectPairs = `select kind, pairs from pair_block where id >= coalesce((select id from pair_block
where (kind, key, value) <= (?1, ?2, ?3) order by kind desc, key desc, value desc limit 1), 0) order by id`

// values returns the values of the pairs with a key that are greater than after, in
// ascending order.
func (r *Result) values(ctx context.Context, kind, key, after int64) iter.Seq2[int64, error] {
	return func(yield func(int64, error) bool) {
		rows, err := r.index.QueryContext(ctx, selectPairs, kind, key, after)
		if err != nil {
			yield(0, err)
			return
		}
		defer rows.Close()
		for rows.Next() {
			var block sql.RawBytes
			reader := pairReader{}
			if err := rows.Scan(&reader.last.kind, &block); err != nil {
				yield(0, err)
				return
			}
			reader.block = block
			for p, ok := reader.next(); ok; p, ok = reader.next() {
				switch {
				case p.kind > kind || p.kind == kind && p.key > key:
					return
				case p.kind == kind && p.key == key && p.value > after && !yield(p.value, nil):
					return
				}
			}
			if reader.err != nil {
				yield(0, reader.err)
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(0, err)
		}
	}
}
