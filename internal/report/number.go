package report

import "strconv"

// counted returns a number with thousands set apart.
func counted(n int) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return counted(n) + " " + noun + "s"
}
