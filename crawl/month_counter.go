package crawl

import (
	"encoding/binary"
	"hash/maphash"
	"slices"
)

const (
	maxMonthLinks = 100_000
	maxMonthTexts = 100_000
	maxMonthPages = 2000 // that wait for one that is equal
)

// monthCounter recognizes the empty months of a calendar. The pages of a calendar are
// those whose URLs have a date and differ in nothing else. A month is empty if all that
// its page links to, apart from calendars, is what another page of the calendar links to.
// It is not listed if that page also has the same images and main text, numbers aside.
// Its memory is bounded, and a run that continues a crawl begins to count again. It is not
// safe for concurrent use.
type monthCounter struct {
	bound int // trapOff means that nothing is counted
	seed  maphash.Seed
	links map[uint64]bool  // what the pages of a calendar link to
	texts map[uint64]*Page // by links and text, the page that is listed until there is another one, then nil
	pages int              // in texts
}

// calendarMonth is the month of a page.
type calendarMonth struct {
	number   int // of monthOf; 0 for a page of no month
	isEmpty  bool
	emptyRun int // months in a row that led to it
}

func newMonthCounter(bound int) *monthCounter {
	return &monthCounter{bound: bound, seed: maphash.MakeSeed(), links: map[uint64]bool{}, texts: map[uint64]*Page{}}
}

// monthsTo returns how many months in a row link to nothing but calendars when a page
// links to another month. Only the step from an empty month counts as long as it is.
func (m calendarMonth) monthsTo(address []byte) int {
	if m.number == 0 {
		return 0
	}
	number := monthOf(address)
	if number == 0 {
		return 0
	}
	step := max(number-m.number, m.number-number)
	if !m.isEmpty {
		return min(step, 1)
	}
	return m.emptyRun + step
}

// countMonthLocked notes what the page of a month links to, and does not list it if it is
// one of several empty ones.
func (w *worker) countMonthLocked(r *result) {
	page := &r.page
	w.month = calendarMonth{emptyRun: r.item.emptyMonths}
	if r.item.role != RolePage || page.Reason != ReasonListed || w.months.bound == trapOff {
		return
	}
	w.ends[1] = append(w.ends[1][:0], w.resolver.stripped(r.item.url)...)
	address := w.ends[1]
	if w.month.number = monthOf(address); w.month.number == 0 {
		return
	}
	links := w.months.hash(append(w.identifyLinks(r.links), w.months.identify(address))...)
	w.month.isEmpty = !w.months.addLinks(links)
	if page.Digest == 0 && (page.Facts == nil || page.Facts.NeedsScript) {
		return
	}
	switch first, found := w.months.addText(w.months.hash(links, page.Digest, w.months.identifyImages(page)), page); {
	case !found:
		return
	case first != nil:
		first.Reason, first.Detail = ReasonTrap, TrapMonths.Detail()
		w.pending.Done = append(w.pending.Done, *first)
		w.pending.size += first.weight()
		w.tally.Listed--
	}
	page.Reason, page.Detail = ReasonTrap, TrapMonths.Detail()
}

// identifyLinks returns what the links of a page to followed pages count as, sorted.
func (w *worker) identifyLinks(links []resolvedLink) []uint64 {
	w.others = w.others[:0]
	for i := range links {
		link := &links[i]
		if link.role != RolePage || link.reason != ReasonListed {
			continue
		}
		id := link.url.key.low
		if address := w.resolver.bytes(link.url.at); monthOf(address) != 0 {
			id = w.months.identify([]byte(w.resolver.stripped(string(address))))
		}
		w.others = append(w.others, id)
	}
	slices.Sort(w.others)
	w.others = slices.Compact(w.others)
	return w.others
}

// identify returns what all URLs have in common that differ from one only in the date.
func (c *monthCounter) identify(address []byte) uint64 {
	return maphash.Bytes(c.seed, calendarPattern(address))
}

func (c *monthCounter) identifyImages(page *Page) uint64 {
	var h maphash.Hash
	h.SetSeed(c.seed)
	if page.Extensions != nil {
		for i := range page.Extensions.Images {
			h.WriteString(page.Extensions.Images[i].Loc)
		}
	}
	return h.Sum64()
}

func (c *monthCounter) hash(numbers ...uint64) uint64 {
	var h maphash.Hash
	h.SetSeed(c.seed)
	for _, n := range numbers {
		h.Write(binary.LittleEndian.AppendUint64(nil, n))
	}
	return h.Sum64()
}

// addLinks reports whether no page of the calendar has had these links. They count as new
// when there is no room for them.
func (c *monthCounter) addLinks(links uint64) bool {
	if c.links[links] {
		return false
	}
	if len(c.links) < maxMonthLinks {
		c.links[links] = true
	}
	return true
}

// addText notes the text and the links of a page. It reports whether another page has
// them, and returns that page the first time.
func (c *monthCounter) addText(text uint64, page *Page) (first *Page, found bool) {
	first, found = c.texts[text]
	switch {
	case found && first != nil:
		c.texts[text] = nil
		c.pages--
	case !found && c.pages < maxMonthPages && len(c.texts) < maxMonthTexts:
		copied := *page
		copied.Links, copied.Anchors, copied.Shingles, copied.Extensions = nil, nil, nil, nil
		c.texts[text] = &copied
		c.pages++
	}
	return first, found
}

// calendarPattern returns a URL with its year, and each number of one or two digits,
// replaced by 0: a day, a month and its export as a file are parts of the calendar, and an
// article with a long number is not.
func calendarPattern(address []byte) []byte {
	year, _ := yearAndMonth(address)
	pattern := make([]byte, 0, len(address))
	for at := 0; at < len(address); {
		number, digits := leadingNumber(address[at:])
		switch {
		case digits == 0:
			pattern = append(pattern, address[at])
			digits = 1
		case digits <= 2 || digits == 4 && number == year:
			pattern = append(pattern, '0')
		default:
			pattern = append(pattern, address[at:at+digits]...)
		}
		at += digits
	}
	return pattern
}
