package extract

import (
	"bytes"
	"slices"
)

// churn removes words that change while the content stays the same: dates, times,
// counters, tokens. It knows the months and weekdays of several languages, see
// calendar.go; other words around numbers are English.
type churn struct {
	// waiting reports that the next word decides about the last one.
	waiting bool
	// number is the last word when it was dropped as a number. It counts after
	// all when a currency or a unit follows.
	number []byte
	// names are months and weekdays, which count only if no number follows:
	// "May I" but not "May 5".
	names [4][]byte
	held  int
	half  int // half words of the block; see halfWords
}

// fold counts a word.
func (c *churn) fold(d *digest, word []byte) {
	d.block.foldWord(word)
	c.half += halfWords(word)
}

// take handles the next word.
func (c *churn) take(word []byte, d *digest) {
	if slices.ContainsFunc(word, isDigit) {
		c.digits(word, d)
	} else {
		c.word(word, d)
	}
}

// digits handles a word with a digit.
func (c *churn) digits(word []byte, d *digest) {
	core := trimPunctuation(word)
	if isChurn(core) {
		for _, name := range c.names[:c.held] {
			d.drop(name)
		}
		if !isToken(core) || !slices.ContainsFunc(core, isSmall) { // capitals are those of account and part numbers
			d.drop(core)
		}
		*c = churn{waiting: true, number: core, half: c.half}
		return
	}
	c.end(d, word)
	c.fold(d, word)
}

// word handles a word without digits.
func (c *churn) word(word []byte, d *digest) {
	next := word
	isName := allCalendars.mayHave(pack(word[:min(len(word), 3)]))
	if c.waiting || isName {
		core := trimPunctuation(word)
		switch {
		case (isName || c.number != nil) && allCalendars.names.find(core) != 0:
			if c.number == nil {
				c.hold(word, d)
			} else {
				d.drop(core)
			}
			return
		case c.number != nil && afterNumbers.find(core) != 0:
			d.drop(core)
			return
		case c.number != nil && units.find(core) != 0:
			c.fold(d, c.number)
		case c.number != nil:
			word = singular(word, core)
		}
		c.end(d, next)
	}
	c.fold(d, word)
}

// hold keeps a name until the next word. More names in a row than in a date are a
// list.
func (c *churn) hold(name []byte, d *digest) {
	if c.held == len(c.names) {
		c.end(d, name)
	}
	c.names[c.held] = name
	c.held++
	c.waiting = true
}

// end decides about the words that are held, before the next word, or nil at the end of the block.
func (c *churn) end(d *digest, next []byte) {
	if d.items.figures.length > 0 {
		d.settleFigures(next)
	}
	for _, name := range c.names[:c.held] {
		c.fold(d, name)
	}
	*c = churn{half: c.half}
}

// trimPunctuation removes the punctuation around a word.
func trimPunctuation(word []byte) []byte {
	for len(word) > 0 && isPunctuation[word[0]] {
		word = word[1:]
	}
	for len(word) > 0 && isPunctuation[word[len(word)-1]] {
		word = word[:len(word)-1]
	}
	return word
}

var isPunctuation = [256]bool{
	'.': true, ',': true, ';': true, ':': true, '!': true, '?': true, '(': true, ')': true,
	'[': true, ']': true, '{': true, '}': true, '"': true, '\'': true,
}

func isSmall(c byte) bool { return c >= 'a' && c <= 'z' }

// singular takes the final s from the word after a counter: 1 comment, 2 comments.
func singular(word, core []byte) []byte {
	if len(core) < 2 {
		return word
	}
	return bytes.TrimSuffix(core, []byte("s"))
}

// afterNumbers are words that belong to a date or a time when they follow a
// number.
var afterNumbers = newNames([]string{"",
	"am", "pm", "a.m", "p.m", "utc", "gmt", "sec", "secs", "second", "seconds", "min", "mins",
	"minute", "minutes", "hour", "hours", "hr", "hrs", "day", "days", "week", "weeks", "month",
	"months", "year", "years", "of", "de", "del", "di",
})

// units distinguish the number before them from a counter. Units that are also other
// words ("12 in stock") or that describe the weather are not included.
var units = newNames([]string{"",
	"€", "£", "$", "¥", "₹", "kr", "zł", "eur", "usd", "gbp", "jpy", "chf", "cad", "aud",
	"&euro", "&pound", "&yen", "%", "percent",
	"mm", "cm", "km", "m²", "km²", "ft", "mph", "km/h", "ha", "mg", "g", "kg", "lb", "lbs", "oz",
	"ml", "cl", "kw", "kwh", "hz", "mhz", "ghz", "kcal",
	"millimetres", "millimeters", "centimetres", "centimeters", "metre", "metres", "meter", "meters",
	"kilometre", "kilometres", "kilometer", "kilometers", "inch", "inches", "foot", "feet", "yard", "yards",
	"mile", "miles", "acres", "hectares", "gram", "grams", "grammes", "kilogram", "kilograms", "tonnes", "tons",
	"pound", "pounds", "ounce", "ounces", "litre", "litres", "liter", "liters", "gallons", "cup", "cups",
	"tablespoon", "tablespoons", "tbsp", "teaspoon", "teaspoons", "tsp", "watts", "volts", "calories",
})

// isChurn reports whether a word with a digit, without punctuation around it, is a
// whole number, a date, a clock time or a token. Decimals, versions, prices and
// names with a digit are not.
func isChurn(word []byte) bool {
	shape, length := numberShape(word)
	rest := word[length:]
	switch shape {
	case wholeNumber:
		return len(rest) == 0 || isNumberSuffix(rest) || isEastDate(rest) || isToken(word)
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

// numberShape reads the digits at the beginning of word, and their separators.
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

// isNumberSuffix reports whether what follows the digits makes them a counter or a
// day of the month: 12k, 3rd.
func isNumberSuffix(rest []byte) bool {
	switch string(rest) {
	case "k", "K", "m", "M", "+", "st", "nd", "rd", "th", "s", "ms", "h", "d", "am", "pm", "AM", "PM":
		return true
	}
	return false
}

// isToken reports whether a word looks generated: a run of eight or more hexadecimal
// digits, or of twelve or more letters and digits, with a digit, or a long mixture of
// lower case, upper case and digits.
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
		if lower(c) > 'f' {
			others++
		}
		anyCapital = anyCapital || c < 'a'
		anySmall = anySmall || c >= 'a'
	}
	return len(word) >= 24 && anyDigit && anyCapital && anySmall
}
