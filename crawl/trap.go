package crawl

import (
	"bytes"
	"time"
)

// trapDetector recognizes the traps that show in one URL, or in one link. It does
// not change, so it needs no lock. trapCounter recognizes the others.
type trapDetector struct {
	bounds     Traps
	newestYear int
	oldestYear int
}

func newTrapDetector(bounds Traps, now time.Time) trapDetector {
	return trapDetector{
		bounds:     bounds,
		newestYear: now.Year() + bounds.YearsAhead,
		oldestYear: now.Year() - bounds.YearsBack,
	}
}

// detect returns the trap that a URL by itself shows, or TrapNone.
func (d *trapDetector) detect(address []byte) TrapKind {
	_, path := splitURL(address)
	if query := bytes.IndexByte(path, '?'); query >= 0 {
		path = path[:query]
	}
	segments := bytes.Count(path, []byte{'/'})
	switch {
	case len(address) > d.bounds.Length:
		return TrapLength
	case segments > d.bounds.Segments:
		return TrapSegments
	case segments >= d.bounds.Repeats && d.repeatsSegment(path):
		return TrapRepeats
	case d.repeatsEscape(address):
		return TrapEscapes
	}
	return TrapNone
}

// repeatsEscape reports whether escapes have been escaped again and again.
func (d *trapDetector) repeatsEscape(address []byte) bool {
	if bytes.IndexByte(address, '%') >= 0 {
		if max(bytes.Count(address, []byte("%25")), timesEscaped(address)) >= d.bounds.Escapes {
			return true
		}
	}
	return bytes.IndexByte(address, ';') >= 0 && bytes.Count(address, []byte("amp;")) >= d.bounds.Escapes
}

// timesEscaped returns how often one percent sign was escaped, at most: %252525 was
// escaped three times.
func timesEscaped(address []byte) int {
	most := 0
	for {
		_, after, found := bytes.Cut(address, []byte{'%'})
		if !found {
			return most
		}
		times := 0
		for address = after; bytes.HasPrefix(address, []byte("25")); address = address[2:] {
			times++
		}
		most = max(most, times)
	}
}

// repeatsSegment reports whether one segment occurs too often in a path. Numbers of
// one or two digits may: they are dates and page numbers.
func (d *trapDetector) repeatsSegment(path []byte) bool {
	rest := path
	for left := bytes.Count(path, []byte{'/'}); left >= d.bounds.Repeats; left-- {
		var segment []byte
		segment, rest = cutSegment(rest)
		if len(segment) == 0 || len(segment) <= 2 && isNumber(segment) {
			continue
		}
		count := 1
		for later := rest; len(later) > 0; {
			var next []byte
			if next, later = cutSegment(later); bytes.Equal(next, segment) {
				count++
			}
		}
		if count >= d.bounds.Repeats {
			return true
		}
	}
	return false
}

// cutSegment splits a path after its first segment, which loses its slash.
func cutSegment(path []byte) (segment, rest []byte) {
	path = path[1:]
	if end := bytes.IndexByte(path, '/'); end >= 0 {
		return path[:end], path[end:]
	}
	return path, nil
}

func isNumber(b []byte) bool {
	for _, c := range b {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(b) > 0
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isAlphanumeric(c byte) bool { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'z' }
