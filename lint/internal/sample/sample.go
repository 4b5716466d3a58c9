package sample

import (
	"cmp"
	"slices"
)

// sampler chooses pages of every kind: the first of each stratum, then the second
// of each, and so on until there are enough. A hash of the address is the order
// inside a stratum, so the sample is the same in every run, for every order of pages.
type sampler struct {
	size   int
	strata map[uint64][]candidate // by hash
	held   int
	last   *rank // of the sample: higher ranks are not taken; nil before the first cut
}

type candidate struct {
	hash uint64
	file uint32
	page *Listing
}

// rank is the number of a candidate in its stratum, then its hash.
type rank struct {
	number int
	hash   uint64
}

func (r rank) compare(other rank) int {
	return cmp.Or(cmp.Compare(r.number, other.number), cmp.Compare(r.hash, other.hash))
}

func newSampler(size int) *sampler { return &sampler{size: size, strata: map[uint64][]candidate{}} }

// maxListing is how many bytes the listing of a page in the sample may have. An entry may
// have megabytes, and four times the sample is held.
const maxListing = 64 << 10

// offer takes a page if it may belong to the sample. It calls page only then, and leaves
// out pages with a very long listing.
func (s *sampler) offer(stratum, hash uint64, file uint32, page func() *Listing) {
	own := s.strata[stratum]
	at, _ := slices.BinarySearchFunc(own, hash, func(c candidate, hash uint64) int { return cmp.Compare(c.hash, hash) })
	if s.last != nil && s.last.compare(rank{at, hash}) < 0 {
		return
	}
	listing := page()
	if listing.size() > maxListing {
		return
	}
	s.strata[stratum] = slices.Insert(own, at, candidate{hash, file, listing})
	s.held++
	if s.held >= 4*s.size {
		s.cut()
	}
}

// cut keeps the sample of what was offered so far. What it drops cannot come back,
// because later offers only raise its rank.
func (s *sampler) cut() {
	all := make([]rank, 0, s.held)
	for _, own := range s.strata {
		for number, c := range own {
			all = append(all, rank{number, c.hash})
		}
	}
	if len(all) <= s.size {
		return
	}
	slices.SortFunc(all, rank.compare)
	s.last = &all[s.size-1]
	s.held = 0
	for stratum, own := range s.strata {
		n := 0
		for n < len(own) && s.last.compare(rank{n, own[n].hash}) >= 0 {
			n++
		}
		clear(own[n:])
		s.held += n
		if s.strata[stratum] = own[:n]; n == 0 {
			delete(s.strata, stratum)
		}
	}
}

// sample returns the sample by file and position.
func (s *sampler) sample() (chosen []candidate) {
	s.cut()
	for _, own := range s.strata {
		chosen = append(chosen, own...)
	}
	slices.SortFunc(chosen, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.page.At.Offset, b.page.At.Offset))
	})
	return chosen[:min(len(chosen), s.size)]
}
