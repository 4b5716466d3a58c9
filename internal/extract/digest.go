package extract

import (
	"encoding/binary"
	"math/bits"
)

// digest hashes the words of the main content, block by block. The hash is the
// same in every process and release: it is stored and compared with that of
// later crawls. It withstands chance, not intent.
type digest struct {
	all, main tally
	block     tally
	inMain    bool

	bytes, linkBytes int  // lengths of the block's words, and of those in links
	link             bool // in a link to another address

	churn churn
}

// tally is a hash over words, and their number.
type tally struct {
	hash  uint64
	words int
}

func (t *tally) fold(hash uint64) {
	t.hash = mix(t.hash ^ hash)
	t.words++
}

// mix spreads every bit of x over all of the result.
func mix(x uint64) uint64 {
	high, low := bits.Mul64(x^0x9e3779b97f4a7c15, 0xd6e8feb86659fd93)
	return high ^ low
}

func hashWord(word []byte) uint64 {
	hash := uint64(len(word))
	for len(word) >= 8 {
		hash = mix(hash ^ binary.LittleEndian.Uint64(word))
		word = word[8:]
	}
	var rest uint64
	for i, c := range word {
		rest |= uint64(c) << (8 * i)
	}
	return mix(hash ^ rest)
}

// text takes a run of text: words split at ASCII white space.
func (d *digest) text(run []byte) {
	for i := 0; i < len(run); {
		if isSpace[run[i]] {
			i++
			continue
		}
		start := i
		digits := false
		for i < len(run) && !isSpace[run[i]] {
			digits = digits || isDigit(run[i])
			i++
		}
		word := run[start:i]
		d.bytes += len(word)
		if d.link {
			d.linkBytes += len(word)
		}
		if digits {
			d.churn.number(word, &d.block)
		} else {
			d.churn.word(word, &d.block)
		}
	}
}

// endBlock ends a block of text. One that is mostly links to other addresses is
// navigation, such as a list of related pages, and is dropped.
func (d *digest) endBlock() {
	if d.bytes == 0 {
		return
	}
	d.churn.end(&d.block)
	if d.block.words > 0 && d.linkBytes*2 <= d.bytes {
		into := &d.all
		if d.inMain {
			into = &d.main
		}
		into.hash = mix(into.hash ^ d.block.hash)
		into.words += d.block.words
	}
	d.block, d.bytes, d.linkBytes = tally{}, 0, 0
}

func (d *digest) enterMain() {
	d.endBlock()
	d.inMain = true
}

func (d *digest) leaveMain() {
	d.endBlock()
	d.inMain = false
}

// sum ends the text. The main element counts alone where there is text in it.
func (d *digest) sum() (hash uint64, words int) {
	d.endBlock()
	if d.main.words > 0 {
		return d.main.hash, d.main.words
	}
	return d.all.hash, d.all.words
}
