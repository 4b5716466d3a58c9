package content

import "testing"

// TestMinus subtracts the sums of two answers: a date is no change that was or is the one of an answer.
func TestMinus(t *testing.T) {
	const event, other = 100, 1000
	for name, test := range map[string]struct {
		earlier, now Sums
		isSame       bool
	}{
		"a date of today, later":      {Sums{Today: event}, Sums{Numbers: event}, true},
		"a date comes":                {Sums{Numbers: event}, Sums{Today: event}, true},
		"today and another day":       {Sums{Today: event, Numbers: other}, Sums{Numbers: event, Today: other}, true},
		"it always says today":        {Sums{Today: event}, Sums{Today: other}, true},
		"another date":                {Sums{Numbers: event}, Sums{Numbers: other}, false},
		"another date, and today":     {Sums{Numbers: event, Today: 7}, Sums{Numbers: other, Today: 7}, false},
		"numbers in other places":     {Sums{Numbers: 5, Places: 1}, Sums{Numbers: 5, Places: 2}, false},
		"places of a text that moved": {Sums{Text: 1, Places: 1}, Sums{Text: 2, Places: 2}, true},
	} {
		test.earlier.Version, test.now.Version = Version, Version
		if got := test.now.Differs(&test.earlier)&PartNumbers == 0; got != test.isSame {
			t.Errorf("%s: the same is %t", name, got)
		}
	}
}
