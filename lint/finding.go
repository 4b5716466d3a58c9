package lint

import (
	"fmt"
	"strings"
)

// A Finding is one place where a rule is broken, or the count of the places
// that are like those reported before.
type Finding struct {
	Rule     *Rule
	Severity Severity // under the rule set that is applied
	// File is the sitemap: a path, an address, or "-".
	File string
	// Line and Column count from 1, Column in bytes, Offset the bytes before, in
	// the unpacked file. They are 0 where the finding is about a whole file or a
	// set.
	Line, Column int
	Offset       int64
	// Element is the element concerned, as the protocol names it, or empty.
	Element string
	// URL is the page concerned, or empty.
	URL string
	// Message says what is wrong here, for people: one line, without a full stop.
	Message string
	// Evidence is what the file says there, cut and free of control characters.
	Evidence string
	// Source is the line of the file around the place, at most 200 bytes of it
	// without control characters, and Caret the column of the place in Source,
	// from 1. They are empty where the line is not in memory any more, as in
	// findings about the set.
	Source string
	Caret  int
	// More counts further findings of this rule in this file that are not
	// reported one by one. It is set only in a finding that stands for them and
	// has no place of its own.
	More int
}

// Count is how many places the finding stands for.
func (f *Finding) Count() int { return max(f.More, 1) }

// String returns the finding in one line: place, severity, rule, message.
func (f *Finding) String() string {
	place := f.File
	if f.Line > 0 {
		place = fmt.Sprintf("%s:%d:%d", f.File, f.Line, f.Column)
	}
	return fmt.Sprintf("%s: %s: %s [%s]", place, f.Severity, f.Message, f.Rule.ID)
}

const longestEvidence = 200

// printable cuts text from a file to a length that fits a line and removes what
// could move a terminal's cursor or reverse its writing direction.
func printable(text []byte) string {
	cut := text[:min(len(text), longestEvidence)]
	s := strings.Map(func(r rune) rune {
		switch {
		case r < 0x20, r >= 0x7f && r < 0xa0:
			return ' '
		case r >= 0x200b && r <= 0x200f, r >= 0x2028 && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == 0xfeff, r == 0x61c:
			return -1
		}
		return r
	}, strings.ToValidUTF8(string(cut), "\uFFFD"))
	if len(cut) < len(text) {
		s += "…"
	}
	return s
}
