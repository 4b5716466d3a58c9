package extract

// skipTemplate moves after the end of a template element whose start tag was read, or to the
// end of the page. What is in it is not part of the page until a script copies it (HTML
// standard, section 4.12.3). Templates nest; end tags in raw text do not count.
func (t *tokenizer) skipTemplate() {
	depth, open := 1, 0 // templates, and svg and math elements
	for depth > 0 && t.pos < len(t.page) {
		t.pos = t.find('<', t.pos)
		rest := t.page[t.pos:]
		switch {
		case len(rest) < len("<x"):
			t.pos = len(t.page)
		case isLetter(rest[1]):
			t.pos++
			e, ok := t.readTag()
			switch {
			case !ok:
			case e.traits&foreign != 0 && !t.selfClosing:
				open++
			case e.id == elementTemplate && open == 0:
				depth++
			default:
				t.skipContent(e)
			}
		case rest[1] == '/' && len(rest) > len("</") && isLetter(rest[2]):
			t.pos += len("</")
			e, ok := t.readTag()
			switch {
			case ok && e.traits&foreign != 0:
				open = max(open-1, 0)
			case ok && e.id == elementTemplate:
				depth, open = depth-1, 0
			}
		case rest[1] == '!':
			t.skipDeclaration(open > 0)
		case rest[1] == '?' || rest[1] == '/':
			t.skipBogus()
		default:
			t.pos++
		}
	}
}

// skipContent moves after the content of a raw text element whose start tag was read.
func (t *tokenizer) skipContent(e *element) {
	switch {
	case e.id == elementScript:
		t.readScript()
	case e.id == elementPlaintext:
		t.pos = len(t.page)
	case e.traits&rawText != 0:
		t.readRawText(e.name)
	}
}

// hasShadowRoot reports whether the template whose start tag was read is one that the parser
// itself shows (section 13.2.6.4.4, "template").
func (s *Scanner) hasShadowRoot() bool {
	return s.is(attributeShadowrootmode, "open") || s.is(attributeShadowrootmode, "closed")
}
