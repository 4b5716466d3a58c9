package figures

import (
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// isSeparator reports whether a character separates thousands in a number: spaces of all kinds,
// points, commas and apostrophes.
func isSeparator(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(".,'’", r) }

// maxCount is more than anything that is counted here.
const maxCount = 1_000_000_000_000

// parseCount reads a whole number, whatever separates its thousands.
func parseCount(text string) (n int64, ok bool) {
	groups := strings.FieldsFunc(text, isSeparator)
	for i, group := range groups {
		if i > 0 && len(group) != 3 || strings.Trim(group, "0123456789") != "" {
			return 0, false
		}
	}
	n, err := strconv.ParseInt(strings.Join(groups, ""), 10, 64)
	return n, err == nil && n <= maxCount
}

// parseDecimal reads a number in thousandths. Of several points or commas the last one begins the decimals, and a
// single one too.
func parseDecimal(text string) (n int64, ok bool) {
	text = strings.TrimSpace(text)
	last := strings.LastIndexAny(text, ".,")
	whole, decimals := text, ""
	if last >= 0 {
		whole, decimals = text[:last], text[last+1:]
	}
	count, ok := int64(0), true
	if whole != "" {
		count, ok = parseCount(whole)
	}
	f, err := strconv.ParseFloat("0."+decimals+"0", 64)
	if !ok || err != nil || strings.Trim(decimals, "0123456789") != "" || count > math.MaxInt32 || whole+decimals == "" {
		return 0, false
	}
	return count*1000 + int64(math.Round(f*1000)), true
}

// isPercent reports whether a text is a share, such as "3.75%" or "3,75 %".
func isPercent(text string) bool {
	number, is := strings.CutSuffix(text, "%")
	_, ok := parseDecimal(number)
	return is && ok
}

// dayForms are the forms of a day that are read. The last two are ambiguous: a column decides.
var dayForms = []string{
	time.DateOnly, "2006/01/02", "2/1/2006", "1/2/2006", "2.1.2006", "2-1-2006", "1-2-2006", "2.1.06", "2/1/06", "1/2/06",
	"Jan 2, 2006", "2 Jan 2006",
}

// A dayReader reads the days of a column, all in one form.
type dayReader struct {
	form  string
	known bool // the form follows from the column
}

// newDayReader finds the form of the days of a column. Where several fit, those that follow one another decide, and
// then the separator of the table: a semicolon is used where the day comes before the month.
func newDayReader(days []string, comma rune) dayReader {
	var fitting []string
	for _, form := range dayForms {
		if fits(form, days) {
			fitting = append(fitting, form)
		}
	}
	switch {
	case len(fitting) == 0:
		return dayReader{}
	case len(fitting) == 1:
		return dayReader{fitting[0], true}
	}
	best, bestSpan := "", time.Duration(math.MaxInt64)
	for _, form := range fitting {
		if span := spanOf(form, days); span < bestSpan {
			best, bestSpan = form, span
		}
	}
	isSure := spanOf(fitting[0], days) != spanOf(fitting[1], days)
	if !isSure && comma != ';' {
		best = fitting[1] // the month comes first
	}
	return dayReader{best, isSure}
}

// fits reports whether all days of a column can be read in a form.
func fits(form string, days []string) bool {
	some := false
	for _, day := range days {
		if day == "" {
			continue
		}
		if _, err := time.Parse(form, dayOnly(day)); err != nil {
			return false
		}
		some = true
	}
	return some
}

// spanOf returns the time between the first and the last day of a column.
func spanOf(form string, days []string) time.Duration {
	var first, last time.Time
	for _, day := range days {
		if t, err := time.Parse(form, dayOnly(day)); err == nil {
			if first.IsZero() || t.Before(first) {
				first = t
			}
			if t.After(last) {
				last = t
			}
		}
	}
	return last.Sub(first)
}

// dayOnly returns a time without its clock.
func dayOnly(text string) string {
	text, _, _ = strings.Cut(text, "T")
	if before, _, has := strings.Cut(text, ":"); has {
		if space := strings.LastIndexByte(before, ' '); space >= 0 {
			text = before[:space]
		}
	}
	return strings.TrimSpace(text)
}

// firstDay is before any visit of a search engine: exports have 1970 for none.
var firstDay = time.Date(1998, 1, 1, 0, 0, 0, 0, time.UTC)

// read returns a day as YYYY-MM-DD, or "" for any other text.
func (d dayReader) read(text string) string {
	t, err := time.Parse(d.form, dayOnly(text))
	if d.form == "" || err != nil || t.Before(firstDay) {
		return ""
	}
	return t.Format(time.DateOnly)
}
