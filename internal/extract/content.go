package extract

// Content are sums over what a page says, by which two crawls of it are compared. Each is the sum
// of the hashes of different items, so that neither order nor repetition counts, and the sums of two
// crawls can be subtracted: equal differences on two pages are the same change. The hashes are the
// same in every process.
type Content struct {
	// Text has the blocks of the main text without what [Page.Digest] ignores, Numbers the
	// numbers, times of the day and dates of each, and Places the numbers with what they are about: the
	// words before them, or the block before. Today has the dates that are left out of Numbers because they are the one of
	// the answer.
	Text, Numbers, Places, Today uint64
	// LinkText has the same of blocks that are mostly links, unless they are most of the page and belong to its text. Of
	// short ones outside a main element it has only the numbers.
	LinkText uint64
	// Data has the values of the page's JSON-LD, and Prices those of them that are prices.
	Data, Prices uint64
}

// maxSumItems is how many items of a page are known to a sum. Further ones count as often as they occur.
const maxSumItems = 1 << 16

// A Sum adds the hashes of items, each item once. The zero value is empty.
type Sum struct {
	Total uint64
	known itemSet
}

// Add adds an item by its hash.
func (s *Sum) Add(hash uint64) {
	if s.known.add(hash) {
		s.Total += hash
	}
}

// Reset empties the sum and keeps its memory, unless a page has made it large.
func (s *Sum) Reset() {
	s.Total = 0
	s.known.reset()
}

// itemSet is a set of hashes: a table with open addressing. The zero value is empty.
type itemSet struct {
	slots []uint64 // a power of two; 0 is a free slot
	used  int
}

const firstItems = 256

func (s *itemSet) reset() {
	if len(s.slots) > 16*firstItems {
		s.slots = nil
	}
	if s.used > 0 {
		clear(s.slots)
		s.used = 0
	}
}

// add reports whether a hash is new, or the set is full.
func (s *itemSet) add(hash uint64) bool {
	if s.used >= maxSumItems {
		return true
	}
	if 2*s.used >= len(s.slots) {
		s.grow()
	}
	slot := s.slot(max(hash, 1))
	if *slot != 0 {
		return false
	}
	*slot = max(hash, 1)
	s.used++
	return true
}

// slot returns the slot of a hash, or the free one where it belongs.
func (s *itemSet) slot(hash uint64) *uint64 {
	for i := hash; ; i++ {
		if slot := &s.slots[i&uint64(len(s.slots)-1)]; *slot == 0 || *slot == hash {
			return slot
		}
	}
}

func (s *itemSet) grow() {
	old := s.slots
	s.slots = make([]uint64, max(firstItems, 2*len(old)))
	for _, hash := range old {
		if hash != 0 {
			*s.slot(hash) = hash
		}
	}
}

// contentSums are the sums over the text of a part of the page.
type contentSums struct{ text, numbers, places, today uint64 }

// blockItems collects the items of the blocks of text.
type blockItems struct {
	known itemSet
	// all, main and the same for blocks of links, as digest has them.
	all, allLinks, main, mainLinks contentSums

	figures figures
	numbers tally  // of the block
	label   uint64 // of the last block with words
	after   uint64 // blocks without words since then
	days    []foundDay
	open    int // index of the first of days in the block
}

// maxDays bounds the dates of a page that are kept. Further ones count as numbers.
const maxDays = 1000

// A foundDay is a date in the text, which counts unless it is the page's own.
type foundDay struct {
	day
	hash uint64
	into *contentSums
}

func (b *blockItems) reset() {
	known, days := b.known, b.days[:0]
	known.reset()
	*b = blockItems{known: known, days: days}
}

// isEmpty reports whether the block has no number yet.
func (b *blockItems) isEmpty() bool { return b.numbers.words == 0 && b.open == len(b.days) }

// context returns what a number in the block is about: the words before it, or the block before it.
func (b *blockItems) context(block *tally) uint64 {
	if block.words > 0 {
		return block.hash
	}
	return mix(b.label + b.after)
}

// endBlock adds the items of a block to a part of the page, those of its text only if hasText says so.
func (b *blockItems) endBlock(block *tally, into *contentSums, hasText bool) {
	for i := range b.days[b.open:] {
		b.days[b.open+i].into = into
	}
	if hasText && block.words > 0 {
		into.text += b.new(mix(block.hash))
	}
	if b.numbers.words > 0 {
		into.numbers += b.new(mix(b.numbers.hash ^ block.hash))
		into.places += b.new(mix(b.numbers.hash ^ mix(b.context(block))))
	}
	b.open = len(b.days)
	b.numbers = tally{}
	b.after++
	if block.words > 0 {
		b.label, b.after = block.hash, 0
	}
}

// new returns the hash of an item, or 0 if the page has had it.
func (b *blockItems) new(hash uint64) uint64 {
	if b.known.add(hash) {
		return hash
	}
	return 0
}

// settle adds the dates that are not those of the page.
func (b *blockItems) settle(own *ownDays) {
	for i := range b.days {
		switch d := &b.days[i]; {
		case own.ofPage(&d.day):
		case own.ofAnswer(&d.day):
			d.into.today += b.new(d.hash)
		default:
			d.into.numbers += b.new(d.hash)
		}
	}
	b.days, b.open = b.days[:0], 0
}

// addTo sets the sums of a part of the page. Those of its links belong to the text where isList says so.
func (s *contentSums) addTo(content *Content, links *contentSums, isList bool) {
	content.Text, content.Numbers, content.Places, content.Today = s.text, s.numbers, s.places, s.today
	if isList {
		content.Text += links.text
		content.Numbers += links.numbers
		content.Places += links.places
		content.Today += links.today
	} else {
		content.LinkText = links.text + links.numbers
	}
}
