package extract

import (
	"bytes"
	"iter"
	"strconv"
)

// srcset yields the URLs in a srcset attribute (HTML standard, section 4.8.4.2.1). A
// URL may contain commas, and a candidate with invalid descriptors is skipped.
func srcset(value []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for {
			for len(value) > 0 && (isSpace[value[0]] || value[0] == ',') {
				value = value[1:]
			}
			if len(value) == 0 {
				return
			}
			end := 0
			for end < len(value) && !isSpace[value[end]] {
				end++
			}
			url := value[:end]
			value = value[end:]
			valid := true
			if stripped := bytes.TrimRight(url, ","); len(stripped) < len(url) {
				url = stripped
			} else {
				value, valid = readDescriptors(value)
			}
			if valid && !yield(url) {
				return
			}
		}
	}
}

// readDescriptors reads the descriptors at the beginning of value, up to and with
// the comma that ends them, and reports whether they are valid. Commas and white
// space inside parentheses belong to a descriptor.
func readDescriptors(value []byte) (rest []byte, valid bool) {
	var d descriptors
	start, depth := 0, false
	for i := 0; i <= len(value); i++ {
		end := i == len(value)
		switch {
		case end || !depth && (value[i] == ',' || isSpace[value[i]]):
			d.add(value[start:i])
			start = i + 1
			if end {
				return nil, d.valid()
			}
			if value[i] == ',' {
				return value[i+1:], d.valid()
			}
		case value[i] == '(':
			depth = true
		case value[i] == ')':
			depth = false
		}
	}
	return nil, d.valid()
}

// descriptors are the width, density and height of a candidate.
type descriptors struct {
	width, density, height bool
	wrong                  bool
}

func (d *descriptors) add(token []byte) {
	if len(token) == 0 {
		return
	}
	number, unit := token[:len(token)-1], token[len(token)-1]
	switch unit {
	case 'w':
		d.wrong = d.wrong || d.width || d.density || !isPositive(number)
		d.width = true
	case 'x':
		d.wrong = d.wrong || d.width || d.density || d.height || !isDensity(number)
		d.density = true
	case 'h':
		d.wrong = d.wrong || d.height || d.density || !isPositive(number)
		d.height = true
	default:
		d.wrong = true
	}
}

func (d *descriptors) valid() bool { return !d.wrong && (!d.height || d.width) }

// isPositive reports whether b is a valid non-negative integer above zero.
func isPositive(b []byte) bool {
	nonZero := false
	for _, c := range b {
		if !isDigit(c) {
			return false
		}
		nonZero = nonZero || c != '0'
	}
	return nonZero
}

// isDensity reports whether b is a valid floating-point number that is not
// negative (HTML standard, section 2.3.4.3).
func isDensity(b []byte) bool {
	for _, c := range b {
		if !isDigit(c) && bytes.IndexByte([]byte(".eE+-"), c) < 0 {
			return false
		}
	}
	if len(b) == 0 || len(b) > 64 || b[0] == '+' || b[len(b)-1] == '.' ||
		bytes.Contains(b, []byte(".e")) || bytes.Contains(b, []byte(".E")) {
		return false
	}
	f, err := strconv.ParseFloat(string(b), 64)
	return err == nil && f >= 0
}
