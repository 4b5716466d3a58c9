package pageset

import (
	"math/bits"
	"slices"

	"github.com/mapatools/mapa/internal/partition"
)

// links are the links to and from the pages of one partition, a bounded number per
// page.
type links struct {
	records []record
	spare   []record // where they are sorted into
	ends    []int32  // of the buckets that they are sorted by
	limit   int      // that may be held before some are dropped
}

const (
	// maxLinks is how many links of one page and direction are compared with each
	// other. Sites have versions in a few hundred languages and regions at most.
	maxLinks = 1 << 14
	// uncutLinks is how many are held before the links of each page are counted.
	uncutLinks = 1 << 18
)

func (l *links) clear() { l.records, l.limit = l.records[:0], uncutLinks }

func (l *links) add(r *record) {
	if l.records = append(l.records, *r); len(l.records) >= l.limit {
		l.cut()
		l.limit = max(l.limit, 2*len(l.records))
	}
}

// cut puts the links of every page together and keeps the first of each direction.
func (l *links) cut() {
	l.sort()
	kept, last, n := l.records[:0], record{}, 0
	for _, r := range l.records {
		if r.key != last.key || r.kind() != last.kind() {
			n = 0
		}
		if n++; n <= maxLinks {
			kept = append(kept, r)
		}
		last = r
	}
	l.records = kept
}

// sort puts the links of every page together, and in order where there are many.
// Keys are evenly spread, so that few fall into the same bucket.
func (l *links) sort() {
	width := bits.Len(uint(len(l.records)))
	bucket := func(r *record) int { return int(r.key << partition.Bits >> (64 - width)) }
	l.ends = slices.Grow(l.ends[:0], 1<<width)[:1<<width]
	clear(l.ends)
	for i := range l.records {
		l.ends[bucket(&l.records[i])]++
	}
	sum := int32(0)
	for i, n := range l.ends {
		l.ends[i] = sum
		sum += n
	}
	l.spare = slices.Grow(l.spare[:0], len(l.records))[:len(l.records)]
	for i := range l.records {
		end := &l.ends[bucket(&l.records[i])]
		l.spare[*end] = l.records[i]
		*end++
	}
	l.records, l.spare = l.spare, l.records
	start := int32(0)
	for _, end := range l.ends {
		if b := l.records[start:end]; len(b) > maxLinks || !ofOnePage(b) {
			slices.SortFunc(b, compareRecords)
		}
		start = end
	}
}

func ofOnePage(links []record) bool {
	for i := range links {
		if links[i].key != links[0].key {
			return false
		}
	}
	return true
}

// eachPage calls visit with the links of one page after the other.
func (l *links) eachPage(visit func(links []record)) {
	l.cut()
	for rest := l.records; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].key == rest[0].key {
			n++
		}
		visit(rest[:n])
		rest = rest[n:]
	}
}
