package source

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
)

// maxJSONNesting is how deep the array of pages may be inside of objects.
const maxJSONNesting = 100

var errJSONDocument = errors.New("not JSON, or cut off")

// A jsonDocument reads the elements of the arrays in a JSON value of any size, one at a
// time.
type jsonDocument struct {
	*jsonReader
	in    *bufio.Reader
	line  int // of the next byte, from 1
	value []byte
	isBig bool // the value is longer than maxLine, and value has its beginning
	found record
	yield func(*record, error) bool

	unknown *ColumnError // of the first object without an address
}

// errEnded ends the reading because the caller wants no more records.
var errEnded = errors.New("ended")

// parseDocument reads one JSON value.
func (r *jsonReader) parseDocument(in *bufio.Reader) iter.Seq2[*record, error] {
	return func(yield func(*record, error) bool) {
		d := jsonDocument{jsonReader: r, in: in, line: 1, yield: yield}
		err := d.walk(0)
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		switch {
		case err == nil || err == errEnded:
		case errors.Is(err, errJSONDocument), errors.Is(err, io.ErrUnexpectedEOF):
			yield(nil, fmt.Errorf("line %d: %w", d.line, errJSONDocument))
		default:
			yield(nil, err)
		}
		if err == nil && d.unknown != nil && !d.isLoaded && !d.guess {
			yield(nil, d.unknown)
		}
	}
}

// walk reads the next value: the members of an object, the elements of an array, or nothing.
func (d *jsonDocument) walk(nesting int) error {
	c, err := d.peek()
	switch {
	case err != nil:
		return err
	case nesting > maxJSONNesting:
		return errJSONDocument
	case c == '[':
		return d.list(']', d.readElements())
	case c != '{':
		return d.readValue()
	}
	return d.list('}', func() error {
		if err := d.readValue(); err != nil {
			return err
		}
		if c, err := d.peek(); err != nil || c != ':' {
			return errors.Join(errJSONDocument, err)
		}
		d.skip()
		return d.walk(nesting + 1)
	})
}

// list reads an object or an array: item reads each of its items.
func (d *jsonDocument) list(end byte, item func() error) error {
	d.skip()
	for first := true; ; first = false {
		c, err := d.peek()
		switch {
		case err != nil:
			return err
		case c == end:
			d.skip()
			return nil
		case !first && c != ',':
			return errJSONDocument
		case !first:
			d.skip()
		}
		if err := item(); err != nil {
			return err
		}
	}
}

// readElements returns a function that reads the elements of an array. The first one shows
// whether they are pages.
func (d *jsonDocument) readElements() func() error {
	isFirst, arePages := true, false
	return func() error {
		if _, err := d.peek(); err != nil {
			return err
		}
		line := d.line
		if err := d.readValue(); err != nil {
			return err
		}
		if isFirst {
			isFirst, arePages = false, d.isPage()
		}
		if !arePages {
			return nil
		}
		if !d.yield(&d.found, d.readPage(line)) {
			return errEnded
		}
		return nil
	}
}

// isPage reports whether the value is a page: an address, or an object with one.
func (d *jsonDocument) isPage() bool {
	switch {
	case d.isBig:
		return d.isLoaded
	case d.value[0] == '"':
		text, err := jsonText(fieldLoc, d.value)
		return err == nil && isRooted(text)
	case d.value[0] != '{':
		return false
	case d.set(d.value) != nil || d.find(fieldLoc) >= 0:
		return true
	case d.unknown == nil:
		d.unknown = d.missing()
	}
	return false
}

// readPage makes a record of the value.
func (d *jsonDocument) readPage(line int) error {
	if d.isBig {
		return &RowError{Line: line, Err: ErrLineTooLong}
	}
	d.isLoaded = true
	if d.value[0] != '"' {
		return d.read(&d.found, d.value, line, 1)
	}
	text, err := jsonText(fieldLoc, d.value)
	if err != nil {
		return &RowError{Line: line, Err: errBrokenJSON}
	}
	d.found = record{line: line}
	d.found.cells[fieldLoc] = cell{text: text, column: 1}
	return nil
}

// peek returns the next byte that is not white space.
func (d *jsonDocument) peek() (byte, error) {
	for {
		c, err := d.in.ReadByte()
		if err != nil {
			return 0, err
		}
		switch c {
		case '\n':
			d.line++
		case ' ', '\t', '\r':
		default:
			return c, d.in.UnreadByte()
		}
	}
}

// skip skips the byte that peek has returned.
func (d *jsonDocument) skip() { _, _ = d.in.Discard(1) } // it is buffered

// readValue reads the next value into d.value, without looking at more than where it ends.
func (d *jsonDocument) readValue() error {
	if _, err := d.peek(); err != nil {
		return err
	}
	d.value, d.isBig = d.value[:0], false
	depth, inText, isEscaped := 0, false, false
	for {
		c, err := d.in.ReadByte()
		if err != nil {
			if err == io.EOF && depth == 0 && !inText && len(d.value) > 0 {
				return nil
			}
			return err
		}
		isEnd := false
		switch {
		case isEscaped:
			isEscaped = false
		case inText:
			isEscaped = c == '\\'
			if c == '"' {
				inText, isEnd = false, depth == 0
			}
		case c == '"':
			inText = true
		case c == '{' || c == '[':
			depth++
		case depth == 0 && (c == ',' || c == '}' || c == ']' || c == ':' || c <= ' '):
			if len(d.value) == 0 {
				return errJSONDocument
			}
			return d.in.UnreadByte()
		case c == '}' || c == ']':
			depth--
			isEnd = depth == 0
		}
		d.keep(c)
		if isEnd {
			return nil
		}
	}
}

// keep appends a byte to the value. Line breaks become spaces, so that a value is one line.
func (d *jsonDocument) keep(c byte) {
	switch c {
	case '\n':
		d.line++
		c = ' '
	case '\r', '\t':
		c = ' '
	}
	if len(d.value) < maxLine {
		d.value = append(d.value, c)
	} else {
		d.isBig = true
	}
}
