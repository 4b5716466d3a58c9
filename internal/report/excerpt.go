package report

import (
	"strings"
	"unicode"

	"github.com/mapatools/mapa/lint"
	"golang.org/x/text/width"
)

const (
	excerptBefore = 40 // columns shown left of a finding
	excerptAfter  = 60
)

// excerpt returns the piece of a finding's line around it, printable, cut in two
// where the finding is. It is empty where the line is not known.
func excerpt(f *lint.Finding) (before, after string) {
	if f.Caret < 1 || f.Caret > len(f.Source)+1 {
		return "", ""
	}
	before, after = f.Source[:f.Caret-1], f.Source[f.Caret-1:]
	before = strings.TrimLeft(last(Printable(before), excerptBefore), " ")
	return before, first(Printable(after), excerptAfter)
}

// first cuts a text to n columns, with an ellipsis where it is cut.
func first(text string, n int) string {
	wide := 0
	for i, r := range text {
		if wide += columnsOf(r); wide > n {
			return text[:i] + "…"
		}
	}
	return text
}

// last does the same from the end.
func last(text string, n int) string {
	surplus := columns(text) - n
	if surplus <= 0 {
		return text
	}
	for i, r := range text {
		if surplus < 0 {
			return "…" + text[i:]
		}
		surplus -= columnsOf(r)
	}
	return "…"
}

// columns returns how many columns of a terminal a printable text takes.
func columns(text string) (n int) {
	for _, r := range text {
		n += columnsOf(r)
	}
	return n
}

func columnsOf(r rune) int {
	switch {
	case unicode.In(r, unicode.Mn, unicode.Me):
		return 0
	case r < 0x1100:
		return 1
	}
	if kind := width.LookupRune(r).Kind(); kind == width.EastAsianWide || kind == width.EastAsianFullwidth {
		return 2
	}
	return 1
}
