package crawl

import (
	"bytes"
	"cmp"
	"hash/maphash"
	"time"
)

// The names of traps, as they stand in the result.
const (
	trapRepeats   = "repeated path segment"
	trapSegments  = "ever deeper path"
	trapCalendar  = "endless calendar"
	trapFacets    = "combinations of parameters"
	trapVariants  = "endless parameters"
	trapTokens    = "session in the address"
	trapEscapes   = "growing escapes"
	trapRedirects = "endless redirects"
	trapContent   = "same content over and over"
	trapChain     = "endless chain of pages"
	trapLength    = "huge address"
)

// TrapLinks is the trap of a page with too many links, which [Progress] counts as
// Crowded where no address tells of it.
const TrapLinks = "too many links on one page"

const (
	mostKins     = 200_000 // and texts of their pages, together
	mostContents = 1_000_000
)

// A trapper recognises the endless parts of a site by the addresses they make.
// All that depends on one address alone is a pure function; what needs counting
// is kept for a bounded number of kins. The caller holds the lock.
type trapper struct {
	limits  Traps
	newest  int // years
	oldest  int
	seed    maphash.Seed
	kins    map[uint64]*kinCounts
	texts   map[uint64]bool // of pages that have kin, by their digests
	content map[uint64]int
}

func newTrapper(limits Traps, now time.Time) *trapper {
	return &trapper{
		limits:  limits,
		newest:  now.Year() + limits.YearsAhead,
		oldest:  now.Year() - limits.YearsBack,
		seed:    maphash.MakeSeed(),
		kins:    map[uint64]*kinCounts{},
		texts:   map[uint64]bool{},
		content: map[uint64]int{},
	}
}

// shape names the trap that an address by itself shows, or nothing.
func (t *trapper) shape(address []byte) string {
	_, path := splitAddress(address)
	if query := bytes.IndexByte(path, '?'); query >= 0 {
		path = path[:query]
	}
	segments := bytes.Count(path, []byte{'/'})
	switch {
	case len(address) > t.limits.Length:
		return trapLength
	case segments > t.limits.Segments:
		return trapSegments
	case segments >= t.limits.Repeats && t.repeats(path):
		return trapRepeats
	case t.escapes(address):
		return trapEscapes
	}
	return ""
}

// escapes reports whether what was escaped has been escaped again and again.
func (t *trapper) escapes(address []byte) bool {
	return bytes.IndexByte(address, '%') >= 0 && max(bytes.Count(address, []byte("%25")), timesEscaped(address)) >= t.limits.Escapes ||
		bytes.IndexByte(address, ';') >= 0 && bytes.Count(address, []byte("amp;")) >= t.limits.Escapes
}

// timesEscaped tells how often one percent sign has been escaped at most: %252525
// is one that was escaped three times.
func timesEscaped(address []byte) int {
	most := 0
	for {
		_, after, found := bytes.Cut(address, []byte{'%'})
		if !found {
			return most
		}
		times := 0
		for address = after; bytes.HasPrefix(address, []byte("25")); address = address[2:] {
			times++
		}
		most = max(most, times)
	}
}

// repeats reports whether one segment stands too often in a path. Short numbers
// may: they are dates and pages.
func (t *trapper) repeats(path []byte) bool {
	for rest := path; len(rest) > 0; {
		var segment []byte
		segment, rest = cutSegment(rest)
		if len(segment) == 0 || len(segment) <= 2 && isNumber(segment) {
			continue
		}
		count := 1
		for later := rest; len(later) > 0; {
			var next []byte
			if next, later = cutSegment(later); bytes.Equal(next, segment) {
				count++
			}
		}
		if count >= t.limits.Repeats {
			return true
		}
	}
	return false
}

// cutSegment cuts the first segment, without the slash before it, from a path.
func cutSegment(path []byte) (segment, rest []byte) {
	path = path[1:]
	if end := bytes.IndexByte(path, '/'); end >= 0 {
		return path[:end], path[end:]
	}
	return path, nil
}

func isNumber(b []byte) bool {
	for _, c := range b {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(b) > 0
}

// calendar reports whether an address leads on from a date to one that no page is
// about. Both are of one form, and no more than a year apart: a number that looks
// like a year is met everywhere.
func (t *trapper) calendar(from, address []byte) bool {
	year := yearOf(address)
	if year == 0 || year <= t.newest && year >= t.oldest {
		return false
	}
	before := yearOf(from)
	return before > 0 && max(year-before, before-year) <= 1
}

// yearOf returns the year of the date in an address, or 0.
func yearOf(address []byte) int {
	_, path := splitAddress(address)
	path, query, _ := bytes.Cut(path, []byte{'?'})
	return cmp.Or(yearBeforeMonth(path), yearBeforeMonth(query), yearParameter(query))
}

// yearBeforeMonth finds a year with a month behind it, such as /2031/05 or
// 2031-5-1, and returns 0 without one.
func yearBeforeMonth(text []byte) int {
	for at := 0; at+6 <= len(text); at++ {
		if text[at] != '1' && text[at] != '2' || at > 0 && isAlphanumeric(text[at-1]) {
			continue
		}
		year, end := leadingNumber(text[at:])
		if end != 4 || at+5 >= len(text) || !partsDate(text[at+4]) {
			continue
		}
		month, digits := leadingNumber(text[at+5:])
		after := at + 5 + digits
		if digits > 0 && digits <= 2 && month >= 1 && month <= 12 && (after == len(text) || !isAlphanumeric(text[after]) || text[after] == 'T') {
			return year
		}
	}
	return 0
}

func partsDate(c byte) bool { return c == '/' || c == '-' || c == '_' }

// leadingNumber reads the digits that text begins with, at most nine.
func leadingNumber(text []byte) (value, digits int) {
	for digits < len(text) && digits < 9 && isDigit(text[digits]) {
		value = value*10 + int(text[digits]-'0')
		digits++
	}
	return value, digits
}

var yearNames = [][]byte{[]byte("y"), []byte("yr"), []byte("year"), []byte("jahr"), []byte("anno"), []byte("ano")}

// yearParameter finds a parameter that is called a year.
func yearParameter(query []byte) int {
	for len(query) > 0 {
		var parameter []byte
		parameter, query, _ = bytes.Cut(query, []byte{'&'})
		name, value, _ := bytes.Cut(parameter, []byte{'='})
		for _, known := range yearNames {
			if bytes.EqualFold(name, known) {
				if year, digits := leadingNumber(value); digits == 4 && digits == len(value) {
					return year
				}
			}
		}
	}
	return 0
}

// sameContent counts pages of one title and main text and reports whether there
// are too many of them. The title counts because the digest of the text leaves
// numbers out.
func (t *trapper) sameContent(title string, digest uint64) bool {
	if digest == 0 {
		return false
	}
	key := maphash.String(t.seed, title) ^ digest
	if len(t.content) >= mostContents && t.content[key] == 0 {
		return false
	}
	t.content[key]++
	return t.content[key] > t.limits.SameContent
}

// form reduces a path to what pages of one kind have in common: numbers do not
// count. Two addresses of one form that link on and on are a chain.
func form(address []byte, into []byte) []byte {
	_, path := splitAddress(address)
	for i, c := range path {
		if isDigit(c) {
			if i > 0 && isDigit(path[i-1]) {
				continue
			}
			c = '0'
		}
		into = append(into, c)
	}
	return into
}
