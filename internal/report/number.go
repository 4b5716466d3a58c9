package report

import (
	"strconv"
	"strings"
)

// counted returns a number with thousands set apart.
func counted(n int) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// Plural returns a number with its noun, in the plural but for one.
func Plural(n int, noun string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case strings.HasSuffix(noun, "s"):
		noun += "es"
	default:
		noun += "s"
	}
	return counted(n) + " " + noun
}
