package extract

import "bytes"

// readRawText reads the content of a raw text element, from t.pos to the end
// tag with its name, where it stops, or to the end of the page (HTML standard,
// sections 13.2.5.2 to 13.2.5.14).
func (t *tokenizer) readRawText(name string) []byte {
	start := t.pos
	for {
		p := t.find('<', t.pos)
		if p >= len(t.page) || t.isEndTag(p, name) {
			t.pos = p
			return t.page[start:p]
		}
		t.pos = p + 1
	}
}

// readScript is readRawText for script, whose end tag does not count inside
// "<!--" with a "<script" in it (sections 13.2.5.15 to 13.2.5.31).
func (t *tokenizer) readScript() []byte {
	const name = "script"
	start := t.pos
	for {
		p := t.find('<', t.pos)
		switch {
		case p >= len(t.page) || t.isEndTag(p, name):
			t.pos = p
			return t.page[start:p]
		case bytes.HasPrefix(t.page[p:], []byte("<!--")):
			t.pos = p + len("<!")
			if t.skipEscapedScript(name) {
				return t.page[start:t.pos]
			}
		default:
			t.pos = p + 1
		}
	}
}

// skipEscapedScript moves from the "--" of "<!--" to after the "-->" that ends the
// escape. It stops at an end tag that ends the script, or at the end of the
// page, and then returns true.
func (t *tokenizer) skipEscapedScript(name string) (ended bool) {
	double := false
	for p := t.pos; p < len(t.page); p++ {
		t.steps++
		switch t.page[p] {
		case '-':
			if bytes.HasPrefix(t.page[p:], []byte("-->")) {
				t.pos = p + len("-->")
				return false
			}
		case '<':
			switch {
			case !t.isEndTag(p, name):
				double = double || t.isTag(p+1, name)
			case double:
				double = false
			default:
				t.pos = p
				return true
			}
		}
	}
	t.pos = len(t.page)
	return true
}

// isEndTag reports whether an end tag with that name is at p.
func (t *tokenizer) isEndTag(p int, name string) bool {
	return p+1 < len(t.page) && t.page[p+1] == '/' && t.isTag(p+2, name)
}

// isTag reports whether a tag's name is at p, followed by its end.
func (t *tokenizer) isTag(p int, name string) bool {
	if p >= len(t.page) || !hasPrefixFold(t.page[p:], name) {
		return false
	}
	end := p + len(name)
	return end < len(t.page) && endsTagName[t.page[end]]
}
