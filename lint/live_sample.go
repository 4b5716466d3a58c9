package lint

import (
	"bytes"
	"cmp"
	"path"
	"slices"
)

// A sampler chooses pages of every kind: the first of each stratum, then the
// second of each, and so on until there are enough. What is first is told by a
// hash of the address, so that the choice is the same in every run, whatever the
// order in which pages come.
type sampler struct {
	size   int
	strata map[uint64][]candidate // by hash
	held   int
	last   *standing // of the sample; what stands behind it is not taken; nil before the first cut
}

type candidate struct {
	hash uint64
	file uint32
	page *listing
}

// A standing is the number of a candidate in its stratum, then its hash.
type standing struct {
	rank int
	hash uint64
}

func (s standing) compare(other standing) int {
	return cmp.Or(cmp.Compare(s.rank, other.rank), cmp.Compare(s.hash, other.hash))
}

func newSampler(size int) *sampler { return &sampler{size: size, strata: map[uint64][]candidate{}} }

// offer takes a page if it may belong to the sample; only then is it made.
func (s *sampler) offer(stratum, hash uint64, file uint32, page func() *listing) {
	own := s.strata[stratum]
	at, _ := slices.BinarySearchFunc(own, hash, func(c candidate, hash uint64) int { return cmp.Compare(c.hash, hash) })
	if s.last != nil && s.last.compare(standing{at, hash}) < 0 {
		return
	}
	s.strata[stratum] = slices.Insert(own, at, candidate{hash, file, page()})
	s.held++
	if s.held >= 4*s.size {
		s.cut()
	}
}

// cut leaves the sample of what was offered so far. What it drops could not come
// back: whatever else is offered, as many stand before it.
func (s *sampler) cut() {
	all := make([]standing, 0, s.held)
	for _, own := range s.strata {
		for rank, c := range own {
			all = append(all, standing{rank, c.hash})
		}
	}
	if len(all) <= s.size {
		return
	}
	slices.SortFunc(all, standing.compare)
	s.last = &all[s.size-1]
	s.held = 0
	for stratum, own := range s.strata {
		n := 0
		for n < len(own) && s.last.compare(standing{n, own[n].hash}) >= 0 {
			n++
		}
		clear(own[n:])
		s.held += n
		if s.strata[stratum] = own[:n]; n == 0 {
			delete(s.strata, stratum)
		}
	}
}

// sample returns the sample by file and place.
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

// stratumOf tells kinds of pages apart: by the file, the host, the first segment
// of a path that has more, the number of segments, the extension, and the names of
// parameters. Digits count alike. With it comes the hash of the page in it.
func stratumOf(file uint32, loc []byte) (stratum, hash uint64) {
	address, query, _ := bytes.Cut(loc, []byte{'?'})
	h := hashOf(offsetBasis, []byte{byte(file), byte(file >> 8), byte(file >> 16), byte(file >> 24)})
	parts := bytes.SplitN(address, []byte{'/'}, 5) // the scheme, nothing, the host, the first segment, the rest
	last := parts[len(parts)-1]
	for _, part := range parts[:len(parts)-1] {
		for _, c := range part {
			if c >= '0' && c <= '9' {
				c = '0'
			}
			h = hashOf(h, []byte{c})
		}
		h = hashOf(h, []byte{'/'})
	}
	h = hashOf(h, []byte{byte(bytes.Count(last, []byte{'/'}))})
	h = hashOf(h, []byte(path.Ext(string(last[bytes.LastIndexByte(last, '/')+1:]))))
	for parameter := range bytes.SplitSeq(query, []byte{'&'}) {
		name, _, _ := bytes.Cut(parameter, []byte{'='})
		h = hashOf(hashOf(h, name), []byte{'&'})
	}
	return h, mixed(hashOf(h, loc))
}

const offsetBasis uint64 = 0xcbf29ce484222325

// hashOf goes on with the FNV-1a hash.
func hashOf(h uint64, text []byte) uint64 {
	for _, c := range text {
		h = (h ^ uint64(c)) * 0x100000001b3
	}
	return h
}

// mixed spreads what the last bytes do over all bits.
func mixed(h uint64) uint64 {
	h = (h ^ h>>33) * 0xff51afd7ed558ccd
	h = (h ^ h>>33) * 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}
