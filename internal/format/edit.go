package format

// Edit returns the parts of two texts that differ: what lies between their common beginning and their common end, in
// bytes.
func Edit(before, after string) (removed, added string) {
	start := 0
	for start < min(len(before), len(after)) && before[start] == after[start] {
		start++
	}
	before, after = before[start:], after[start:]
	for before != "" && after != "" && before[len(before)-1] == after[len(after)-1] {
		before, after = before[:len(before)-1], after[:len(after)-1]
	}
	return before, after
}
