package extract

import "bytes"

// span is a range of bytes of the page.
type span struct{ start, end int }

// tokenizer finds the tags of a page (HTML standard, section 13.2.5). It holds the
// attributes of the last tag.
type tokenizer struct {
	page []byte
	pos  int
	tag  int // where the last tag begins
	// steps is the number of bytes that were read, so that tests can check
	// that it is linear in the page.
	steps int

	seen        uint64 // a bit for every attribute of the tag
	values      [attributeCount]span
	selfClosing bool
}

// find returns the index of the first c at or after from, or the end of the page.
func (t *tokenizer) find(c byte, from int) int {
	i := bytes.IndexByte(t.page[from:], c)
	if i < 0 {
		i = len(t.page) - from
	}
	t.steps += i + 1
	return from + i
}

// has reports whether the tag has the attribute.
func (t *tokenizer) has(a attribute) bool { return t.seen&(1<<a) != 0 }

// raw returns the value of the attribute as written in the page, or nothing when the
// tag does not have it.
func (t *tokenizer) raw(a attribute) []byte {
	if !t.has(a) {
		return nil
	}
	v := t.values[a]
	return t.page[v.start:v.end]
}

// readTag reads the tag whose name begins at t.pos and moves after it. When the page
// ends inside the tag, which is then ignored, it moves to the end and returns false.
func (t *tokenizer) readTag() (*element, bool) {
	page, p := t.page, t.pos
	for p < len(page) && !endsTagName[page[p]] {
		p++
	}
	e := &elements[elementNames.find(page[t.pos:p])]
	t.seen, t.selfClosing = 0, false
	t.steps += p - t.pos + 1
	complete := t.readAttributes(p)
	return e, complete
}

var (
	endsTagName       = [256]bool{' ': true, '\t': true, '\n': true, '\f': true, '\r': true, '/': true, '>': true}
	endsAttributeName = [256]bool{' ': true, '\t': true, '\n': true, '\f': true, '\r': true, '/': true, '>': true,
		'=': true}
	endsUnquoted = [256]bool{' ': true, '\t': true, '\n': true, '\f': true, '\r': true, '>': true}
)

// readAttributes reads from p, after the name of the tag, to after its end.
func (t *tokenizer) readAttributes(p int) bool {
	page := t.page
	for {
		from := p
		for p < len(page) && (isSpace[page[p]] || page[p] == '/') {
			p++
		}
		if p >= len(page) {
			break
		}
		if page[p] == '>' {
			t.selfClosing = p > from && page[p-1] == '/'
			t.pos = p + 1
			return true
		}
		start := p
		p++ // even a "=" begins a name
		for p < len(page) && !endsAttributeName[page[p]] {
			p++
		}
		name := page[start:p]
		for p < len(page) && isSpace[page[p]] {
			p++
		}
		value := span{p, p}
		if p < len(page) && page[p] == '=' {
			value, p = t.readValue(p + 1)
		}
		t.steps += p - from
		if p >= len(page) {
			break
		}
		if a := attributeNames.find(name); a != 0 && t.seen&(1<<a) == 0 {
			t.seen |= 1 << a
			t.values[a] = value
		}
	}
	t.pos = len(page)
	return false
}

// readValue reads the value of an attribute after its "=", and returns the index
// after it.
func (t *tokenizer) readValue(p int) (span, int) {
	page := t.page
	for p < len(page) && isSpace[page[p]] {
		p++
	}
	if p >= len(page) {
		return span{p, p}, p
	}
	if quote := page[p]; quote == '"' || quote == '\'' {
		end := bytes.IndexByte(page[p+1:], quote)
		if end < 0 {
			return span{p, p}, len(page)
		}
		return span{p + 1, p + 1 + end}, p + 1 + end + 1
	}
	start := p
	for p < len(page) && !endsUnquoted[page[p]] {
		p++
	}
	return span{start, p}, p
}

// skipDeclaration moves after the markup that begins with "<!" at t.pos: a comment, a
// CDATA section in foreign content, or else a document type or bogus comment,
// which ends at the first ">".
func (t *tokenizer) skipDeclaration(foreign bool) {
	rest := t.page[t.pos+2:]
	switch {
	case bytes.HasPrefix(rest, []byte("--")):
		t.skipComment()
	case foreign && bytes.HasPrefix(rest, []byte("[CDATA[")):
		end := bytes.Index(rest, []byte("]]>"))
		if end < 0 {
			end = len(rest)
		}
		t.steps += end
		t.pos = min(t.pos+2+end+len("]]>"), len(t.page))
	default:
		t.skipBogus()
	}
}

// skipBogus moves after the first ">" after t.pos.
func (t *tokenizer) skipBogus() {
	t.pos = min(t.find('>', t.pos)+1, len(t.page))
}

// skipComment moves after the comment at t.pos. It ends with "-->" or "--!>";
// the dashes that begin it may belong to the former, as in "<!-->".
func (t *tokenizer) skipComment() {
	content := t.pos + len("<!--")
	for p := content; ; p++ {
		p = t.find('>', p)
		if p >= len(t.page) {
			t.pos = len(t.page)
			return
		}
		before := t.page[t.pos:p]
		if bytes.HasSuffix(before, []byte("--")) || p-3 >= content && bytes.HasSuffix(before, []byte("--!")) {
			t.pos = p + 1
			return
		}
	}
}
