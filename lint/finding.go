package lint

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/mapatools/mapa/internal/format"
)

// Finding is one place where a rule is broken, or the count of further places that
// are not reported one by one.
type Finding struct {
	Rule     *Rule
	Severity Severity // under the rule sets that are applied
	// File is the sitemap: a path, an address, or "-".
	File string
	// Line and Column count from 1, Column in bytes. Offset is the number of bytes
	// before, in the unpacked file. They are 0 when the finding is about a whole file
	// or a set.
	Line, Column int
	Offset       int64
	// Element is the element concerned, as the protocol names it, or empty.
	Element string
	// URL is the page concerned, or empty.
	URL string
	// Message says what is wrong here, for people: one line, without a full stop.
	Message Text
	// Evidence is what the file says there, cut and free of control characters. In this and
	// all other texts, asterisks replace user information in URLs.
	Evidence string
	// Source is the line of the file around the place, at most 200 bytes of it
	// without control characters, and Caret the column of the place in Source, from
	// 1. They are empty when the line is no longer in memory, as in findings about
	// the set.
	Source string
	Caret  int
	// More counts further findings of the rule in the file. Such a finding has no
	// place of its own; in all others More is 0.
	More int
}

// Count returns how many places the finding is about.
func (f *Finding) Count() int { return max(f.More, 1) }

// String returns the finding in one line: place, severity, message and rule.
func (f *Finding) String() string {
	place := f.File
	if f.Line > 0 {
		place = fmt.Sprintf("%s:%d:%d", f.File, f.Line, f.Column)
	}
	return fmt.Sprintf("%s: %s: %s [%s]", place, f.Severity, f.Message, f.Rule.ID)
}

// Fingerprint returns a text that stays the same from run to run as long as the
// same page of the same file breaks the same rule in the same way, at any place in
// the file. A finding that counts others has one per rule and file.
func (f *Finding) Fingerprint() string {
	parts := []string{f.Rule.ID, filepath.ToSlash(f.File), f.URL, f.Evidence}
	if f.More > 0 {
		parts = []string{f.Rule.ID, filepath.ToSlash(f.File), "more"}
	}
	hash := sha256.New()
	for _, part := range parts {
		hash.Write([]byte(part))
		hash.Write([]byte{0})
	}
	return hex.EncodeToString(hash.Sum(nil)[:16])
}

// mask replaces user information in the texts that come from the file.
func (f *Finding) mask() {
	f.URL, f.Message, f.Evidence = format.MaskUser(f.URL), f.Message.masked(), format.MaskUser(f.Evidence)
	f.Source = maskSource(f.Source)
}

// maskSource masks the user information in a line that may have been cut within it.
func maskSource(line string) string {
	if end := strings.IndexAny(line, " \"'<>/@"); end > 0 && line[end] == '@' {
		line = strings.Repeat("*", end) + line[end:]
	}
	return format.MaskUser(line)
}
