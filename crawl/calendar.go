package crawl

import (
	"bytes"
)

// detectCalendar returns the trap of a link that leads from a date to a date out of
// bounds, or TrapNone. The two URLs have one path pattern. The dates are at most a
// year apart, because many numbers only look like a year.
func (d *trapDetector) detectCalendar(from, to []byte) TrapKind {
	kind, year := TrapYearsAhead, yearOf(to)
	if year == 0 || year <= d.newestYear && year >= d.oldestYear {
		return TrapNone
	}
	if year < d.oldestYear {
		kind = TrapYearsBack
	}
	if before := yearOf(from); before == 0 || max(year-before, before-year) > 1 {
		return TrapNone
	}
	return kind
}

// pathPattern appends the path and query of a URL with each number replaced by 0.
// Pages of one pattern that link to the next and the next are a chain.
func pathPattern(into, address []byte) []byte {
	_, path := splitURL(address)
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

// yearOf returns the year of the date in a URL, or 0.
func yearOf(address []byte) int {
	year, _ := yearAndMonth(address)
	return year
}

// monthOf returns the number of the month in a URL, counted from the year 0, or 0. That
// of a year alone is its first.
func monthOf(address []byte) int {
	year, month := yearAndMonth(address)
	return 12*year + max(month-1, 0)
}

// yearAndMonth returns the date in a URL. Both are 0 without one, and the month may be.
func yearAndMonth(address []byte) (year, month int) {
	_, path := splitURL(address)
	path, query, _ := bytes.Cut(path, []byte{'?'})
	if year, month = findMonth(path); year == 0 {
		year, month = findMonth(query)
	}
	if year == 0 {
		if year = numberParameter(query, yearNames, 4); year != 0 {
			month = numberParameter(query, monthNames, 1)
		}
	}
	if month > 12 {
		month = 0
	}
	return year, month
}

// findMonth returns a year and the month that follows it, such as in /2031/05 or
// 2031-5-1, or 0.
func findMonth(text []byte) (year, month int) {
	for at := 0; at+6 <= len(text); at++ {
		if text[at] != '1' && text[at] != '2' || at > 0 && isAlphanumeric(text[at-1]) {
			continue
		}
		found, end := leadingNumber(text[at:])
		if end != 4 || at+5 >= len(text) || !separatesDate(text[at+4]) {
			continue
		}
		next, digits := leadingNumber(text[at+5:])
		after := at + 5 + digits
		ends := after == len(text) || !isAlphanumeric(text[after]) || text[after] == 'T'
		if digits > 0 && digits <= 2 && next >= 1 && next <= 12 && ends {
			return found, next
		}
	}
	return 0, 0
}

func separatesDate(c byte) bool { return c == '/' || c == '-' || c == '_' }

// leadingNumber reads at most nine digits from the beginning of text.
func leadingNumber(text []byte) (value, digits int) {
	for digits < len(text) && digits < 9 && isDigit(text[digits]) {
		value = value*10 + int(text[digits]-'0')
		digits++
	}
	return value, digits
}

var (
	yearNames  = [][]byte{[]byte("y"), []byte("yr"), []byte("year"), []byte("jahr"), []byte("anno"), []byte("ano")}
	monthNames = [][]byte{
		[]byte("m"), []byte("mo"), []byte("mon"), []byte("month"), []byte("monat"), []byte("mes"), []byte("mois"),
	}
)

// numberParameter returns the value of the first parameter that has one of the names, and
// a number of at least so many digits and at most four, or 0.
func numberParameter(query []byte, names [][]byte, digits int) int {
	for len(query) > 0 {
		var parameter []byte
		parameter, query, _ = bytes.Cut(query, []byte{'&'})
		name, value, _ := bytes.Cut(parameter, []byte{'='})
		for _, known := range names {
			if bytes.EqualFold(name, known) {
				if number, n := leadingNumber(value); n >= digits && n <= 4 && n == len(value) {
					return number
				}
			}
		}
	}
	return 0
}
