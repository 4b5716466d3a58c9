package xmltext

// AppendEscaped appends text with the five characters escaped that
// sitemaps.org/protocol.html#escaping names, and the white space that a parser
// would replace (XML 1.0, 2.11 and 3.3.3).
func AppendEscaped[T string | []byte](dst []byte, text T) []byte {
	from := 0
	for i := range len(text) {
		var entity string
		switch text[i] {
		case '&':
			entity = "&amp;"
		case '<':
			entity = "&lt;"
		case '>':
			entity = "&gt;"
		case '"':
			entity = "&quot;"
		case '\'':
			entity = "&apos;"
		case '\t':
			entity = "&#9;"
		case '\n':
			entity = "&#10;"
		case '\r':
			entity = "&#13;"
		default:
			continue
		}
		dst = append(append(dst, text[from:i]...), entity...)
		from = i + 1
	}
	return append(dst, text[from:]...)
}
