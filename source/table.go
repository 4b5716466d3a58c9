package source

import (
	"bufio"
	"bytes"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/mapatools/mapa/internal/urlnorm"
	"github.com/mapatools/mapa/sitemap"
)

// A table assigns the columns of a table to fields.
type table struct {
	names  map[string]string // by field, what RowOptions.Columns says
	column [fieldCount]int   // -1 for none
	header []string          // nil without one
}

func newTable(names map[string]string) *table {
	t := &table{names: names}
	for f := range t.column {
		t.column[f] = -1
	}
	return t
}

// readHeader assigns the columns by the names in the first record. It reports whether
// that is a header: it has the name of a column with addresses, or one that
// RowOptions.Columns gives, or no address at all.
func (t *table) readHeader(cells []cell) (isHeader bool, err error) {
	names := make([]string, len(cells))
	for i := range cells {
		names[i] = strings.TrimSpace(string(cells[i].text))
	}
	at := t.find(fieldLoc, names)
	if at < 0 && firstAddress(cells) >= 0 {
		return false, t.readNumbers()
	}
	t.header = names
	for f := range fieldCount {
		t.column[f] = t.find(f, names)
		name, given := t.names[f.String()]
		if given && name != "" && t.column[f] < 0 {
			return true, &ColumnError{f.String(), name, names}
		}
	}
	return true, nil
}

// find returns the index of the column of a field, or -1.
func (t *table) find(f field, header []string) int {
	usual := columnNames[f]
	if name, given := t.names[f.String()]; given {
		usual = []string{name}
	}
	for _, name := range usual {
		is := func(cell string) bool { return name != "" && strings.EqualFold(cell, name) }
		if i := slices.IndexFunc(header, is); i >= 0 {
			return i
		}
	}
	return -1
}

// readNumbers assigns the columns of a table without a header, which RowOptions.Columns
// gives by number.
func (t *table) readNumbers() error {
	for f := range fieldCount {
		name, given := t.names[f.String()]
		if !given || name == "" {
			continue
		}
		number, err := strconv.Atoi(name)
		if err != nil || number < 1 || number > maxColumns {
			return &ColumnError{f.String(), name, []string{"numbered from 1, because there is no header"}}
		}
		t.column[f] = number - 1
	}
	return nil
}

// firstAddress returns the index of the first cell that holds an address, or -1.
func firstAddress(cells []cell) int {
	return slices.IndexFunc(cells, func(c cell) bool { return urlnorm.IsHTTP(string(c.text)) })
}

// fill copies the cells of a row into a record.
func (t *table) fill(found *record, cells []cell) error {
	if t.column[fieldLoc] < 0 {
		t.column[fieldLoc] = firstAddress(cells)
	}
	for f, i := range t.column {
		found.cells[f] = cell{column: 1}
		if i >= 0 && i < len(cells) {
			found.cells[f] = cells[i]
		}
	}
	if t.header == nil {
		return nil
	}
	for _, further := range cells[min(len(cells), len(t.header)):] {
		if len(further.text) > 0 {
			return &RowError{Line: found.line, Column: further.column, Err: ErrTooManyColumns}
		}
	}
	return nil
}

// parseCSV reads a table.
func parseCSV(in *bufio.Reader, comma byte, names map[string]string) iter.Seq2[*record, error] {
	return func(yield func(*record, error) bool) {
		reader, table := newCSVReader(in, comma), newTable(names)
		var found record
		for first := true; ; {
			cells, line, err := reader.next()
			switch {
			case err == io.EOF:
				return
			case err != nil:
				if !yield(nil, err) {
					return
				}
				continue
			case len(cells) == 1 && len(cells[0].text) == 0:
				continue // an empty line
			}
			if first {
				first = false
				isHeader, err := table.readHeader(cells)
				if err != nil {
					yield(nil, err)
					return
				}
				if isHeader {
					continue
				}
			}
			found.line = line
			err = table.fill(&found, cells)
			if !yield(&found, err) {
				return
			}
		}
	}
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

// isTable reports whether a line is the first one of a table: a header with a column of
// addresses, or an address next to a cell that can only be a value.
func isTable(first []byte, names map[string]string) bool {
	comma := delimiterOf(first)
	var cells []cell
	for text := range bytes.SplitSeq(bytes.TrimSpace(first), []byte{comma}) {
		if len(cells) == maxColumns {
			return true
		}
		cells = append(cells, cell{text: bytes.Trim(text, `" `)})
	}
	isHeader, err := newTable(names).readHeader(cells)
	if err != nil || isHeader && newTable(names).find(fieldLoc, texts(cells)) >= 0 {
		return true
	}
	address := firstAddress(cells)
	if address < 0 || len(cells) == 1 {
		return false
	}
	return comma == '\t' || slices.ContainsFunc(cells, isValue)
}

func texts(cells []cell) (all []string) {
	for _, c := range cells {
		all = append(all, string(c.text))
	}
	return all
}

// isValue reports whether a cell is a lastmod or a changefreq.
func isValue(c cell) bool {
	date, err := sitemap.ParseDate(c.text)
	if err == nil && date.Precision() >= sitemap.PrecisionDay {
		return true
	}
	_, err = changeFreq(c.text)
	return err == nil
}
