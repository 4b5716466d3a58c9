package sitemaphttp

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/mapatools/mapa/sitemap"
)

// Parts begin where the keys say so, so that a row that is added or removed changes
// one part, and every process finds the same ones. An integer key begins a part where
// its range of PartSize keys begins, a text key where its hash is among the lowest of
// PartSize hashes. As a part gets full, weaker boundaries count: halves, quarters and
// so on of the ranges, and twice, four times as many hashes.

// maxLevel is the weakest boundary, which every key is.
const maxLevel = 63

// levelFor returns the weakest boundary that ends a part that is full by the given
// share: 0 up to half, then one level after the other.
func levelFor(full float64) int {
	if full <= 0.5 {
		return 0
	}
	return min(1+int((full-0.5)*2*maxLevel), maxLevel)
}

// begins reports whether a part may begin at key, which follows last, at a boundary
// of at most the given level. Of text keys, the size is that of a file at most.
func begins(last, key Key, size int64, level int) bool {
	if key.kind == textKey {
		return key.hash()/(math.MaxUint64/uint64(min(size, sitemap.MaxURLs))) < 1<<level
	}
	return startOf(key.number, size, level) != startOf(last.number, size, level)
}

// firstKey returns where a part begins that begins with key: where the range of an
// integer key begins, so that its name survives the row.
func firstKey(key Key, size int64, level int) Key {
	if key.kind == intKey {
		return Int(startOf(key.number, size, level))
	}
	return key
}

// startOf returns the beginning of the range of n, or of its part at the level.
func startOf(n, size int64, level int) int64 {
	offset := n % size
	if offset < 0 {
		offset += size
	}
	cell := multiplyDivide(uint64(offset), 1<<level, uint64(size), 0)
	start := multiplyDivide(cell, uint64(size), 1<<level, 1<<level-1)
	below := uint64(offset) - start
	if room := uint64(n) ^ 1<<63; below > room { // n is that far above the smallest integer
		below = room
	}
	return n - int64(below)
}

// keysLeft returns how many keys of the range of n are not below n.
func keysLeft(n, size int64) int64 { return size - (n - startOf(n, size, 0)) }

// multiplyDivide returns (a*b+c)/d, which must be less than 2^64.
func multiplyDivide(a, b, d, c uint64) uint64 {
	high, low := bits.Mul64(a, b)
	low, carry := bits.Add64(low, c, 0)
	quotient, _ := bits.Div64(high+carry, low, d)
	return quotient
}

// partName returns the file name of a part. Keys of text are hashed, since they may
// be long, secret or not fit for a URL.
func partName(section string, first Key) string {
	switch first.kind {
	case intKey:
		return fmt.Sprintf("sitemap-%s-%d.xml", section, first.number)
	case textKey:
		return fmt.Sprintf("sitemap-%s-%016x.xml", section, first.hash())
	}
	return fmt.Sprintf("sitemap-%s-0.xml", section)
}
