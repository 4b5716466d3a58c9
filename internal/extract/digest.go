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

// fold adds a word of up to seven bytes, packed.
func (t *tally) fold(packed uint64) {
	t.hash = mix(t.hash ^ packed)
	t.words++
}

// foldWord adds a word of any length. The last part of one that does not fit
// into seven bytes carries its length, so that no two words look like one.
func (t *tally) foldWord(word []byte) {
	length := len(word)
	for len(word) >= 8 {
		t.hash = mix(t.hash ^ binary.LittleEndian.Uint64(word))
		word = word[8:]
	}
	packed := pack(word)
	if length >= 8 {
		packed |= lengthMark(uint(length))
	}
	t.fold(packed)
}

// lengthMark is what the last part of a long word carries: its length modulo
// 128, and a bit that is never set in ASCII.
func lengthMark(length uint) uint64 { return uint64(length|0x80) << 56 }

func pack(word []byte) uint64 {
	var packed uint64
	for i, c := range word {
		packed |= uint64(c) << (8 * i)
	}
	return packed
}

// mix spreads every bit of x over all of the result.
func mix(x uint64) uint64 {
	high, low := bits.Mul64(x^0x9e3779b97f4a7c15, 0xd6e8feb86659fd93)
	return high ^ low
}

// text takes a run of text: words split at white space and control characters.
// Most words have less than sixteen bytes, no digits, and are no month: those are
// found and folded eight bytes at a time, without a branch for every byte.
func (d *digest) text(run []byte) {
	before := d.bytes
	block := d.block
	page := run[:cap(run)] // what follows the run is read, and masked
	i := 0
	for i < len(run) && i+16 <= len(page) {
		head := binary.LittleEndian.Uint64(page[i:])
		left := uint(len(run)-i) * 8
		length := min(wordBits(head), left)
		if length == 0 {
			i++
			continue
		}
		var tail uint64
		if length < 64 {
			head &= 1<<length - 1
		} else {
			tail = binary.LittleEndian.Uint64(page[i+8:])
			length = min(64+wordBits(tail), left)
			tail &= 1<<(length-64) - 1
		}
		if length == 128 || hasDigit(head) || tail != 0 && hasDigit(tail) || mayBeCalendar(head) || d.churn.waiting {
			d.block = block
			i = d.wordAt(run, i)
			block = d.block
			continue
		}
		length /= 8
		if length >= 8 {
			block.hash = mix(block.hash ^ head)
			head = tail | lengthMark(length)
		}
		block.fold(head)
		d.bytes += int(length)
		i += int(length) + 1
	}
	d.block = block
	for i < len(run) {
		if run[i] <= ' ' {
			i++
			continue
		}
		i = d.wordAt(run, i)
	}
	if d.link {
		d.linkBytes += d.bytes - before
	}
}

// wordBits returns how many bits of x, a multiple of eight, precede its first
// byte that ends a word.
func wordBits(x uint64) uint {
	return uint(bits.TrailingZeros64(below(x, ' '+1))) &^ 7
}

// hasDigit tells whether one of eight bytes is a digit: those differ from the
// digit 0 by less than 10.
func hasDigit(x uint64) bool { return below(x^0x3030303030303030, 10) != 0 }

// below sets the high bit of the first byte of x that is less than n, and of no
// byte before it; the result is 0 where there is none.
func below(x uint64, n uint64) uint64 {
	const ones = 0x0101010101010101
	return (x - n*ones) &^ x & (0x80 * ones)
}

// wordAt takes the word that begins at i and returns the place behind it.
func (d *digest) wordAt(run []byte, i int) int {
	start, digits := i, false
	for i < len(run) && run[i] > ' ' {
		digits = digits || isDigit(run[i])
		i++
	}
	word := run[start:i]
	d.bytes += len(word)
	if digits {
		d.churn.digits(word, &d.block)
	} else {
		d.churn.word(word, &d.block)
	}
	return i
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
