package sourcedir

import (
	"html"
	"slices"
	"strings"
)

// linkAttributes are the attributes with targets, without what frameworks put before their names.
var linkAttributes = []string{"href", "to", "src"}

// readAngle reads the tag, the comment or the URL in angle brackets that begins at an offset.
func (s *scanner) readAngle(i int) int {
	rest := s.text[i:]
	switch {
	case strings.HasPrefix(rest, "<!--"):
		if end := strings.Index(rest, "-->"); end >= 0 {
			return i + end + len("-->")
		}
		return len(s.text)
	case strings.HasPrefix(rest, "<http://"), strings.HasPrefix(rest, "<https://"):
		address, _, found := strings.Cut(rest[1:min(len(rest), maxAddress)], ">")
		if found && s.markdown && !strings.ContainsAny(address, " \n<") {
			shown := html.UnescapeString(address)
			s.emit(i, shown, shown)
			return i + len(address) + 2
		}
	case len(rest) > 1 && isLetter(rest[1]):
		return s.readTag(i)
	}
	return i + 1
}

// readTag reads a tag.
func (s *scanner) readTag(i int) int {
	name := tagName(s.text[i+1 : min(len(s.text), i+64)])
	tag, address := readAttributes(s.text[i:min(len(s.text), i+maxTag)], 1+len(name))
	if tag == "" {
		return i + 1
	}
	end := i + len(tag)
	if lower := strings.ToLower(name); lower == "script" || lower == "style" {
		if length := strings.Index(s.text[end:], "</"+name); length >= 0 {
			return end + length
		}
		return end
	}
	if address == "" {
		return end
	}
	inner := ""
	if !strings.HasSuffix(tag, "/>") {
		inner = s.text[end:min(len(s.text), end+maxInner)]
		inner = inner[:max(0, strings.Index(inner, "</"+name+">"))]
	}
	s.linkEnd = end + len(inner)
	s.emit(i, html.UnescapeString(address), tagText(tag, inner))
	return end
}

// readAttributes returns the tag at the beginning of a text, or nothing if that is not one, and the first
// target in its attributes, which begin at an offset.
func readAttributes(text string, i int) (tag, address string) {
	for i < len(text) {
		switch c := text[i]; {
		case c == '>':
			return text[:i+1], address
		case c == '<' || c == '{':
			length := callLength(text[i:])
			if length == 0 {
				if length = len(braced(text[i:])) - 1; length < 1 {
					return "", ""
				}
			}
			i += length + 1
		case c == '"' || c == '\'':
			i += len(quoted(text[i:]))
		case isSpace(c) || c == '/' || c == '=':
			i++
		default:
			name := text[i:]
			if end := strings.IndexAny(name, " \t\r\n=>\"'{<"); end > 0 {
				name = name[:end]
			}
			i += len(name)
			rest := strings.TrimLeft(text[i:], " \t\r\n")
			if !strings.HasPrefix(rest, "=") {
				continue
			}
			rest = strings.TrimLeft(rest[1:], " \t\r\n")
			i = len(text) - len(rest)
			value := attributeValue(rest)
			if i += len(value); address == "" && isLinkAttribute(name) {
				address = cutQuotes(value, isExpression(name))
			}
		}
	}
	return "", ""
}

// isLinkAttribute reports whether an attribute has a target: href, :href, v-bind:to or [href].
func isLinkAttribute(name string) bool {
	name = strings.ToLower(strings.Trim(name[strings.LastIndexByte(name, ':')+1:], "[]"))
	return slices.Contains(linkAttributes, name)
}

// isExpression reports whether the value of an attribute is a program, as in Vue and Angular.
func isExpression(name string) bool {
	return strings.HasPrefix(name, ":") || strings.HasPrefix(name, "v-bind:") || strings.HasPrefix(name, "[")
}

// attributeValue returns the value at the beginning of a text, with its quotation marks or braces.
func attributeValue(text string) string {
	switch {
	case text == "":
		return ""
	case text[0] == '"' || text[0] == '\'':
		return quoted(text)
	case text[0] == '{' || text[0] == '<':
		if length := callLength(text); length > 0 {
			return text[:length+1]
		}
		return braced(text)
	}
	if end := strings.IndexAny(text, " \t\r\n>\"'"); end >= 0 {
		return text[:end]
	}
	return text
}

// quoted returns the quoted text at the beginning of a text. Calls of templates in it may have
// quotation marks of their own.
func quoted(text string) string {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case text[0]:
			return text[:i+1]
		case '{', '<':
			i += callLength(text[i:])
		}
	}
	return text
}

// braced returns the expression in braces at the beginning of a text, or nothing.
func braced(text string) string {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '{':
			depth++
		case '}':
			depth--
		}
		if depth == 0 {
			return text[:i+1]
		}
	}
	return ""
}

// cutQuotes returns a value without quotation marks. The expression of a framework is marked as a call.
func cutQuotes(value string, expression bool) string {
	if len(value) >= 2 && (value[0] == '"' || value[0] == '\'') && value[len(value)-1] == value[0] {
		value = value[1 : len(value)-1]
		if expression {
			return "{" + value + "}"
		}
	}
	return value
}

func tagName(text string) string {
	for i := range len(text) {
		if c := text[i]; !isLetter(c) && (c < '0' || c > '9') && c != '-' && c != '.' && c != ':' {
			return text[:i]
		}
	}
	return text
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }
