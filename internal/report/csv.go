package report

import "strings"

// Cell keeps a text from becoming a formula in a spreadsheet
// (https://owasp.org/www-community/attacks/CSV_Injection). It is for one field of
// a CSV file, before it is quoted.
func Cell[T string | []byte](text T) string {
	s := strings.TrimRight(string(text), "\r\n\t")
	if s != "" && strings.ContainsRune("=+-@\t\r\n＝＋－＠", []rune(s)[0]) {
		return "'" + s
	}
	return s
}
