package scan

import "bytes"

const (
	shortestUsual = 12   // of sitemap.xsd
	longestUsual  = 1024 // of Yandex
)

// locTraits returns what is unusual about a location. A location without such
// traits breaks no rule and is its own normal form. Only what differs from the
// location before is looked at.
func (s *Scanner) locTraits(loc []byte) (t Traits) {
	shared := SharedPrefix(loc, s.last)
	if len(loc) < shortestUsual || len(loc) > longestUsual {
		t = UnusualLoc | LocLength
	}
	from := min(shared, s.plain)
	if from < s.origin || s.origin == 0 {
		if s.origin = originLength(loc); s.origin == 0 {
			s.keep(loc, shared, 0)
			return t | LocOrigin | unusualFrom(loc, 0)
		}
		from = s.origin
	}
	if plainBytes(loc, from) {
		s.keep(loc, shared, len(loc))
		return t
	}
	before := loc[from-1]
	for i, c := range loc[from:] {
		if byteTraits[c] != 0 || c == '.' && before == '/' {
			s.keep(loc, shared, from+i)
			return t | unusualFrom(loc, from+i)
		}
		before = c
	}
	s.keep(loc, shared, len(loc))
	return t
}

// unusualFrom returns what is unusual from a position on.
func unusualFrom(loc []byte, from int) (t Traits) {
	before := byte('/')
	for _, c := range loc[from:] {
		t |= byteTraits[c]
		if c == '.' && before == '/' {
			t |= LocDots
		}
		before = c
	}
	if from > 0 && loc[from] == '.' {
		t |= LocDots
	}
	return t | UnusualLoc
}

// keep remembers a location, how many bytes it shares with the one before, and
// how many of its bytes are plain.
func (s *Scanner) keep(loc []byte, shared, plain int) {
	s.last, s.plain = append(s.last[:shared], loc[shared:]...), plain
	if plain == 0 {
		s.origin = 0
	}
}

// byteTraits are the traits of the bytes of a path, 0 for plain bytes.
var byteTraits = func() (set [256]Traits) {
	for c := range set {
		set[c] = LocBytes
	}
	for _, c := range []byte("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/-_.,~!*()$@:+=[]") {
		set[c] = 0
	}
	for _, c := range []byte("?&;") {
		set[c] = LocQuery
	}
	set['%'], set['#'] = LocPercent, LocFragment
	return set
}()

// originLength counts the bytes of scheme and host with the slash after them.
// It is 0 unless all are lower case, without a port, a host that may be a number,
// or letters of other scripts.
func originLength(loc []byte) int {
	i := len("https://")
	if !bytes.HasPrefix(loc, []byte("https://")) {
		if i--; !bytes.HasPrefix(loc, []byte("http://")) {
			return 0
		}
	}
	label, labels := i, 1
	for ; i < len(loc); i++ {
		switch c := loc[i]; {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '-' && i > label:
		case c == '.' && isPlainLabel(loc[label:i]):
			label = i + 1
			labels++
		case c == '/' && labels > 1 && isPlainLabel(loc[label:i]) && loc[label] > '9':
			return i + 1
		default:
			return 0
		}
	}
	return 0
}

func isPlainLabel(label []byte) bool {
	return len(label) > 0 && len(label) < 64 && label[len(label)-1] != '-' && !bytes.HasPrefix(label, []byte("xn--"))
}
