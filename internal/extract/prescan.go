package extract

import (
	"bytes"
)

const prescanLength = 1024

// prescan returns the encoding that the beginning of a page states (HTML
// standard, section 13.2.3.2, "prescan a byte stream to determine its
// encoding"). It returns "" when there is none.
func (c *coding) prescan(head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte("<\x00?\x00x\x00")):
		return utf16LEName
	case bytes.HasPrefix(head, []byte("\x00<\x00?\x00x")):
		return utf16BEName
	}
	t := tokenizer{page: head}
	for t.pos < len(head) {
		t.pos = t.find('<', t.pos)
		if t.pos+1 >= len(head) {
			break
		}
		switch next := head[t.pos+1]; {
		case bytes.HasPrefix(head[t.pos:], []byte("<!--")):
			t.skipPrescanComment()
		case isLetter(next):
			t.pos++
			if e, complete := t.readTag(); complete && e.id == elementMeta {
				if name := c.metaCharset(&t); name != "" {
					return name
				}
			}
		case next == '/' && t.pos+2 < len(head) && isLetter(head[t.pos+2]):
			t.pos += 2
			t.readTag()
		case next == '!' || next == '/' || next == '?':
			t.skipBogus()
		default:
			t.pos++
		}
	}
	return c.xmlEncoding(head)
}

// skipPrescanComment moves after the "-->" of the comment at t.pos. The prescan
// knows no other end of comments.
func (t *tokenizer) skipPrescanComment() {
	end := bytes.Index(t.page[t.pos+len("<!"):], []byte("-->"))
	if end < 0 {
		t.pos = len(t.page)
		return
	}
	t.pos += len("<!") + end + len("-->")
}

// metaCharset returns the name of the encoding that a meta element states, or "".
func (c *coding) metaCharset(t *tokenizer) string {
	var name string
	switch {
	case t.has(attributeCharset):
		name = c.lookupDeclared(t.raw(attributeCharset))
	case t.has(attributeHTTPEquiv) && equalFold(t.raw(attributeHTTPEquiv), "content-type"):
		name = c.lookupDeclared(charsetOfContent(t.raw(attributeContent)))
	}
	return name
}

// lookupDeclared is lookup for a label inside the page. A page whose label could
// be read as ASCII cannot be UTF-16; the standard takes it as UTF-8.
func (c *coding) lookupDeclared(label []byte) string {
	switch name := c.lookup(string(label)); name {
	case utf16BEName, utf16LEName:
		return utf8Name
	case "x-user-defined":
		return windows1252Name
	default:
		return name
	}
}

// charsetOfContent returns the charset in the content of a meta element (HTML
// standard, section 2.4.4, "extracting a character encoding from a meta
// element"), or nothing.
func charsetOfContent(content []byte) []byte {
	for {
		found := indexFold(content, "charset")
		if found < 0 {
			return nil
		}
		content = trimLeft(content[found+len("charset"):])
		if len(content) == 0 || content[0] != '=' {
			continue
		}
		content = trimLeft(content[1:])
		if len(content) == 0 {
			return nil
		}
		if quote := content[0]; quote == '"' || quote == '\'' {
			label, _, closed := bytes.Cut(content[1:], []byte{quote})
			if !closed {
				return nil
			}
			return label
		}
		if end := bytes.IndexAny(content, "; \t\n\f\r"); end >= 0 {
			content = content[:end]
		}
		return content
	}
}

func indexFold(b []byte, want string) int {
	for i := 0; i+len(want) <= len(b); i++ {
		if hasPrefixFold(b[i:], want) {
			return i
		}
	}
	return -1
}

// xmlEncoding returns the name of the encoding in an XML declaration at the
// beginning of the page, or "" (HTML standard, section 13.2.3.2, "get an XML
// encoding").
func (c *coding) xmlEncoding(head []byte) string {
	if !bytes.HasPrefix(head, []byte("<?xml")) {
		return ""
	}
	declaration, _, closed := bytes.Cut(head, []byte(">"))
	if !closed {
		return ""
	}
	_, rest, found := bytes.Cut(declaration, []byte("encoding"))
	if !found {
		return ""
	}
	rest = bytes.TrimLeftFunc(rest, isSpaceOrControl)
	if len(rest) == 0 || rest[0] != '=' {
		return ""
	}
	rest = bytes.TrimLeftFunc(rest[1:], isSpaceOrControl)
	if len(rest) == 0 || rest[0] != '"' && rest[0] != '\'' {
		return ""
	}
	label, _, closed := bytes.Cut(rest[1:], rest[:1])
	if !closed || bytes.ContainsFunc(label, isSpaceOrControl) {
		return ""
	}
	return c.lookupDeclared(label)
}

// isSpaceOrControl reports whether r may be around the "=" of an XML declaration.
func isSpaceOrControl(r rune) bool { return r <= ' ' }
