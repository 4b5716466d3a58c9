package sitemap

import (
	"errors"
	"fmt"
	"math"
	"strconv"
)

// A URL is one page to write: the protocol's four fields and the extensions. Only
// Loc is required; absent values are not written. In an index it is a file, with Loc
// and LastMod only.
type URL struct {
	// Loc is the absolute http or https URL of the page. The writer percent-encodes
	// and escapes it exactly once: what is encoded or escaped already stays.
	Loc string
	// LastMod is the date of the page's last change, not of the sitemap's creation.
	LastMod Date
	// ChangeFreq is ignored by Google and Bing.
	ChangeFreq ChangeFreq
	// Priority is ignored by Google and Bing.
	Priority Priority
	Extensions

	plain string // the Loc that EncodeLoc left, if it is written as it is
}

// EncodeLoc replaces Loc by what the function [EncodeLoc] returns. A writer does not check
// it again unless it is changed afterwards. After an error Loc is as it was.
func (u *URL) EncodeLoc() error {
	if isPlainLoc(u.Loc) {
		u.plain = u.Loc
		return nil
	}
	loc, err := EncodeLoc(u.Loc)
	if err == nil {
		u.Loc = loc
	}
	return err
}

// A ChangeFreq is how often a page is likely to change. The empty one is absent.
type ChangeFreq string

// The values of the protocol (https://www.sitemaps.org/protocol.html#changefreqdef).
const (
	ChangeFreqAlways  ChangeFreq = "always"
	ChangeFreqHourly  ChangeFreq = "hourly"
	ChangeFreqDaily   ChangeFreq = "daily"
	ChangeFreqWeekly  ChangeFreq = "weekly"
	ChangeFreqMonthly ChangeFreq = "monthly"
	ChangeFreqYearly  ChangeFreq = "yearly"
	ChangeFreqNever   ChangeFreq = "never"
)

// Valid reports whether f is a value of the protocol.
func (f ChangeFreq) Valid() bool {
	switch f {
	case ChangeFreqAlways, ChangeFreqHourly, ChangeFreqDaily, ChangeFreqWeekly, ChangeFreqMonthly, ChangeFreqYearly,
		ChangeFreqNever:
		return true
	}
	return false
}

// A Priority is the weight of a page among those of its site, from 0.0 to 1.0. The
// zero value is an absent priority, which consumers read as 0.5; it is not
// PriorityOf(0).
type Priority struct {
	value float64
	set   bool
}

// PriorityOf returns a priority that is present. The writer checks the range.
func PriorityOf(value float64) Priority { return Priority{value, true} }

// Value returns the priority and whether there is one.
func (p Priority) Value() (value float64, present bool) { return p.value, p.set }

// longestPriority leaves 18 decimal places, all that a schema processor must
// understand (XML Schema part 2, 3.2.3).
const longestPriority = len("0.") + 18

func (p Priority) appendTo(dst []byte) []byte {
	start := len(dst)
	dst = strconv.AppendFloat(dst, p.value, 'f', -1, 64)
	if len(dst) == start+1 {
		dst = append(dst, ".0"...)
	}
	return dst[:min(len(dst), start+longestPriority)]
}

var errPriority = errors.New("not a decimal number from 0.0 to 1.0")

// parsePriority reads an xsd:decimal, which has no exponent and no NaN. A number
// outside the range is returned together with the error.
func parsePriority(text []byte) (Priority, error) {
	if text == nil {
		return Priority{}, nil
	}
	for i, c := range text {
		if (c < '0' || c > '9') && c != '.' && !(i == 0 && (c == '-' || c == '+')) {
			return Priority{}, errPriority
		}
	}
	value, err := strconv.ParseFloat(string(text), 64)
	if err != nil || math.IsInf(value, 0) {
		return Priority{}, errPriority
	}
	if value < 0 || value > 1 {
		return Priority{value, true}, errPriority
	}
	return Priority{value, true}, nil
}

// A FieldError names a field whose value cannot be written, or was read and cannot
// be parsed. Find it in an error chain with errors.As.
type FieldError struct {
	Field string // its name in the protocol: "loc", "video:thumbnail_loc"
	Value string // shortened, for people
	Err   error  // why
}

// Error returns the field, the reason and the value.
func (e *FieldError) Error() string {
	if e.Value == "" {
		return fmt.Sprintf("%s: %v", e.Field, e.Err)
	}
	return fmt.Sprintf("%s: %v: %q", e.Field, e.Err, e.Value)
}

// Unwrap returns the reason.
func (e *FieldError) Unwrap() error { return e.Err }
