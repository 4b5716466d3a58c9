package lint

import (
	"encoding"
	"fmt"
	"strconv"
	"strings"
)

// Threshold is the limit, or the two limits, of the number that a rule compares. Get one
// from Above, Below or Outside, or from another one with Parse. The zero value has no limit:
// no number is beyond it.
type Threshold struct {
	form          thresholdForm
	first, second int
	steps         int // how many of the limits there are, from 0
}

type thresholdForm uint8

const (
	formNone thresholdForm = iota
	formAbove
	formBelow
	formOutside
)

// Above returns the threshold of numbers that may be too high: a number above the first
// limit has the severity of the rule, and one above the second, higher limit, if there is
// one, that of Rule.Escalated.
func Above(first int, second ...int) Threshold { return newThreshold(formAbove, first, second) }

// Below returns the threshold of numbers that may be too low: a number below the first limit
// has the severity of the rule, and one below the second, lower limit, if there is one, that
// of Rule.Escalated.
func Below(first int, second ...int) Threshold { return newThreshold(formBelow, first, second) }

// Outside returns the threshold of numbers that may be too low or too high. Low and high
// are not beyond it.
func Outside(low, high int) Threshold { return newThreshold(formOutside, low, []int{high}) }

func newThreshold(form thresholdForm, first int, second []int) Threshold {
	t := Threshold{form: form, first: first, steps: 1}
	if len(second) > 0 {
		t.second, t.steps = second[0], 2
	}
	return t
}

// Limits returns the limits: none, one, or two.
func (t Threshold) Limits() []int { return []int{t.first, t.second}[:t.steps] }

// Beyond returns how many limits a number passes: 0, 1 or 2. It is at most 1 of a range.
func (t Threshold) Beyond(n int) int {
	passed := 0
	for i, limit := range t.Limits() {
		if t.form == formAbove && n > limit || t.form == formBelow && n < limit ||
			t.form == formOutside && (i == 0 && n < limit || i == 1 && n > limit) {
			passed++
		}
	}
	return passed
}

var _ encoding.TextMarshaler = Threshold{}

// String returns the limits: "30-60" for a range, "4,10" or "200,50" for two limits, the
// first one first, "1000" for one limit, and nothing without one.
func (t Threshold) String() string {
	separator := ","
	if t.form == formOutside {
		separator = "-"
	}
	var limits []string
	for _, limit := range t.Limits() {
		limits = append(limits, strconv.Itoa(limit))
	}
	return strings.Join(limits, separator)
}

// MarshalText returns the text of String.
func (t Threshold) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// Parse returns a threshold of the same form as t with other limits, as String writes them.
// The second limit may be left out, except in a range, and then no number is beyond it.
func (t Threshold) Parse(text string) (Threshold, error) {
	separator := ","
	switch t.form {
	case formNone:
		return t, fmt.Errorf("there is no threshold to change to %q", text)
	case formOutside:
		separator = "-"
	}
	parsed := Threshold{form: t.form}
	for limit := range strings.SplitSeq(text, separator) {
		n, err := strconv.ParseUint(strings.TrimSpace(limit), 10, 31)
		if err != nil || parsed.steps == 2 {
			return t, t.errorOf(text)
		}
		if parsed.steps++; parsed.steps == 1 {
			parsed.first = int(n)
		} else {
			parsed.second = int(n)
		}
	}
	if !parsed.ordered() || parsed.steps > t.steps {
		return t, t.errorOf(text)
	}
	return parsed, nil
}

// ordered reports whether a second limit is where the form needs it.
func (t Threshold) ordered() bool {
	switch t.form {
	case formAbove:
		return t.steps == 1 || t.first < t.second
	case formBelow:
		return t.steps == 1 || t.first > t.second
	}
	return t.steps == 2 && t.first <= t.second
}

func (t Threshold) errorOf(text string) error {
	switch {
	case t.form == formOutside:
		return fmt.Errorf("the threshold is a range such as %s, not %q", t, text)
	case t.steps == 1:
		return fmt.Errorf("the threshold is a number such as %s, not %q", t, text)
	case t.form == formBelow:
		return fmt.Errorf("the threshold is a number, or two of which the second is lower, such as %s, not %q", t, text)
	}
	return fmt.Errorf("the threshold is a number, or two of which the second is higher, such as %s, not %q", t, text)
}
