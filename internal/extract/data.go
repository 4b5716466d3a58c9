package extract

import "bytes"

// Properties of JSON-LD that are no content, since they change by themselves or are dates of the page, and those that
// are prices.
var (
	passingProperties = newNames([]string{"",
		"datemodified", "datepublished", "datecreated", "uploaddate", "sddatepublished", "interactionstatistic",
		"userinteractioncount", "interactioncount", "pricevaliduntil",
	})
	priceProperties = newNames([]string{"", "price", "lowprice", "highprice", "minprice", "maxprice"})
)

// dataWalk reads the values of a valid JSON text.
type dataWalk struct {
	scanner *Scanner
	json    []byte
	pos     int
}

// addData adds the values of a script of JSON-LD to the sums of the page.
func (s *Scanner) addData(script []byte) {
	w := dataWalk{s, script, 0}
	w.value(nil, false)
}

// next moves to the next byte that is neither white space, a comma nor a colon, and returns it.
func (w *dataWalk) next() byte {
	for w.pos < len(w.json) {
		switch c := w.json[w.pos]; c {
		case ' ', ',', ':':
			w.pos++
		default:
			return c
		}
	}
	return 0
}

// value reads a value of a property. What is in a passing one does not count.
func (w *dataWalk) value(property []byte, isPassing bool) {
	switch w.next() {
	case 0:
	case '{', '[':
		isObject := w.json[w.pos] == '{'
		w.pos++
		for c := w.next(); c != 0 && c != '}' && c != ']'; c = w.next() {
			if isObject {
				property = w.text()
			}
			w.value(property, isPassing || isObject && passingProperties.find(property) != 0)
		}
		w.pos++
	case '"':
		if text := w.text(); !isPassing {
			w.add(property, text)
		}
	default:
		from := w.pos
		for w.pos < len(w.json) && bytes.IndexByte([]byte(" ,]}"), w.json[w.pos]) < 0 {
			w.pos++
		}
		if !isPassing {
			w.add(property, w.json[from:w.pos])
		}
	}
}

// text reads a string, and returns it as it is written.
func (w *dataWalk) text() []byte {
	w.pos++
	from := w.pos
	for w.pos < len(w.json) && w.json[w.pos] != '"' {
		if w.json[w.pos] == '\\' {
			w.pos++
		}
		w.pos++
	}
	text := w.json[from:min(w.pos, len(w.json))]
	w.pos++
	return text
}

// add adds a value.
func (w *dataWalk) add(property, value []byte) {
	if bytes.Contains(value, []byte(`\/`)) {
		value = bytes.ReplaceAll(value, []byte(`\/`), []byte("/"))
	}
	into, hash := &w.scanner.data, hashBytes(0, property)
	if priceProperties.find(property) != 0 {
		into = &w.scanner.prices
	}
	switch {
	case w.scanner.options.URL != "" && isSamePage(value, []byte(w.scanner.options.URL)):
		hash = mix(hash ^ ThisPage)
	case bytes.Contains(value, []byte("://")) && bytes.IndexByte(value, ' ') < 0:
		hash = mix(hash ^ HashAddress(value))
	default:
		hash = hashBytes(hash, value)
	}
	into.Add(hash)
}
