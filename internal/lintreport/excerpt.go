package lintreport

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/lint"
	"golang.org/x/text/width"
)

// Columns of excerpts.
const (
	defaultWidth = 110 // of text whose terminal is not known
	pageWidth    = 100 // of an excerpt in a page
	minExcerpt   = 20
)

// excerpt is the printable part of a line around a finding. At is the evidence if
// the line holds it, else the character at the column of the finding.
type excerpt struct {
	Before, At, After string
	evident           bool // At is the evidence
}

// excerptOf returns an excerpt of a number of columns, 40 % of them before the finding;
// nil if the line is not known.
func excerptOf(f *lint.Finding, wide int) *excerpt {
	if f.Source == "" || f.Caret < 1 || f.Caret > len(f.Source)+1 {
		return nil
	}
	e := &excerpt{Before: strings.TrimLeft(cutStart(format.Printable(f.Source[:f.Caret-1]), wide*2/5), " ")}
	line := format.Printable(f.Source[f.Caret-1:])
	after := wide - columns(e.Before) - columns("…")
	var from, size int
	if from, size, e.evident = evidenceIn(line, evidenceOf(f), after); !e.evident {
		_, size = utf8.DecodeRuneInString(line)
	}
	room := after - columns(line[:from])
	e.Before, e.At = e.Before+line[:from], cutEnd(line[from:from+size], room)
	if room -= columns(e.At); room > 0 {
		e.After = cutEnd(line[from+size:], room)
	}
	return e
}

// evidenceOf returns the printable evidence without space around it.
func evidenceOf(f *lint.Finding) string { return strings.TrimSpace(format.Printable(f.Evidence)) }

// evidenceIn finds evidence in the shown part of a line, as it is or with escaped
// ampersands. It begins within so many columns, and may continue beyond the end of that
// part.
func evidenceIn(line, evidence string, within int) (from, size int, found bool) {
	for _, text := range []string{evidence, strings.ReplaceAll(evidence, "&", "&amp;")} {
		i := strings.Index(line, text[:min(len(text), 20)])
		if text == "" || i < 0 || columns(line[:i]) >= within {
			continue
		}
		if strings.HasPrefix(line[i:], text) || strings.HasPrefix(text, line[i:]) {
			return i, min(len(text), len(line)-i), true
		}
	}
	return 0, 0, false
}

// cutEnd cuts text to n columns and marks the cut with an ellipsis.
func cutEnd(text string, n int) string {
	wide := 0
	for i, r := range text {
		if wide += columnsOf(r); wide > n {
			return text[:i] + "…"
		}
	}
	return text
}

// cutStart keeps the last n columns of text.
func cutStart(text string, n int) string {
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

// columns returns the width of a printable text in terminal columns.
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
