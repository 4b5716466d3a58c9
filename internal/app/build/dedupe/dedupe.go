// Package dedupe finds items that were seen before, in bounded memory. It remembers a
// hash of each of the first few million, so that usual lists need no disk. The items
// after them go to a temporary file until all are known, and their hashes to partitions,
// which are compared one at a time.
package dedupe

import (
	"hash/maphash"
	"iter"
)

// A Key identifies an item.
type Key struct {
	Hash  uint64 // of what equal items have in common, made by [Hasher.Hash]
	Facts Facts
}

// Facts are short hashes of three values that equal items may differ in. The zero value
// has none of them.
type Facts uint32

// Conflict reports whether two items have different values. A value that only one of
// them has does not conflict.
func (f Facts) Conflict(other Facts) bool {
	for _, mask := range [...]Facts{0xffff0000, 0xff00, 0xff} {
		if x, y := f&mask, other&mask; x != 0 && y != 0 && x != y {
			return true
		}
	}
	return false
}

// A Hasher makes keys. It is new in every run, so that nobody can make two items collide.
type Hasher struct{ seed maphash.Seed }

// NewHasher returns a Hasher.
func NewHasher() Hasher { return Hasher{maphash.MakeSeed()} }

// Hash returns the hash of a text. It is never 0. Two of five million texts have the
// same hash in one run of a million.
func (h Hasher) Hash(text string) uint64 { return max(1, maphash.String(h.seed, text)) }

// FactsOf returns short hashes of three values, the most varied one first. A value of 0 is
// absent.
func FactsOf(first, second, third uint64) Facts {
	return shortHash(first, 16)<<16 | shortHash(second, 8)<<8 | shortHash(third, 8)
}

// shortHash returns a hash of some bits, which is 0 only for the value 0.
func shortHash(value uint64, bits int) Facts {
	if value == 0 {
		return 0
	}
	const odd = 0x9e3779b97f4a7c15 // 2^64 divided by the golden ratio
	return max(1, Facts(value*odd>>(64-bits)))
}

// Options configure [First]. Key, Append and Parse are required.
type Options[T any] struct {
	// Key identifies an item.
	Key func(T) Key
	// Append appends an item to the temporary file, and Parse reads it again. The text
	// is valid until Parse returns.
	Append func(dst []byte, item T) []byte
	Parse  func(text []byte) (T, error)
	// OnRepeat, when set, is called with every item that was seen before. conflict
	// reports whether its facts conflict with those of the first. An error ends the
	// iteration and is yielded.
	OnRepeat func(item T, conflict bool) error
	// Known is how many items are remembered in memory; 0 is 6 million, of some 20 bytes each.
	Known int
	// Batch is how many items in a row are valid at the same time; 0 is 1. They are looked
	// up together, because the processor waits for memory in every single look-up.
	Batch int
}

// First yields the first of equal items, in their order, and the errors among the items.
// An item is valid until the next one.
func First[T any](items iter.Seq2[T, error], options *Options[T]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		f := &filter[T]{Options: options, yield: yield, limit: options.Known}
		if f.limit == 0 {
			f.limit = 6_000_000
		}
		defer f.close()
		for item, err := range items {
			if err != nil {
				if !f.addBatch() || !yield(item, err) {
					return
				}
				continue
			}
			f.batch, f.keys = append(f.batch, item), append(f.keys, f.Key(item))
			if len(f.batch) >= f.Batch && !f.addBatch() {
				return
			}
		}
		if f.addBatch() {
			f.finish()
		}
	}
}

// A filter is the state of one iteration.
type filter[T any] struct {
	*Options[T]
	yield func(T, error) bool
	limit int
	batch []T
	keys  []Key  // of batch
	known table  // of the items that were yielded at once
	later *later // nil while all items fit into known
	item  []byte
}

// addBatch handles the items of the batch. It reports false when the iteration has ended.
func (f *filter[T]) addBatch() bool {
	f.known.load(f.keys)
	for i, item := range f.batch {
		if !f.add(f.keys[i], item) {
			return false
		}
	}
	f.batch, f.keys = f.batch[:0], f.keys[:0]
	return true
}

// add handles the next item. It reports false when the iteration has ended.
func (f *filter[T]) add(key Key, item T) bool {
	if f.later != nil {
		return f.keep(key, item)
	}
	if f.known.count == f.limit {
		var err error
		if f.later, err = newLater(&f.known); err != nil {
			return f.fail(err)
		}
		return f.keep(key, item)
	}
	if facts, found := f.known.add(key); found {
		return f.repeated(item, facts.Conflict(key.Facts))
	}
	return f.yield(item, nil)
}

// keep stores an item until all are known.
func (f *filter[T]) keep(key Key, item T) bool {
	f.item = f.Append(f.item[:0], item)
	if err := f.later.add(key, f.item); err != nil {
		return f.fail(err)
	}
	return true
}

// repeated reports an item that was seen before.
func (f *filter[T]) repeated(item T, conflict bool) bool {
	if f.OnRepeat == nil {
		return true
	}
	if err := f.OnRepeat(item, conflict); err != nil {
		return f.fail(err)
	}
	return true
}

func (f *filter[T]) fail(err error) bool {
	var none T
	f.yield(none, err)
	return false
}

// finish yields the stored items.
func (f *filter[T]) finish() {
	if f.later == nil {
		return
	}
	if err := f.later.compare(); err != nil {
		f.fail(err)
		return
	}
	for stored, err := range f.later.items() {
		if err != nil {
			f.fail(err)
			return
		}
		item, err := f.Parse(stored.text)
		switch {
		case err != nil:
			f.fail(err)
			return
		case stored.repeated:
			if !f.repeated(item, stored.conflict) {
				return
			}
		case !f.yield(item, nil):
			return
		}
	}
}

func (f *filter[T]) close() {
	if f.later != nil {
		f.later.close()
	}
}
