package extract

// lower maps a byte to its ASCII lower case; other bytes stay.
func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}

// isSpace holds the ASCII white space of the Infra standard.
var isSpace = [256]bool{' ': true, '\t': true, '\n': true, '\f': true, '\r': true}

func isLetter(c byte) bool { c |= 0x20; return 'a' <= c && c <= 'z' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func trimLeft(b []byte) []byte {
	for len(b) > 0 && isSpace[b[0]] {
		b = b[1:]
	}
	return b
}

// trim removes ASCII white space from both ends.
func trim(b []byte) []byte {
	b = trimLeft(b)
	for len(b) > 0 && isSpace[b[len(b)-1]] {
		b = b[:len(b)-1]
	}
	return b
}

// equalFold compares b with want, which is in lower case, in any ASCII
// case.
func equalFold(b []byte, want string) bool {
	return len(b) == len(want) && hasPrefixFold(b, want)
}

// hasPrefixFold reports whether b starts with prefix, which is in lower case, in
// any ASCII case.
func hasPrefixFold(b []byte, prefix string) bool {
	if len(b) < len(prefix) {
		return false
	}
	for i := range len(prefix) {
		if lower(b[i]) != prefix[i] {
			return false
		}
	}
	return true
}
