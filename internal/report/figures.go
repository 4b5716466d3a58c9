package report

import (
	"fmt"
	"strconv"
	"strings"
)

// number writes a count with a comma every three digits.
func number(n int) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// plural writes a count with its noun.
func plural(n int, noun string) string {
	switch {
	case n == 1:
	case strings.HasSuffix(noun, "s"):
		noun += "es"
	default:
		noun += "s"
	}
	return number(n) + " " + noun
}

func percent(share float64) string { return fmt.Sprintf("%.1f", share) }
