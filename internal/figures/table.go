package figures

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

const (
	// maxRecord is the largest number of bytes of a row, and maxTable that of a table.
	maxRecord = 1 << 20
	maxTable  = 1 << 30
	// sampleRows is how many rows say what a table is.
	sampleRows = 200
	// peekSize is how many bytes say in which encoding and with which separator a table is written.
	peekSize = 64 << 10
)

var (
	errTooLarge  = fmt.Errorf("it has more than %d MB", maxTable>>20)
	errRowSize   = fmt.Errorf("a row has more than %d KB", maxRecord>>10)
	errWorkbook  = errors.New("it is a workbook of a spreadsheet: save it as CSV")
	errNoTable   = errors.New("it is not a table")
	errNoHeading = errors.New("it has no row")
)

// A table is an open table, whose heading and first rows are read.
type table struct {
	heading []string
	sample  [][]string // the first rows
	comma   rune

	limit *byteLimit
	rows  *csv.Reader
}

// newTable reads the beginning of a table: its encoding, its separator, its heading and some rows.
func newTable(r io.Reader) (*table, error) {
	in := bufio.NewReaderSize(&byteLimit{r, maxTable, errTooLarge}, peekSize)
	head, err := in.Peek(peekSize)
	if err != nil && err != io.EOF && len(head) == 0 {
		return nil, err
	}
	if bytes.HasPrefix(head, []byte("PK\x03\x04")) {
		return nil, errWorkbook
	}
	text := decoded(in, head)
	head, _ = text.Peek(peekSize)
	if bytes.IndexByte(head, 0) >= 0 {
		return nil, errNoTable
	}
	if bytes.HasPrefix(head, []byte("sep=")) { // names the separator for Excel
		_, _ = text.ReadSlice('\n')
		head, _ = text.Peek(peekSize)
	}
	t := &table{comma: separator(head), limit: &byteLimit{text, maxRecord, errRowSize}}
	t.rows = csv.NewReader(t.limit)
	t.rows.Comma, t.rows.FieldsPerRecord = t.comma, -1
	if t.heading, err = t.next(); err != nil {
		if err == io.EOF {
			err = errNoHeading
		}
		return nil, err
	}
	for len(t.sample) < sampleRows {
		row, err := t.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		t.sample = append(t.sample, row)
	}
	return t, nil
}

// next reads a row from the input, without the spaces around its cells.
func (t *table) next() ([]string, error) {
	t.limit.left = maxRecord
	row, err := t.rows.Read()
	for i := range row {
		row[i] = strings.TrimSpace(row[i])
	}
	return row, err
}

// each calls read with every row after the heading, and its number from 1.
func (t *table) each(read func(number int, row []string) error) error {
	number := 0
	for _, row := range t.sample {
		if number++; !isEmpty(row) {
			if err := read(number, row); err != nil {
				return err
			}
		}
	}
	for {
		row, err := t.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if number++; !isEmpty(row) {
			if err := read(number, row); err != nil {
				return err
			}
		}
	}
}

func isEmpty(row []string) bool { return len(row) == 0 || len(row) == 1 && row[0] == "" }

// cell returns a cell of a row, or "" where the row ends before it or the column is unknown.
func cell(row []string, column int) string {
	if column < 0 || column >= len(row) {
		return ""
	}
	return row[column]
}

// decoded returns a table as UTF-8 without a byte order mark. A text in another encoding is taken for
// the one in which spreadsheets for Western languages write.
func decoded(in *bufio.Reader, head []byte) *bufio.Reader {
	utf16 := func(order unicode.Endianness) *bufio.Reader {
		return bufio.NewReaderSize(transform.NewReader(in, unicode.UTF16(order, unicode.UseBOM).NewDecoder()), peekSize)
	}
	switch {
	case bytes.HasPrefix(head, []byte("\ufeff")):
		_, _ = in.Discard(len("\ufeff"))
	case bytes.HasPrefix(head, []byte{0xff, 0xfe}):
		return utf16(unicode.LittleEndian)
	case bytes.HasPrefix(head, []byte{0xfe, 0xff}):
		return utf16(unicode.BigEndian)
	case !isUTF8(head):
		return bufio.NewReaderSize(transform.NewReader(in, charmap.Windows1252.NewDecoder()), peekSize)
	}
	return in
}

// isUTF8 reports whether the beginning of a text is UTF-8. Its end may be within a character.
func isUTF8(head []byte) bool {
	for cut := range min(utf8.UTFMax, len(head)+1) {
		if utf8.Valid(head[:len(head)-cut]) {
			return true
		}
	}
	return false
}

// separator returns what separates the cells of the first line, outside of quotation marks.
func separator(head []byte) rune {
	counts := map[byte]int{}
	quoted := false
	for _, b := range head {
		if b == '"' {
			quoted = !quoted
		}
		if quoted {
			continue
		}
		if b == '\n' || b == '\r' {
			break
		}
		counts[b]++
	}
	best := byte(',')
	for _, b := range []byte{';', '\t'} {
		if counts[b] > counts[best] {
			best = b
		}
	}
	return rune(best)
}

// A byteLimit ends an input that is too large with an error. That of a row is set again for each: a quotation mark
// without an end would take the rest of the table for one cell.
type byteLimit struct {
	r    io.Reader
	left int64
	err  error
}

func (l *byteLimit) Read(p []byte) (int, error) {
	if l.left <= 0 {
		return 0, l.err
	}
	n, err := l.r.Read(p[:min(int64(len(p)), l.left)])
	l.left -= int64(n)
	return n, err
}
