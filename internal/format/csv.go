package format

import (
	"encoding/csv"
	"io"
	"strings"
	"unicode/utf8"
)

// NewCSV returns a writer of CSV with the line ends of RFC 4180.
func NewCSV(w io.Writer) *csv.Writer {
	table := csv.NewWriter(w)
	table.UseCRLF = true
	return table
}

// CSVCell keeps a text from becoming a formula in a spreadsheet
// (https://owasp.org/www-community/attacks/CSV_Injection) or a workflow command. It
// takes one field of a CSV file, before quoting.
func CSVCell[T string | []byte](text T) string {
	s := strings.TrimRight(string(text), "\r\n\t")
	if strings.HasPrefix(strings.TrimSpace(s), "::") {
		return "'" + s
	}
	if first, _ := utf8.DecodeRuneInString(s); s != "" && strings.ContainsRune("=+-@\t\r\n＝＋－＠", first) {
		return "'" + s
	}
	return s
}

// URLCell makes a URL safe for a table that may be shown on a terminal. It means the same.
func URLCell[T string | []byte](url T) string { return CSVCell(AppendURL(nil, []byte(url))) }

// PlainCell makes a text safe for a table that may be shown on a terminal.
func PlainCell(text string) string { return CSVCell(Plain(text)) }
