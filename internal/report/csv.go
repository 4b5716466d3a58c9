package report

import (
	"strings"
	"unicode/utf8"
)

// Cell keeps a text from becoming a formula in a spreadsheet
// (https://owasp.org/www-community/attacks/CSV_Injection). It is for one field of
// a CSV file, before it is quoted.
func Cell[T string | []byte](text T) string {
	s := strings.TrimRight(string(text), "\r\n\t")
	if first, _ := utf8.DecodeRuneInString(s); s != "" && strings.ContainsRune("=+-@\t\r\n＝＋－＠", first) {
		return "'" + s
	}
	return s
}
