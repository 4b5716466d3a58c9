package extract

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// digest hashes the words of the main content, block by block. The hash is the same
// in every process and release, since it is stored and compared with later crawls. It
// is not cryptographic.
type digest struct {
	all, main texts
	block     tally
	inMain    bool
	wide      bool // the page has bytes that are not ASCII

	bytes, linkBytes int  // lengths of the block's words, and of those in links
	links            int  // links to other addresses that begin in the block
	link             bool // in a link to another address

	churn    churn
	shingler shingler

	items          blockItems
	run, runBefore []byte // of text in the block
	hasDatetime    bool   // the time element says its date to programs
}

// texts are the blocks of text in a part of the page, and those that are mostly links to other
// URLs.
type texts struct{ blocks, links sum }

// isList reports whether links are most of the text: what a list of pages says is in them.
func (t *texts) isList() bool { return t.links.length() > t.blocks.length() }

// total returns the hash and the number of the words. The links are part of the hash in a list.
func (t *texts) total() (hash uint64, words int) {
	hash = t.blocks.hash
	if t.isList() {
		hash = mix(hash ^ t.links.hash)
	}
	return hash, t.blocks.length() + t.links.length()
}

// sum is the sum of blocks.
type sum struct {
	tally
	half int // half words to add; see halfWords
}

func (s *sum) add(block tally, half int) {
	s.hash = mix(s.hash ^ block.hash)
	s.words += block.words
	s.half += half
}

// length returns the number of words, a Chinese or Japanese character being half a word.
func (s *sum) length() int { return s.words + (s.half+1)/2 }

// tally is a hash of words, and their number.
type tally struct {
	hash  uint64
	words int
}

// fold adds a word of up to seven bytes, packed.
func (t *tally) fold(packed uint64) {
	t.hash = mix(t.hash ^ packed)
	t.words++
}

// foldWord adds a word of any length. The last part of a word that does not fit into
// seven bytes contains its length, so that two words differ from one.
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

// lengthMark is the mark in the last part of a long word: its length modulo 128, and
// a bit that is never set in ASCII.
func lengthMark(length uint) uint64 { return uint64(length|0x80) << 56 }

// pack returns a word of up to eight bytes. Reading eight bytes, beyond the end of the word, and masking them is faster
// than a loop.
func pack(word []byte) uint64 {
	if cap(word) >= 8 {
		return binary.LittleEndian.Uint64(word[:8]) & (1<<(8*len(word)) - 1)
	}
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

// text handles a run of text, split into words at white space and control characters.
// Most words are shorter than 16 bytes, have no digit and are not months; they are
// folded without a loop over their bytes and, when no digit is near, without a look-up
// of months. It works in windows of 64 bytes and first finds the begin and end of all
// words: a search from word to word would depend on the result of the one before.
func (d *digest) text(run []byte) {
	before := d.bytes
	d.runBefore, d.run = d.run, run
	if d.shingler.on {
		d.shingler.text(run)
	}
	if d.wide && mayHaveCJK(run) {
		run = run[d.words(run):]
	}
	for len(run) > 0 {
		if cap(run) < window+16 {
			d.words(run)
			break
		}
		run = run[d.window(run):]
	}
	if d.link {
		d.linkBytes += d.bytes - before
	}
}

// window is the number of bytes that are handled at once.
const window = 64

// window handles the words that end in the first window of run, which must be
// followed by at least 16 bytes, and returns where the rest begins.
func (d *digest) window(run []byte) int {
	page := (*[window + 16]byte)(run[:window+16])
	length := min(window, len(run))
	calendar := allCalendars
	separators, hasDigits := readWindow(page, length)
	starts := ^separators & (separators<<1 | 1)
	ends := separators & (^separators << 1)
	careful := d.churn.waiting || hasDigits || calendar.endsInName(page, starts, ends)
	block, total := d.block, 0 // kept in registers
	for ; ends != 0; ends &= ends - 1 {
		start := bits.TrailingZeros64(starts) & (window - 1)
		size := bits.TrailingZeros64(ends) - start
		starts &= starts - 1
		total += size
		head, tail := packWord(page, start, size)
		if size >= 16 || d.churn.waiting || careful && (hasDigit(head) || hasDigit(tail) || calendar.mayHave(head)) {
			d.block = block
			d.churn.take(run[start:][:size], d)
			block = d.block
			continue
		}
		if size >= 8 {
			block.hash = mix(block.hash ^ head)
			head = tail | lengthMark(uint(size))
		}
		block.fold(head)
	}
	d.block = block
	d.bytes += total
	switch {
	case starts == 0:
		return length
	case starts&1 == 0:
		return bits.TrailingZeros64(starts) // a word continues in the next window
	}
	return d.words(run) // a word is longer than the window
}

// packWord returns the bytes of a word of less than 16; page continues after it.
func packWord(page *[window + 16]byte, start, size int) (head, tail uint64) {
	head = binary.LittleEndian.Uint64(page[start : start+8])
	if size < 8 {
		return head & (1<<(8*uint(size)&63) - 1), 0
	}
	return head, binary.LittleEndian.Uint64(page[start+8:start+16]) & (1<<(8*uint(size-8)&63) - 1)
}

// endsInName reports whether the last word that ends in the window may be the name of
// a month or a weekday, which depends on a number after the window. Other names
// depend on the rest of the window: without a digit there, they are usual words.
func (c *calendar) endsInName(page *[window + 16]byte, starts, ends uint64) bool {
	if ends == 0 {
		return false
	}
	end := bits.Len64(ends) - 1
	start := bits.Len64(starts&(1<<end-1)) - 1
	if end-start >= 16 {
		return true
	}
	head, _ := packWord(page, start&(window-1), end-start)
	return c.mayHave(head)
}

// hasDigit reports whether one of eight bytes is a digit.
func hasDigit(x uint64) bool { return belowTen(x) != 0 }

// belowTen sets the high bit of the first byte of x that is a digit, which differs from the digit 0 by
// less than 10, and of no byte before it. Without a digit it returns 0.
func belowTen(x uint64) uint64 {
	const ones = 0x0101010101010101
	x ^= '0' * ones
	return (x - 10*ones) &^ x & (0x80 * ones)
}

// readWindow returns a bit for each byte of the window that separates words, and for those
// from length on. It reports whether a digit may be in the window: a digit is never missed.
func readWindow(page *[window + 16]byte, length int) (separators uint64, hasDigits bool) {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	var digits uint64
	for i := 0; i < window; i += 8 {
		eight := binary.LittleEndian.Uint64(page[i : i+8])
		above := (eight&^high + (0x7f-' ')*ones) | eight // has the high bit when a byte is above a space
		separators |= (^above & high >> 7) * 0x0102040810204080 >> 56 << i
		digits |= belowTen(eight)
	}
	if length < window {
		separators |= ^uint64(0) << length
	}
	return separators, digits != 0
}

// words handles the words of run one byte at a time, and returns its length.
func (d *digest) words(run []byte) int {
	for i := 0; i < len(run); {
		if run[i] <= ' ' {
			i++
			continue
		}
		start := i
		for i < len(run) && run[i] > ' ' {
			i++
		}
		d.bytes += i - start
		d.churn.take(run[start:i], d)
	}
	return len(run)
}

// beginTime begins a time element with the value of its datetime attribute, which counts instead of its text.
func (d *digest) beginTime(datetime []byte) {
	if d.hasDatetime = len(datetime) > 0; !d.hasDatetime {
		return
	}
	d.churn.end(d, nil)
	day, isDay := readNumericDay(datetime[:min(len(datetime), len("2006-01-02"))])
	if !isDay || !d.addDay(day, datetime) {
		d.items.numbers.foldWord(datetime)
	}
}

// timeText handles the text of a time element. All its words are about numbers.
func (d *digest) timeText(run []byte) {
	if d.hasDatetime {
		return
	}
	d.runBefore, d.run = d.run, run
	for len(run) > 0 {
		var word []byte
		if word, run = cutToken(run); len(word) == 0 {
			break
		}
		core := trimPunctuation(word)
		if slices.ContainsFunc(word, isDigit) || allCalendars.names.find(core) != 0 || afterNumbers.find(core) != 0 {
			d.drop(core)
			continue
		}
		d.settleFigures(word)
		d.items.numbers.foldWord(word)
	}
	d.settleFigures(nil)
}

// minTitleWords is how many words a link has outside a main element that is the title or the
// summary of a page, and not an entry of a menu.
const minTitleWords = 5

// beginLink begins a link, to another address or within the page.
func (d *digest) beginLink(leads bool) {
	if d.link = leads; leads {
		d.links++
	}
}

// endBlock ends a block of text. A block that is mostly links to other URLs is apart: it is
// navigation, such as a list of related pages, unless the page consists of such blocks.
func (d *digest) endBlock() {
	if d.bytes == 0 && d.items.isEmpty() {
		d.links, d.run = 0, nil
		return
	}
	d.churn.end(d, nil)
	isOwn, hasWords := d.linkBytes*2 <= d.bytes, d.block.words > 0
	if d.shingler.on {
		d.shingler.endBlock(isOwn && hasWords, d.inMain)
	}
	into, sums, links := &d.all, &d.items.all, &d.items.allLinks
	if d.inMain {
		into, sums, links = &d.main, &d.items.main, &d.items.mainLinks
	}
	isTitle := d.inMain || 2*d.block.words+d.churn.half >= 2*minTitleWords*max(d.links, 1)
	switch {
	case isOwn && hasWords:
		into.blocks.add(d.block, d.churn.half)
	case !isOwn && hasWords && isTitle:
		into.links.add(d.block, d.churn.half)
	}
	if !isOwn {
		sums = links
	}
	d.items.endBlock(&d.block, sums, isOwn || isTitle)
	d.block, d.bytes, d.linkBytes, d.links, d.churn.half = tally{}, 0, 0, 0, 0
	d.run = nil
}

func (d *digest) enterMain() {
	d.endBlock()
	d.inMain = true
}

func (d *digest) leaveMain() {
	d.endBlock()
	d.inMain = false
}

// sum ends the text. When the main element has text, only that counts.
func (d *digest) sum() (hash uint64, words int) {
	d.endBlock()
	if d.ofMain() {
		return d.main.total()
	}
	return d.all.total()
}

// content sets the sums of the text, which has ended. ownDays returns the dates in it that do not count.
func (d *digest) content(content *Content, ownDays func() *ownDays) {
	if len(d.items.days) > 0 {
		d.items.settle(ownDays())
	}
	if d.ofMain() {
		d.items.main.addTo(content, &d.items.mainLinks, d.main.isList())
		return
	}
	d.items.all.addTo(content, &d.items.allLinks, d.all.isList())
}

// ofMain reports whether only the text of the main element counts.
func (d *digest) ofMain() bool {
	return d.main.blocks.words > 0 || d.main.links.words > d.all.blocks.words
}
