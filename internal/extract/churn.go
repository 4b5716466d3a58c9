package extract

import "bytes"

// churn drops what changes on a page without the page changing: dates, clock
// times, counters, tokens. The words around numbers it knows are English.
type churn struct {
	// afterNumber tells that the last word was dropped as a number, whose hash
	// is kept: it counts after all where a currency follows.
	afterNumber bool
	dropped     uint64
	// calendar holds names of months and weekdays that count only if no
	// number follows: "May I" but not "May 5".
	calendar tally
}

// number takes a word with a digit in it.
func (c *churn) number(word []byte, into *tally) {
	core := bytes.Trim(word, `.,;:!?()[]{}"'`)
	if isChurn(core) {
		c.calendar = tally{}
		c.afterNumber, c.dropped = true, hashWord(core)
		return
	}
	c.end(into)
	into.fold(hashWord(word))
}

// word takes a word without digits.
func (c *churn) word(word []byte, into *tally) {
	if !c.afterNumber && !beginsCalendar[word[0]] {
		if c.calendar.words > 0 {
			c.end(into)
		}
		into.fold(hashWord(word))
		return
	}
	core := bytes.Trim(word, `.,;:!?()[]{}"'`)
	switch {
	case calendarNames.find(core) != 0:
		if !c.afterNumber {
			c.calendar.fold(hashWord(word))
		}
		return
	case c.afterNumber && afterNumbers.find(core) != 0:
		return
	case c.afterNumber && currencies.find(core) != 0:
		into.fold(c.dropped)
	}
	c.end(into)
	into.fold(hashWord(word))
}

// end settles what waits for another word.
func (c *churn) end(into *tally) {
	if c.calendar.words > 0 {
		into.hash = mix(into.hash ^ c.calendar.hash)
		into.words += c.calendar.words
	}
	*c = churn{}
}

var calendarNames = newNames([]string{"",
	"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec",
	"january", "february", "march", "april", "june", "july", "august", "september", "october",
	"november", "december",
	"mon", "tue", "tues", "wed", "thu", "thur", "thurs", "fri", "sat", "sun",
	"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
})

// beginsCalendar holds the first letters of calendarNames where they are names.
var beginsCalendar = [256]bool{
	'A': true, 'D': true, 'F': true, 'J': true, 'M': true, 'N': true, 'O': true, 'S': true,
	'T': true, 'W': true, '(': true,
}

// afterNumbers are words that belong to a time when they follow a number.
var afterNumbers = newNames([]string{"",
	"am", "pm", "a.m", "p.m", "utc", "gmt", "sec", "secs", "second", "seconds", "min", "mins",
	"minute", "minutes", "hour", "hours", "hr", "hrs", "day", "days", "week", "weeks", "month",
	"months", "year", "years",
})

var currencies = newNames([]string{"",
	"€", "£", "$", "¥", "₹", "kr", "zł", "eur", "usd", "gbp", "jpy", "chf", "cad", "aud",
	"&euro", "&pound", "&yen",
})

// isChurn tells whether a word with a digit, without punctuation around it, is a
// whole number, a date, a clock time or a token. Decimals, versions, prices and
// names with a digit are not.
func isChurn(word []byte) bool {
	shape, length := numberShape(word)
	rest := word[length:]
	switch shape {
	case wholeNumber:
		return len(rest) == 0 || isNumberSuffix(rest) || isToken(word)
	case dateOrTime:
		return true
	}
	return isToken(word)
}

type shape uint8

const (
	noNumber shape = iota
	wholeNumber
	decimalNumber
	dateOrTime
)

// numberShape reads the digits and the separators between them that begin word.
func numberShape(word []byte) (shape, int) {
	var groups, longest, first, thousands int
	var separator byte
	mixed := false
	i := 0
	for i < len(word) && isDigit(word[i]) {
		start := i
		for i < len(word) && isDigit(word[i]) {
			i++
		}
		n := i - start
		longest = max(longest, n)
		if groups == 0 {
			first = n
		} else if n == 3 {
			thousands++
		}
		groups++
		if i+1 >= len(word) || !isDigit(word[i+1]) || bytes.IndexByte([]byte(".,:-/"), word[i]) < 0 {
			break
		}
		mixed = mixed || separator != 0 && separator != word[i]
		separator = word[i]
		i++
	}
	isDate := groups == 3 && !mixed && longest <= 4
	switch {
	case groups == 0:
		return noNumber, 0
	case groups == 1:
		return wholeNumber, i
	case separator == ':' || mixed && bytes.IndexByte(word[:i], ':') >= 0:
		return dateOrTime, i
	case separator == '-' || separator == '/':
		if isDate {
			return dateOrTime, i
		}
	case isDate && longest == 4:
		return dateOrTime, i
	case !mixed && first <= 3 && thousands == groups-1:
		return wholeNumber, i
	}
	return decimalNumber, i
}

// isNumberSuffix tells whether what follows the digits leaves them a counter or
// a day of the month: 12k, 3rd.
func isNumberSuffix(rest []byte) bool {
	switch string(rest) {
	case "k", "K", "m", "M", "+", "st", "nd", "rd", "th", "s", "h", "d", "am", "pm", "AM", "PM":
		return true
	}
	return false
}

// isToken tells whether a word looks made by a machine: a run of eight or more
// hexadecimal digits or of twelve or more letters and digits, with a digit in
// it, or a long mixture of small letters, capitals and digits.
func isToken(word []byte) bool {
	var letters, digits, others int // others are the letters beyond f
	var anyDigit, anyCapital, anySmall bool
	for i := 0; i <= len(word); i++ {
		if i == len(word) || !isLetter(word[i]) && !isDigit(word[i]) {
			run := letters + digits
			if digits > 0 && (run >= 8 && others == 0 || run >= 12 && letters > 0) {
				return true
			}
			letters, digits, others = 0, 0, 0
			continue
		}
		c := word[i]
		if isDigit(c) {
			digits++
			anyDigit = true
			continue
		}
		letters++
		if lower[c] > 'f' {
			others++
		}
		anyCapital = anyCapital || c < 'a'
		anySmall = anySmall || c >= 'a'
	}
	return len(word) >= 24 && anyDigit && anyCapital && anySmall
}
