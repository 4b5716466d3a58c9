package urlnorm

import (
	"hash/fnv"
	"strings"
)

// Template returns a number that is equal for URLs with the same pattern: the same folders,
// and the same parameters, whatever digits they have, however the last part is called.
func Template(url string) uint32 {
	h := fnv.New32a()
	path, query, _ := strings.Cut(url, "?")
	path = strings.TrimSuffix(path, "/")
	end := strings.LastIndexByte(path, '/') + 1
	ending := ""
	if dot := strings.LastIndexByte(path[end:], '.'); dot >= 0 && strings.Trim(path[end+dot+1:], letters) == "" {
		ending = path[end+dot:]
	}
	writePattern(h, path[:end])
	h.Write([]byte(ending))
	for parameter := range strings.SplitSeq(query, "&") {
		name, _, _ := strings.Cut(parameter, "=")
		h.Write([]byte{0})
		writePattern(h, name)
	}
	return max(h.Sum32(), 1)
}

// letters are those of the endings of file names.
const letters = "abcdefghijklmnopqrstuvwxyz"

// writePattern writes a text with one zero in place of each run of digits.
func writePattern(h interface{ Write([]byte) (int, error) }, text string) {
	digits := false
	for i := range len(text) {
		c := text[i]
		isDigit := c >= '0' && c <= '9'
		if isDigit && digits {
			continue
		}
		if digits = isDigit; isDigit {
			c = '0'
		}
		h.Write([]byte{c})
	}
}
