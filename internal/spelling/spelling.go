// Package spelling suggests the right name for a misspelled one.
package spelling

import "slices"

// longest limits the length of names, because the time grows with both lengths.
const longest = 64

// Nearest returns the name most similar to a misspelled one, or "" if none is similar.
// Of equally similar names it returns the first in alphabetical order.
func Nearest(misspelled string, names []string) string {
	if len(misspelled) > longest {
		return ""
	}
	best, least := "", max(2, len(misspelled)/3)+1
	for _, name := range slices.Sorted(slices.Values(names)) {
		d := distance(misspelled, name)
		if isShort := len(misspelled) < 6; isShort && d > 1 && letters(misspelled) != letters(name) {
			continue // many short words have two letters of difference: json and job
		}
		if d < least {
			best, least = name, d
		}
	}
	return best
}

// letters returns the bytes of a name in order.
func letters(name string) string {
	b := []byte(name)
	slices.Sort(b)
	return string(b)
}

// distance returns the Levenshtein distance of a and b in bytes.
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
