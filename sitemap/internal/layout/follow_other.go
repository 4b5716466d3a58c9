//go:build !amd64

package layout

// follow is followInWords.
func follow(b []byte, pieces []piece, values *[Fields]Span) (end int, clean bool) {
	return followInWords(b, pieces, values)
}
