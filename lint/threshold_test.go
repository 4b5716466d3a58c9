package lint_test

import (
	"strings"
	"testing"

	"github.com/mapatools/mapa/lint"
)

func TestThreshold(t *testing.T) {
	for _, c := range []struct {
		threshold lint.Threshold
		text      string
		beyond    map[int]int
	}{
		{lint.Threshold{}, "", map[int]int{-1: 0, 0: 0, 1 << 40: 0}},
		{lint.Above(1000), "1000", map[int]int{0: 0, 1000: 0, 1001: 1, 1 << 40: 1}},
		{lint.Above(4, 10), "4,10", map[int]int{0: 0, 4: 0, 5: 1, 10: 1, 11: 2}},
		{lint.Below(21), "21", map[int]int{-1: 1, 20: 1, 21: 0, 22: 0}},
		{lint.Below(200, 50), "200,50", map[int]int{0: 2, 49: 2, 50: 1, 199: 1, 200: 0, 201: 0}},
		{lint.Outside(30, 60), "30-60", map[int]int{0: 1, 29: 1, 30: 0, 60: 0, 61: 1}},
	} {
		if got := c.threshold.String(); got != c.text {
			t.Errorf("got %q, want %q", got, c.text)
		}
		for n, want := range c.beyond {
			if got := c.threshold.Beyond(n); got != want {
				t.Errorf("%d passes %d limits of %s, want %d", n, got, c.text, want)
			}
		}
	}
}

func TestParseThreshold(t *testing.T) {
	above, steps, below, outside := lint.Above(1000), lint.Above(4, 10), lint.Below(200, 50), lint.Outside(30, 60)
	for _, c := range []struct {
		of         lint.Threshold
		text, want string // want is the text, or a part of the error
	}{
		{above, "1500", "1500"}, {above, " 0 ", "0"}, {above, "1,2", "a number such as 1000, not"},
		{steps, "3,12", "3,12"}, {steps, "3 , 12", "3,12"}, {steps, "3", "3"},
		{steps, "12,3", "the second is higher, such as 4,10, not"}, {steps, "3,3", "the second is higher"},
		{steps, "1,2,3", "the second is higher"}, {steps, "3-12", "the second is higher"},
		{steps, "", "the second is higher"},
		{below, "100,20", "100,20"}, {below, "100", "100"}, {below, "20,100", "the second is lower, such as 200,50, not"},
		{outside, "20-70", "20-70"}, {outside, "20-20", "20-20"}, {outside, "70-20", "a range such as 30-60, not"},
		{outside, "20", "a range"}, {outside, "20,70", "a range"}, {outside, "-5-70", "a range"},
		{outside, "20-x", "a range"},
		{outside, "0-99999999999999999999", "a range"}, {lint.Threshold{}, "1", "there is no threshold"},
	} {
		parsed, err := c.of.Parse(c.text)
		switch {
		case err == nil && parsed.String() == c.want:
		case err != nil && parsed == c.of && strings.Contains(err.Error(), c.want) && strings.Contains(err.Error(), c.text):
		default:
			t.Errorf("%q: got %s and %v, want %s", c.text, parsed, err, c.want)
		}
	}
	parsed, err := below.Parse("100")
	if err != nil || parsed.Beyond(99) != 1 || parsed.Beyond(0) != 1 || parsed.Beyond(100) != 0 {
		t.Errorf("%s does not keep the direction: %v", parsed, err)
	}
}
