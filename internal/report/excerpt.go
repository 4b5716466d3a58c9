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
// evidence where the line holds it, or else the character at the place.
type excerpt struct {
	Before, At, After string
	evident           bool // At is the evidence
}

// excerptOf returns nil where the line is not known.
func excerptOf(f *lint.Finding) *excerpt {
	if f.Source == "" || f.Caret < 1 || f.Caret > len(f.Source)+1 {
		return nil
	}
	e := &excerpt{Before: strings.TrimLeft(last(Printable(f.Source[:f.Caret-1]), excerptBefore), " ")}
	line := Printable(f.Source[f.Caret-1:])
	var from, size int
	if from, size, e.evident = evidenceIn(line, evidenceOf(f)); !e.evident {
		_, size = utf8.DecodeRuneInString(line)
	}
	room := excerptAfter - columns(line[:from])
	e.Before, e.At = e.Before+line[:from], first(line[from:from+size], room)
	if room -= columns(e.At); room > 0 {
		e.After = first(line[from+size:], room)
	}
	return e
}

// evidenceOf returns the evidence without what could not be seen at its ends.
func evidenceOf(f *lint.Finding) string { return strings.TrimSpace(Printable(f.Evidence)) }

// evidenceIn finds evidence in what is shown of a line, as it is or with its
// ampersands escaped. It may run on where the line is cut.
func evidenceIn(line, evidence string) (from, size int, found bool) {
	for _, text := range []string{evidence, strings.ReplaceAll(evidence, "&", "&amp;")} {
		i := strings.Index(line, text[:min(len(text), 20)])
		if text == "" || i < 0 || columns(line[:i]) >= excerptAfter {
			continue
		}
		if strings.HasPrefix(line[i:], text) || strings.HasPrefix(text, line[i:]) {
			return i, min(len(text), len(line)-i), true
		}
	}
	return 0, 0, false
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
