package dedupe

// A table maps the hashes of items to their facts. The zero value is empty.
type table struct {
	buckets []bucket
	count   int
	loaded  uint64 // see load
}

// A bucket holds hashes of one place in a line of the processor's cache. When it is full,
// the next one that has room holds the others.
type bucket struct {
	hashes [bucketSize]uint64
	facts  [bucketSize]Facts
	used   uint32
}

const bucketSize = 5

// A table begins with minBuckets and grows to four times its size. So one of six million
// items is nearly full, and its memory is little more than that of its buckets.
const (
	minBuckets = 1443
	growth     = 4
)

// add adds a key unless the table has its hash: then it returns the facts of that.
func (t *table) add(key Key) (facts Facts, found bool) {
	if 16*t.count >= 13*bucketSize*len(t.buckets) {
		t.grow()
	}
	for at := t.place(key.Hash); ; at = t.next(at) {
		b := &t.buckets[at]
		for i := range b.hashes { // to the end: a branch less that depends on the key
			if b.hashes[i] == key.Hash {
				return b.facts[i], true
			}
		}
		if b.add(key) {
			t.count++
			return 0, false
		}
	}
}

// load reads the buckets of keys into the cache of the processor. No read waits for another.
func (t *table) load(keys []Key) {
	if len(t.buckets) == 0 {
		return
	}
	sum := uint64(0)
	for i := range keys {
		sum += t.buckets[t.place(keys[i].Hash)].hashes[0]
	}
	t.loaded = sum // so that the reads are of use to the compiler
}

// place returns the bucket where a hash belongs. Hashes are random already, and a table of
// any size has them in their order, except that the first bits, which are the same in a whole
// partition, do not count.
func (t *table) place(hash uint64) uint64 {
	return hash & (1<<32 - 1) * uint64(len(t.buckets)) >> 32
}

func (t *table) next(at uint64) uint64 {
	if at++; at < uint64(len(t.buckets)) {
		return at
	}
	return 0
}

// add adds a key if the bucket has room.
func (b *bucket) add(key Key) bool {
	if b.used == bucketSize {
		return false
	}
	b.hashes[b.used], b.facts[b.used] = key.Hash, key.Facts
	b.used++
	return true
}

// all calls f with all keys until it returns an error.
func (t *table) all(f func(Key) error) error {
	for at := range t.buckets {
		b := &t.buckets[at]
		for i := range b.used {
			if err := f(Key{b.hashes[i], b.facts[i]}); err != nil {
				return err
			}
		}
	}
	return nil
}

// grow moves the keys into more buckets, one bucket after the other.
func (t *table) grow() {
	old := table{buckets: t.buckets}
	t.buckets = make([]bucket, max(minBuckets, growth*len(old.buckets)))
	_ = old.all(func(key Key) error {
		for at := t.place(key.Hash); !t.buckets[at].add(key); {
			at = t.next(at)
		}
		return nil
	})
}
