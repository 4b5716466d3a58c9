package partition

// Repeats finds the records of a set that have the hash of another one, one partition after the other. It holds the
// hashes of a partition, and records only of those that occur twice.
type Repeats[R any] struct {
	// Hash returns the hash of a record, or 0 for one that repeats nothing, and whether it may be the first of its hash.
	Hash func(*R) (hash uint64, isItem bool)
	// Before reports whether a record comes before the one that is the first of its hash so far, which is Last in the
	// beginning.
	Before func(r, first *R) bool
	Last   R

	seen  hashSet
	first map[uint64]R
}

// First returns the first item of a hash that occurs twice in the partition that was read last.
func (f *Repeats[R]) First(hash uint64) (first R, twice bool) {
	first, twice = f.first[hash]
	return first, twice
}

// Each calls visit with every item of a partition whose hash occurs twice, and with the first item of that hash, in any
// order, and in between with the other records of the partition and nil. It reads the partition once where nothing is
// repeated, and two more times otherwise.
func (f *Repeats[R]) Each(s *Set[R], i int, visit func(r, first *R)) error {
	f.seen.clear()
	f.first = map[uint64]R{}
	for _, look := range []func(*R){
		func(r *R) {
			if hash, _ := f.Hash(r); hash != 0 && f.seen.add(hash) {
				f.first[hash] = f.Last
			}
		},
		func(r *R) {
			hash, isItem := f.Hash(r)
			if !isItem {
				return
			}
			if first, twice := f.first[hash]; twice && f.Before(r, &first) {
				f.first[hash] = *r
			}
		},
		func(r *R) {
			hash, isItem := f.Hash(r)
			if !isItem {
				visit(r, nil)
			} else if first, twice := f.first[hash]; twice {
				visit(r, &first)
			}
		},
	} {
		err := s.Each(i, func(block []R) {
			for i := range block {
				look(&block[i])
			}
		})
		if err != nil || len(f.first) == 0 {
			return err
		}
	}
	return nil
}
