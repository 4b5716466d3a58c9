package extract

import (
	"bytes"
	"slices"
)

// value returns the value of an attribute with references decoded.
func (s *Scanner) value(a attribute) []byte {
	raw := s.raw(a)
	s.steps += len(raw)
	for _, c := range raw {
		if needsDecoding[c] {
			return s.decoded(raw)
		}
	}
	return raw
}

// names returns the value of an attribute that is compared with names, with references
// decoded.
func (s *Scanner) names(a attribute) []byte {
	raw := s.raw(a)
	if bytes.IndexByte(raw, '&') < 0 {
		return raw
	}
	return s.decoded(raw)
}

func (s *Scanner) decoded(raw []byte) []byte {
	from := len(s.arena)
	s.arena = s.refs.decodeAttribute(s.arena, raw)
	return slices.Clip(s.arena[from:])
}

// keep copies text into the arena. The result is never nil, so that an empty title
// differs from a missing one while the page is read.
func (s *Scanner) keep(text []byte) []byte {
	from := len(s.arena)
	s.arena = append(s.arena, text...)
	kept := slices.Clip(s.arena[from:])
	if kept == nil {
		return []byte{}
	}
	return kept
}

// keepText copies what was captured into the arena, folded.
func (s *Scanner) keepText(c *capture) []byte {
	if c.decoded || !s.coding.ascii {
		return s.keep(fold(c.text))
	}
	return s.keep(c.text)
}

// folded returns the value of an attribute, as written, as a text, folded and cut at limit bytes.
// It is not nil.
func (s *Scanner) folded(raw []byte, limit int) []byte {
	from := len(s.arena)
	s.arena = s.refs.decodeAttribute(s.arena, raw)
	text := cut(fold(s.arena[from:]), limit)
	s.arena = s.arena[:from+len(text)]
	return slices.Clip(text)
}

// hasToken reports whether one of the attribute's tokens is the given one.
func (s *Scanner) hasToken(a attribute, want string) bool {
	for rest := s.names(a); len(rest) > 0; {
		var token []byte
		if token, rest = cutToken(rest); equalFold(token, want) {
			return true
		}
	}
	return false
}

// is reports whether the attribute's value, without white space around it, is the
// given one.
func (s *Scanner) is(a attribute, want string) bool {
	return s.has(a) && equalFold(trim(s.names(a)), want)
}

// anyToken reports whether one of the attribute's tokens is on the list.
func (s *Scanner) anyToken(a attribute, list *names) bool {
	for rest := s.names(a); len(rest) > 0; {
		var token []byte
		if token, rest = cutToken(rest); list.find(token) != 0 {
			return true
		}
	}
	return false
}
