package robots

import (
	"bytes"
	"cmp"
	"strings"
	"unsafe"
)

// rule is an Allow or Disallow line made ready to match.
type rule struct {
	written pattern
	encoded *pattern // compared besides written where the forms can differ
	octets  int      // how specific the rule is
	allow   bool
	line    int
	text    string
}

// size is about how many bytes of memory the rule holds.
func (r *rule) size() int {
	size := int(unsafe.Sizeof(*r)) + len(r.text) + cap(r.written.head) + cap(r.written.tail)
	if r.encoded != nil {
		size += int(unsafe.Sizeof(*r.encoded)) + cap(r.encoded.head) + cap(r.encoded.tail)
	}
	return size
}

// appendRules appends the rules that an Allow or Disallow line amounts to: none
// when its value is empty, two when it allows the index page of a directory and
// so, as Google has it, the directory.
func appendRules(rules []rule, line Line) []rule {
	if line.Value == "" {
		return rules
	}
	rules = append(rules, newRule(line, line.Value))
	if line.Kind == Allow {
		if directory, ok := indexedDirectory(line.Value); ok {
			rules = append(rules, newRule(line, directory+"$"))
		}
	}
	return rules
}

func newRule(line Line, value string) rule {
	value, anchored := strings.CutSuffix(value, "$")
	text := written.append(nil, value)
	alike := text
	if !encodedPattern.keeps(value) {
		alike = encodedPattern.append(nil, value)
	}
	r := rule{
		written: newPattern(text, anchored),
		octets:  len(alike),
		allow:   line.Kind == Allow,
		line:    line.Number,
		text:    line.Text,
	}
	if anchored {
		r.octets++
	}
	if !bytes.Equal(text, alike) || holdsEscapedReserved(value) {
		p := newPattern(alike, anchored)
		r.encoded = &p
	}
	return r
}

// indexedDirectory gives the directory, slash included, whose index page value
// names.
func indexedDirectory(value string) (directory string, ok bool) {
	slash := strings.LastIndexByte(value, '/')
	switch strings.TrimSuffix(value[slash+1:], "$") {
	case "index.html", "index.htm":
		return value[:slash+1], slash >= 0
	}
	return "", false
}

// match reports whether the rule matches the URL with the given path, which is
// in the forms written and encoded.
func (r *rule) match(path, alike []byte) bool {
	return r.written.match(path) || r.encoded != nil && r.encoded.match(alike)
}

// bySpecificity puts the rule that wins first: the one with more octets, and
// among equals the one that allows (RFC 9309, section 2.2.2).
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

// pattern is a path pattern cut at its first star.
type pattern struct {
	head     []byte // literal
	tail     []byte // what follows the first star; may hold more of them
	star     bool
	anchored bool // must reach the end of the path
}

var star = []byte{'*'}

func newPattern(text []byte, anchored bool) pattern {
	p := pattern{anchored: anchored}
	p.head, p.tail, p.star = bytes.Cut(text, star)
	return p
}

// match reports whether the pattern matches from the first octet of path. Each
// literal between stars is taken where it is first found, which leaves most to
// the others, so the time is linear in pattern and path.
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
