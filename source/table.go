package source

import (
	"bufio"
	"bytes"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mapatools/mapa/internal/urlnorm"
	"github.com/mapatools/mapa/sitemap"
	"golang.org/x/text/encoding/charmap"
)

// A table assigns the columns of a table to fields.
type table struct {
	columns columns
	guess   bool             // without a usual name, the first column with a URL counts
	column  [fieldCount]int  // -1 for none
	isLoose [fieldCount]bool // of the column
	form    addressForm      // of the addresses
	checks  []checkedColumn
	header  []string // nil without one
	handle  []byte   // of the row before
	address []byte   // of the row, where the cell has another form
}

// A checkedColumn says whether pages may be listed.
type checkedColumn struct {
	at    int
	check pageCheck
}

func newTable(names map[string]string) *table {
	t := &table{columns: columns{given: names}}
	for f := range t.column {
		t.column[f] = -1
	}
	return t
}

// readHeader assigns the columns by the names in the first record. It reports whether
// that is a header: it has the name of a column with addresses, or one that
// RowOptions.Columns gives, or no address at all.
func (t *table) readHeader(cells []cell) (isHeader bool, err error) {
	names := texts(cells)
	at, role := t.columns.best(fieldLoc, names)
	if at < 0 && firstAddress(cells) >= 0 {
		return false, t.readNumbers()
	}
	t.header, t.form = names, role.form
	for f := range fieldStatus {
		best, role := t.columns.best(f, names)
		if role.isLoose && t.form == formPath { // the day of the visits, not of the page
			best = -1
		}
		t.column[f], t.isLoose[f] = best, role.isLoose
	}
	columns, roles := t.columns.all(fieldStatus, names)
	for i, at := range columns {
		t.checks = append(t.checks, checkedColumn{at, roles[i].check})
		t.column[fieldStatus] = at
	}
	for f := range fieldCount {
		if name := t.columns.given[f.String()]; name != "" && t.column[f] < 0 {
			return true, &ColumnError{Field: f.String(), Column: name, Columns: names}
		}
	}
	return true, nil
}

// missing returns the error of a table whose header names no column with addresses. The
// likely one is the first with an address or, in the first row, with a slash.
func (t *table) missing(row []cell) error {
	err := &ColumnError{Field: fieldLoc.String(), Columns: t.header}
	if len(t.header) == 0 {
		return err
	}
	likely := firstAddress(row)
	if likely < 0 {
		likely = slices.IndexFunc(row, func(c cell) bool { return bytes.IndexByte(c.text, '/') >= 0 })
	}
	if likely < 0 || likely >= len(t.header) {
		likely = 0
	}
	err.Likely = t.header[likely]
	return err
}

// hasAddresses reports whether it is known which column has the addresses, or will be.
func (t *table) hasAddresses() bool {
	_, isIgnored := t.columns.given[fieldLoc.String()]
	return t.header == nil || t.column[fieldLoc] >= 0 || t.guess || isIgnored
}

// readNumbers assigns the columns of a table without a header, which RowOptions.Columns
// gives by number.
func (t *table) readNumbers() error {
	for f := range fieldCount {
		name, given := t.columns.given[f.String()]
		if !given || name == "" {
			continue
		}
		number, err := strconv.Atoi(name)
		if err != nil || number < 1 || number > maxColumns {
			columns := []string{"numbered from 1, because there is no header"}
			return &ColumnError{Field: f.String(), Column: name, Columns: columns}
		}
		t.column[f] = number - 1
	}
	if at := t.column[fieldStatus]; at >= 0 {
		t.checks = []checkedColumn{{at, checkStatus}}
	}
	return nil
}

// firstAddress returns the index of the first cell that holds a URL, or a path from the
// root, or -1.
func firstAddress(cells []cell) int {
	return slices.IndexFunc(cells, func(c cell) bool { return isRooted(c.text) })
}

// isRooted reports whether a text is a URL, or a path from the root.
func isRooted(text []byte) bool {
	return len(text) > 0 && text[0] == '/' || urlnorm.IsHTTP(string(text[:min(len(text), len("https://"))]))
}

// fill copies the cells of a row into a record. It reports whether the row is one of a page:
// a comment, and a further row of the same product, are not.
func (t *table) fill(found *record, cells []cell) (isPage bool, err error) {
	if t.column[fieldLoc] < 0 {
		t.column[fieldLoc] = firstAddress(cells)
	}
	for f, i := range t.column {
		found.cells[f] = cell{column: 1}
		if i >= 0 && i < len(cells) {
			found.cells[f] = cells[i]
			found.cells[f].isLoose = t.isLoose[f]
		}
	}
	found.unlisted = t.unlisted(cells)
	loc := &found.cells[fieldLoc]
	switch {
	case isComment(cells) && (len(loc.text) == 0 || t.column[fieldLoc] == 0):
		return false, nil
	case !t.setAddress(found, loc):
		return false, nil
	case t.header == nil:
		return true, nil
	}
	for _, further := range cells[min(len(cells), len(t.header)):] {
		if len(further.text) > 0 {
			return true, &RowError{Line: found.line, Column: further.column, Err: ErrTooManyColumns}
		}
	}
	return true, nil
}

// isComment reports whether a row begins with #.
func isComment(cells []cell) bool {
	return len(cells) > 0 && bytes.HasPrefix(cells[0].text, []byte("#"))
}

// unlisted returns why the page of a row must not be listed, or nil.
func (t *table) unlisted(cells []cell) *UnlistedError {
	for _, column := range t.checks {
		if column.at < len(cells) && column.check.refuses(cells[column.at].text) {
			name := fieldStatus.String()
			if t.header != nil {
				name = t.header[column.at]
			}
			return &UnlistedError{name, shown(cells[column.at].text)}
		}
	}
	return nil
}

// setAddress brings the address of a row into the form of a reference. It reports false for
// a row of no page: a total, and a further row of the same product.
func (t *table) setAddress(found *record, loc *cell) bool {
	text := bytes.TrimSpace(loc.text)
	switch {
	case len(text) == 0 || t.form == formReference:
		return t.form != formPath
	case t.form == formPath:
		if !isRooted(text) && found.unlisted == nil {
			found.unlisted = &UnlistedError{t.header[t.column[fieldLoc]], shown(text)}
		}
		return true
	case t.form == formHandle:
		if bytes.Equal(text, t.handle) {
			return false
		}
		t.handle = append(t.handle[:0], text...)
	}
	loc.text, t.address = t.form.reference(text, t.address[:0])
	return true
}

// reference returns the address of a product by its name, in a buffer. A name with a slash
// is an address already.
func (f addressForm) reference(name, buffer []byte) (text, grown []byte) {
	if bytes.IndexByte(name, '/') >= 0 {
		return name, buffer
	}
	switch f {
	case formHandle:
		buffer = append(append(buffer, "products/"...), name...)
	case formKey:
		buffer = append(append(buffer, name...), ".html"...)
	default:
		return name, buffer
	}
	return buffer, buffer
}

// shown returns a short value for a count of rows by their values.
func shown(value []byte) string {
	const most = 40
	text := strings.ToValidUTF8(strings.TrimSpace(string(value)), "\ufffd")
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}

// A tableReader reads the records of a table in CSV.
type tableReader struct {
	*table
	rows     *csvReader
	isBegun  bool // the header was read, or there is none
	isLoaded bool // so was a row
}

// parseCSV reads a table. With guess, a table whose header names no column with addresses
// is read too, see [table].
func parseCSV(in *bufio.Reader, comma byte, names map[string]string, guess bool) iter.Seq2[*record, error] {
	return func(yield func(*record, error) bool) {
		r := tableReader{table: newTable(names), rows: newCSVReader(in, comma)}
		r.guess = guess
		var found record
		for {
			cells, line, err := r.rows.next()
			switch {
			case err == io.EOF:
				if r.isBegun && !r.isLoaded && !r.hasAddresses() {
					yield(nil, r.missing(nil))
				}
				return
			case err != nil:
				if !yield(nil, err) {
					return
				}
				continue
			case len(cells) == 1 && len(cells[0].text) == 0:
				continue // an empty line
			}
			found.line = line
			isPage, isLast, err := r.read(&found, cells)
			if (isPage || err != nil) && !yield(&found, err) || isLast {
				return
			}
		}
	}
}

// read reads a record of the file. isLast says that the table cannot be read.
func (r *tableReader) read(found *record, cells []cell) (isPage, isLast bool, err error) {
	if !r.isBegun {
		if isComment(cells) && !r.namesAddresses(cells) {
			return false, false, nil
		}
		r.isBegun = true
		isHeader, err := r.readHeader(cells)
		if err != nil || isHeader {
			return false, err != nil, err
		}
	}
	if r.isLoaded = true; !r.hasAddresses() {
		return false, true, r.missing(cells)
	}
	isPage, err = r.fill(found, cells)
	return isPage, false, err
}

// namesAddresses reports whether a row has the name of a column with addresses.
func (t *table) namesAddresses(cells []cell) bool {
	at, _ := t.columns.best(fieldLoc, texts(cells))
	return at >= 0
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
	cells := splitLine(first, comma)
	t := newTable(names)
	if _, err := t.readHeader(cells); err != nil || t.column[fieldLoc] >= 0 || len(cells) == maxColumns {
		return true
	}
	if firstAddress(cells) < 0 || len(cells) == 1 {
		return false
	}
	return comma == '\t' || slices.ContainsFunc(cells, isValue)
}

// splitLine returns the cells of a line, as far as their number is that of a table.
func splitLine(line []byte, comma byte) (cells []cell) {
	for text := range bytes.SplitSeq(bytes.TrimSpace(line), []byte{comma}) {
		if len(cells) == maxColumns {
			break
		}
		cells = append(cells, cell{text: bytes.Trim(text, `" `)})
	}
	return cells
}

// texts returns the names in a header, which may be of an old program for Windows.
func texts(cells []cell) (all []string) {
	for _, c := range cells {
		text := string(c.text)
		if !utf8.ValidString(text) {
			text, _ = charmap.Windows1252.NewDecoder().String(text)
		}
		all = append(all, strings.TrimSpace(text))
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
