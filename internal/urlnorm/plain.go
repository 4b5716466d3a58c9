package urlnorm

import "bytes"

// appendPlain resolves the references that need no parser: nothing to encode, decode,
// map or fold, and dot segments only at the beginning. For all others, valid or not,
// it returns false, and dst is undefined.
func (b *Base) appendPlain(dst, ref []byte) ([]byte, bool) {
	if b.url == "" {
		return appendPlainAbsolute(dst, ref)
	}
	if len(ref) == 0 || ref[0] == '#' {
		return append(dst, b.url...), true
	}
	switch ref[0] {
	case '/':
		if len(ref) > 1 && ref[1] == '/' {
			dst = append(dst, b.url[:b.scheme+1]...)
			return appendPlainHost(dst, ref, len("//"))
		}
		return appendPlainPath(append(dst, b.url[:b.path]...), ref, 0)
	case '?':
		end, ok := plainQueryEnd(ref, 1)
		return append(append(dst, b.url[:b.query]...), ref[:end]...), ok
	case 'h':
		if b.sameOrigin(ref) {
			return appendPlainRoot(dst, ref, b.path)
		}
		if out, ok := appendPlainAbsolute(dst, ref); ok {
			return out, true
		}
	}
	return b.appendPlainRelative(dst, ref)
}

// appendPlainAbsolute appends ref, which begins with its scheme.
func appendPlainAbsolute(dst, ref []byte) ([]byte, bool) {
	switch {
	case bytes.HasPrefix(ref, []byte("https://")):
		return appendPlainHost(dst, ref, len("https://"))
	case bytes.HasPrefix(ref, []byte("http://")):
		return appendPlainHost(dst, ref, len("http://"))
	}
	return dst, false
}

// sameOrigin reports whether ref begins with the origin of the base, so that its host
// need not be checked.
func (b *Base) sameOrigin(ref []byte) bool {
	return len(ref) >= b.path && string(ref[:b.path]) == b.url[:b.path] &&
		(len(ref) == b.path || endsAuthority(ref[b.path]))
}

func endsAuthority(c byte) bool { return c == '/' || c == '?' || c == '#' }

// appendPlainHost appends ref, whose host begins at index host.
func appendPlainHost(dst, ref []byte, host int) ([]byte, bool) {
	end, ok := plainHostEnd(ref, host)
	if !ok || end-host > maxHost {
		return dst, false
	}
	return appendPlainRoot(dst, ref, end)
}

// plainHostEnd returns the end of the host that begins at i. It excludes hosts that
// could be punycode (two hyphens) or an IPv4 address (a last label that is empty or
// begins with a digit).
func plainHostEnd(ref []byte, i int) (end int, ok bool) {
	label := i
	for ; i < len(ref); i++ {
		c := ref[i]
		if class[c]&plainHost != 0 {
			continue
		}
		switch {
		case c == '.':
			label = i + 1
		case c == '-' && i+1 < len(ref) && ref[i+1] != '-':
		case endsAuthority(c):
			return i, i > label && ref[label] > '9'
		default:
			return 0, false
		}
	}
	return i, i > label && ref[label] > '9'
}

// appendPlainRoot appends an absolute ref, whose path, if any, begins at path.
func appendPlainRoot(dst, ref []byte, path int) ([]byte, bool) {
	if path < len(ref) && ref[path] == '/' {
		return appendPlainPath(dst, ref, path)
	}
	end, ok := plainEnd(ref, path)
	if !ok {
		return dst, false
	}
	dst = append(append(dst, ref[:path]...), '/')
	return append(dst, ref[path:end]...), true
}

// appendPlainPath appends ref up to its fragment; its path begins at path.
func appendPlainPath(dst, ref []byte, path int) ([]byte, bool) {
	end, ok := plainEnd(ref, path)
	return append(dst, ref[:end]...), ok
}

func (b *Base) appendPlainRelative(dst, ref []byte) ([]byte, bool) {
	dir, i := b.leadingDots(ref)
	if i == 0 && hasScheme(ref) {
		return dst, false
	}
	end, ok := plainEnd(ref, i)
	if !ok {
		return dst, false
	}
	return append(append(dst, b.url[:dir]...), ref[i:end]...), true
}

// leadingDots removes the dot segments from the beginning of ref. It returns the
// length of the base that remains, and the index in ref after them.
func (b *Base) leadingDots(ref []byte) (dir, i int) {
	dir = b.dir
	for i < len(ref) && ref[i] == '.' {
		next := i + 1
		up := next < len(ref) && ref[next] == '.'
		if up {
			next++
		}
		if next < len(ref) && !endsAuthority(ref[next]) {
			break
		}
		if up {
			dir = b.parent(dir)
		}
		i = next
		if i == len(ref) || ref[i] != '/' {
			break
		}
		i++
	}
	return dir, i
}

// parent returns the length of the base up to the parent directory of dir, or up to
// the root.
func (b *Base) parent(dir int) int {
	for i := dir - 1; i > b.path; i-- {
		if b.url[i-1] == '/' {
			return i
		}
	}
	return b.path + 1
}

// hasScheme reports whether ref may begin with a scheme.
func hasScheme(ref []byte) bool {
	for _, c := range ref {
		if c == ':' {
			return true
		}
		if endsAuthority(c) {
			break
		}
	}
	return false
}

// plainEnd returns the end of the path and query that begin at start. It returns
// false if they cannot be copied as they are.
func plainEnd(ref []byte, start int) (end int, ok bool) {
	for i := start; i < len(ref); i++ {
		c := ref[i]
		if class[c]&stopPath == 0 {
			continue
		}
		switch c {
		case '.':
			if (i == start || ref[i-1] == '/') && mayBeDots(ref, i+1) {
				return 0, false
			}
		case '%':
			if i+2 < len(ref) && ref[i+1] == '2' && ref[i+2]|0x20 == 'e' {
				return 0, false
			}
		case '?':
			return plainQueryEnd(ref, i+1)
		case '#':
			return i, true
		default:
			return 0, false
		}
	}
	return len(ref), true
}

// mayBeDots reports whether the dot before index i, first in its segment, may
// belong to a dot segment.
func mayBeDots(ref []byte, i int) bool {
	if i == len(ref) {
		return true
	}
	switch ref[i] {
	case '/', '\\', '?', '#', '.', '%':
		return true
	}
	return false
}

// plainQueryEnd is plainEnd for a query that begins at i.
func plainQueryEnd(ref []byte, i int) (end int, ok bool) {
	n := i + plainLength(ref[i:], stopQuery)
	return n, n == len(ref) || ref[n] == '#'
}
