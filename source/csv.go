package source

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// maxColumns is the number of columns that a table may have.
const maxColumns = 4096

// The reasons why a record of CSV cannot be read.
var (
	ErrQuote          = errors.New("a quotation mark that is not closed, or not followed by a delimiter")
	ErrTooManyColumns = errors.New("more columns than the header, or than a table may have")
)

// A csvReader reads records by RFC 4180, with any delimiter. It keeps white space around
// values, and quotation marks inside of them, as other programs do. After a quotation
// mark that is not closed it goes on in the next line.
type csvReader struct {
	in    *bufio.Reader // its size limits a record
	comma byte
	line  int // of the next record, from 1
	cells []cell
	plain []byte // cells without their quotation marks
	taken int    // bytes of in that were read and are still buffered
	ahead []byte // that are buffered after them, as far as is known
}

func newCSVReader(in *bufio.Reader, comma byte) *csvReader {
	return &csvReader{in: in, comma: comma, line: 1}
}

// next returns the next record, which is valid until the next call, and its line. The
// error is io.EOF, a [*RowError], after which next may be called again, or that of the
// input.
func (r *csvReader) next() (cells []cell, line int, err error) {
	if len(r.ahead) > 0 {
		if end, ok, _ := r.split(r.ahead, false); ok {
			return r.cells, r.take(r.ahead, end), nil
		}
	}
	if _, err := r.in.Discard(r.taken); err != nil { // never: it is buffered
		return nil, r.line, err
	}
	r.taken, r.ahead = 0, nil
	window := r.in.Buffered()
	for {
		text, err := r.in.Peek(max(window, 1))
		switch {
		case len(text) == 0:
			return nil, r.line, err
		case err != nil && err != io.EOF && err != bufio.ErrBufferFull:
			return nil, r.line, err
		}
		end, ok, fault := r.split(text, err == io.EOF)
		switch {
		case ok:
			return r.cells, r.take(text, end), nil
		case fault != nil:
			return nil, r.line, r.skipLine(fault)
		case err == bufio.ErrBufferFull || len(text) == r.in.Size():
			return nil, r.line, r.skipLine(&RowError{Err: ErrLineTooLong})
		}
		window = min(max(2*len(text), r.in.Buffered()), r.in.Size())
	}
}

// take ends the record at the beginning of a buffered text and returns its line.
func (r *csvReader) take(text []byte, end int) (line int) {
	line = r.line
	r.line++
	if len(r.plain) > 0 { // only a value in quotation marks can have line breaks
		r.line += bytes.Count(text[:end-1], []byte("\n"))
	}
	r.taken, r.ahead = r.taken+end, text[end:]
	return line
}

// skipLine skips a line of any length and returns the fault of it.
func (r *csvReader) skipLine(fault *RowError) error {
	fault.Line = r.line
	r.line++
	for {
		_, err := r.in.ReadSlice('\n')
		if err == bufio.ErrBufferFull {
			continue
		}
		if err != nil && err != io.EOF {
			return err
		}
		return fault
	}
}

// split reads the record at the beginning of text into r.cells and returns its length.
// Without a whole record it returns false, and a fault if no further text can help.
func (r *csvReader) split(text []byte, last bool) (end int, ok bool, fault *RowError) {
	r.cells, r.plain = r.cells[:0], r.plain[:0]
	at, line := 0, -1 // line is the index of the next newline, once it is known
	for {
		for r.comma != ' ' && at < len(text) && text[at] == ' ' {
			at++
		}
		var value []byte
		var next int
		if at < len(text) && text[at] == '"' {
			var closed bool
			if value, next, closed, fault = r.quoted(text, at, last); !closed {
				return 0, false, fault
			}
		} else {
			if line < at {
				line = endOfCell(text, at, '\n')
			}
			next = endOfCell(text[:line], at, r.comma)
			if next == len(text) && !last {
				return 0, false, nil
			}
			end := next
			for end > at && (text[end-1] == ' ' || text[end-1] == '\r') {
				end--
			}
			value = text[at:end]
		}
		if len(r.cells) == maxColumns {
			return 0, false, &RowError{Column: at + 1, Err: ErrTooManyColumns}
		}
		r.cells = append(r.cells, cell{text: value, column: at + 1})
		switch {
		case next == len(text):
			return next, true, nil
		case text[next] == '\n':
			return next + 1, true, nil
		}
		at = next + 1
	}
}

// endOfCell returns the index of the first delimiter from an index on, or the length of
// the text.
func endOfCell(text []byte, at int, delimiter byte) int {
	if length := bytes.IndexByte(text[at:], delimiter); length >= 0 {
		return at + length
	}
	return len(text)
}

// quoted returns the value that begins with the quotation mark at an index, and the
// index of the delimiter after it. It returns false when there is none.
func (r *csvReader) quoted(text []byte, at int, last bool) (value []byte, next int, closed bool, fault *RowError) {
	from := len(r.plain)
	for i := at + 1; ; {
		length := bytes.IndexByte(text[i:], '"')
		if length < 0 {
			break
		}
		r.plain = append(r.plain, text[i:i+length]...)
		if i += length + 1; i < len(text) && text[i] == '"' {
			r.plain = append(r.plain, '"')
			i++
			continue
		}
		for i < len(text) && (text[i] == ' ' || text[i] == '\r') {
			i++
		}
		switch {
		case i == len(text) && !last:
			return nil, 0, false, nil
		case i == len(text) || text[i] == r.comma || text[i] == '\n':
			return r.plain[from:], i, true, nil
		}
		return nil, 0, false, &RowError{Column: at + 1, Err: ErrQuote}
	}
	if last || len(text) >= r.in.Size() {
		return nil, 0, false, &RowError{Column: at + 1, Err: ErrQuote}
	}
	return nil, 0, false, nil
}
