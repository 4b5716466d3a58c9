package format

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// Fold returns a text on one line, without white space around it.
func Fold(text string) string {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return strings.Join(strings.Fields(Plain(text)), " ")
		}
	}
	return strings.TrimSpace(text) // the crawl has folded ASCII white space
}

// Columns returns the width of a text as the rules about lengths measure it: white space is folded, and a wide or
// full-width character counts twice (UAX #11).
func Columns(text string) (n int) {
	for _, c := range Fold(text) {
		n++
		if c >= utf8.RuneSelf {
			if kind := width.LookupRune(c).Kind(); kind == width.EastAsianWide || kind == width.EastAsianFullwidth {
				n++
			}
		}
	}
	return n
}
