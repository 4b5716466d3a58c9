package robots

import (
	"bytes"
	"cmp"
	"strings"
	"unsafe"
)

// A rule is an Allow or Disallow line, prepared for matching.
type rule struct {
	written pattern
	encoded *pattern // compared as well, when the forms can differ
	octets  int      // length of the pattern: the most specific rule wins
	allow   bool
	line    int
	text    string
}

// size returns the approximate number of bytes of memory that the rule holds.
func (r *rule) size() int {
	size := int(unsafe.Sizeof(*r)) + len(r.text) + cap(r.written.head) + cap(r.written.tail)
	if r.encoded != nil {
		size += int(unsafe.Sizeof(*r.encoded)) + cap(r.encoded.head) + cap(r.encoded.tail)
	}
	return size
}

// appendRules appends the rules of an Allow or Disallow line: none when its value is
// empty, and two when it allows the index page of a directory, because Google's
// parser then allows the directory too.
func appendRules(rules []rule, line Line) []rule {
	if line.Value == "" {
		return rules
	}
	rules = append(rules, newRule(line, line.Value))
	if line.Kind == KindAllow {
		if directory, ok := indexedDirectory(line.Value); ok {
			rules = append(rules, newRule(line, directory+"$"))
		}
	}
	return rules
}

func newRule(line Line, value string) rule {
	value, anchored := strings.CutSuffix(value, "$")
	text := written.append(nil, value)
	normal := text
	if !encodedPattern.keeps(value) {
		normal = encodedPattern.append(nil, value)
	}
	r := rule{
		written: newPattern(text, anchored),
		octets:  len(normal),
		allow:   line.Kind == KindAllow,
		line:    line.Number,
		text:    line.Text,
	}
	if anchored {
		r.octets++
	}
	if !bytes.Equal(text, normal) || hasEscapedReserved(value) {
		p := newPattern(normal, anchored)
		r.encoded = &p
	}
	return r
}

// indexedDirectory returns the directory, with its slash, whose index page the value
// names.
func indexedDirectory(value string) (directory string, ok bool) {
	slash := strings.LastIndexByte(value, '/')
	switch strings.TrimSuffix(value[slash+1:], "$") {
	case "index.html", "index.htm":
		return value[:slash+1], slash >= 0
	}
	return "", false
}

// match reports whether the rule matches a path, given in the forms written and
// encoded.
func (r *rule) match(path, normal []byte) bool {
	return r.written.match(path) || r.encoded != nil && r.encoded.match(normal)
}

// bySpecificity orders rules by precedence: the one with more octets first, and of
// two with as many the one that allows (RFC 9309, section 2.2.2).
func bySpecificity(a, b rule) int {
	if a.octets != b.octets {
		return cmp.Compare(b.octets, a.octets)
	}
	switch {
	case a.allow == b.allow:
		return 0
	case a.allow:
		return -1
	default:
		return 1
	}
}

// A pattern is a path pattern, cut at its first star.
type pattern struct {
	head     []byte // literal
	tail     []byte // after the first star; may contain more stars
	star     bool
	anchored bool // must match up to the end of the path
}

var star = []byte{'*'}

func newPattern(text []byte, anchored bool) pattern {
	p := pattern{anchored: anchored}
	p.head, p.tail, p.star = bytes.Cut(text, star)
	return p
}

// match reports whether the pattern matches path from its first octet. Each literal
// between stars is matched at its first occurrence, which leaves the most for the
// others, so there is no backtracking.
func (p *pattern) match(path []byte) bool {
	rest, found := bytes.CutPrefix(path, p.head)
	if !found {
		return false
	}
	if !p.star {
		return !p.anchored || len(rest) == 0
	}
	literal, tail, more := bytes.Cut(p.tail, star)
	for more {
		at := bytes.Index(rest, literal)
		if at < 0 {
			return false
		}
		rest = rest[at+len(literal):]
		literal, tail, more = bytes.Cut(tail, star)
	}
	if p.anchored {
		return bytes.HasSuffix(rest, literal)
	}
	return bytes.Contains(rest, literal)
}
