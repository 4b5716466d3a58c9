package source

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/mapatools/mapa/internal/urlnorm"
)

// columnNames are the names of the URL column in a header, the surest first.
var columnNames = []string{"url", "loc", "address", "link", "page"}

// urlColumn returns the index of the URL column in a header.
func urlColumn(header []string) (int, bool) {
	for _, name := range columnNames {
		is := func(cell string) bool { return strings.EqualFold(strings.TrimSpace(cell), name) }
		if i := slices.IndexFunc(header, is); i >= 0 {
			return i, true
		}
	}
	return 0, false
}

// delimiterOf returns the delimiter of a line: the comma, semicolon or tab that is
// most frequent in it.
func delimiterOf(first []byte) byte {
	best := byte(',')
	for _, candidate := range []byte{';', '\t'} {
		if bytes.Count(first, []byte{candidate}) > bytes.Count(first, []byte{best}) {
			best = candidate
		}
	}
	return best
}

// isHeader reports whether a line is a header with a URL column.
func isHeader(first []byte) bool {
	comma := delimiterOf(first)
	cells := strings.Split(string(bytes.TrimSpace(first)), string(comma))
	for i := range cells {
		cells[i] = strings.Trim(cells[i], `" `)
	}
	_, found := urlColumn(cells)
	return found
}

// A recordReader limits how many bytes are read for one record, so that a quotation
// mark that is never closed takes no memory. It fails with [ErrLineTooLong].
type recordReader struct {
	in   io.Reader
	left int
}

func (m *recordReader) Read(p []byte) (int, error) {
	if m.left <= 0 {
		return 0, ErrLineTooLong
	}
	n, err := m.in.Read(p)
	m.left -= n
	return n, err
}

// csv reads records by RFC 4180. It tolerates stray quotation marks.
func (r *resolver) csv(in *bufio.Reader, comma byte, skipped *SkippedError) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		limited := &recordReader{in: in}
		reader := csv.NewReader(limited)
		reader.Comma, reader.LazyQuotes, reader.FieldsPerRecord, reader.ReuseRecord = rune(comma), true, -1, true
		at := -1 // the URL column, when known
		for first := true; ; first = false {
			limited.left = maxLine
			record, err := reader.Read()
			if err == io.EOF {
				return
			}
			if err != nil {
				yield("", err)
				return
			}
			number, _ := reader.FieldPos(0)
			if i, named := urlColumn(record); first && named {
				at = i
				continue
			}
			if at < 0 {
				at = slices.IndexFunc(record, func(cell string) bool {
					return urlnorm.IsHTTP(strings.TrimSpace(cell))
				})
				if at < 0 && first {
					continue // a header with other names
				}
			}
			address, err := r.cell(record, at)
			if err != nil {
				skipped.skip(number, err)
			} else if !yield(address, nil) {
				return
			}
		}
	}
}

func (r *resolver) cell(record []string, at int) (string, error) {
	if at < 0 || at >= len(record) {
		return "", ErrNoAddress
	}
	return r.resolve([]byte(strings.TrimSpace(record[at])))
}
