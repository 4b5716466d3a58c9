package report

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mapatools/mapa/lint"
	"golang.org/x/text/width"
)

const (
	excerptBefore = 40 // columns shown left of a finding
	excerptAfter  = 60
)

// An excerpt is the piece of a line around a finding, printable. At is the
// evidence where the piece holds it, or else the character at the place.
type excerpt struct{ Before, At, After string }

// excerptOf returns nil where the line is not known.
func excerptOf(f *lint.Finding) *excerpt {
	if f.Source == "" || f.Caret < 1 || f.Caret > len(f.Source)+1 {
		return nil
	}
	before := strings.TrimLeft(last(Printable(f.Source[:f.Caret-1]), excerptBefore), " ")
	after := first(Printable(f.Source[f.Caret-1:]), excerptAfter)
	evidence := Printable(f.Evidence)
	if i := strings.Index(after, evidence); i >= 0 && evidence != "" {
		return &excerpt{before + after[:i], evidence, after[i+len(evidence):]}
	}
	_, size := utf8.DecodeRuneInString(after)
	return &excerpt{before, after[:size], after[size:]}
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
