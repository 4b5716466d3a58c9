// Package bitset holds sets of small numbers, one bit each.
package bitset

// A Set is a set of numbers from 0. It takes an eighth of a byte for each number up to the
// largest one. The zero value is empty.
type Set[N ~int64 | ~uint64] []uint64

// New returns an empty set with the memory for numbers below size.
func New[N ~int64 | ~uint64](size N) Set[N] { return make(Set[N], 0, (size+63)/64) }

// Add adds a number.
func (s *Set[N]) Add(n N) {
	for int(n/64) >= len(*s) {
		*s = append(*s, 0)
	}
	(*s)[n/64] |= 1 << (n % 64)
}

// Remove removes a number, which need not be in the set.
func (s Set[N]) Remove(n N) {
	if s.Has(n) {
		s[n/64] &^= 1 << (n % 64)
	}
}

// Has reports whether a number is in the set.
func (s Set[N]) Has(n N) bool { return int(n/64) < len(s) && s[n/64]&(1<<(n%64)) != 0 }
