//go:build !amd64

package sitemap

// follow is followInWords.
func follow(b []byte, pieces []piece, values *[fields]span) (end int, clean bool) {
	return followInWords(b, pieces, values)
}
