// Package spelling finds what was meant by a misspelt name.
package spelling

import "slices"

// longest bounds what is compared, since time grows with the length of both.
const longest = 64

// Nearest returns the name that a misspelt one is most like, or nothing when none
// is near. Of names equally near it is the first in alphabetical order.
func Nearest(misspelt string, names []string) string {
	if len(misspelt) > longest {
		return ""
	}
	best, least := "", max(2, len(misspelt)/3)+1
	for _, name := range slices.Sorted(slices.Values(names)) {
		if d := distance(misspelt, name); d < least {
			best, least = name, d
		}
	}
	return best
}

// distance is how many bytes must be added, dropped or changed to make b of a
// (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
