package sourcedir

import (
	"html"
	"slices"
	"strings"
)

// These bound how far the end of a construct is looked for, in bytes.
const (
	maxAddress = 2 << 10
	maxTag     = 4 << 10
	maxInner   = 4 << 10
	maxOpen    = 64 // brackets
)

// A scanner finds the links of Markdown, and of HTML and templates.
type scanner struct {
	text     string
	markdown bool
	emit     func(at int, address, text string)

	brackets    []int // that are open
	linkEnd     int   // of the text of the last tag with a link
	definitions map[string]definition
	uses        []use // of definitions
}

// A definition is the target of reference links: [label]: target.
type definition struct {
	at      int
	address string
}

// A use is a reference link: [text][label].
type use struct{ label, text string }

// scan finds every link of a file.
func (s *scanner) scan() {
	s.definitions = map[string]definition{}
	for i := 0; i < len(s.text); {
		if s.markdown && (i == 0 || s.text[i-1] == '\n') {
			if end := s.skipBlock(i); end > i {
				i = end
				continue
			}
		}
		i = s.step(i)
	}
	s.emitUses()
}

// step reads what begins at an offset, and returns where the next begins.
func (s *scanner) step(i int) int {
	switch c := s.text[i]; {
	case c == '<':
		return s.readAngle(i)
	case !s.markdown:
		if next := strings.IndexByte(s.text[i:], '<'); next >= 0 {
			return i + next
		}
		return len(s.text)
	case c == '\\':
		return i + 2
	case c == '`':
		return s.skipCode(i)
	case c == '[':
		if len(s.brackets) == maxOpen {
			s.brackets = slices.Delete(s.brackets, 0, 1)
		}
		s.brackets = append(s.brackets, i)
	case c == ']' && len(s.brackets) > 0:
		open := s.brackets[len(s.brackets)-1]
		s.brackets = s.brackets[:len(s.brackets)-1]
		return s.readBracket(open, i)
	case c == 'h' && i >= s.linkEnd && len(s.brackets) == 0:
		return s.readBareURL(i)
	}
	return i + 1
}

// skipBlock returns the end of the code block or of the definition that begins with a line of Markdown,
// or the beginning of the line. An empty line closes brackets.
func (s *scanner) skipBlock(i int) int {
	line, _, _ := strings.Cut(s.text[i:], "\n")
	inner := strings.TrimLeft(line, " \t>")
	switch {
	case strings.TrimSpace(line) == "":
		s.brackets = s.brackets[:0]
	case strings.HasPrefix(inner, "```"), strings.HasPrefix(inner, "~~~"):
		return s.skipFence(i+len(line), inner)
	case strings.HasPrefix(inner, "[") && !strings.HasPrefix(inner, "[^"):
		label, target, found := strings.Cut(inner[1:], "]:")
		if !found || strings.ContainsAny(label, "[]") {
			return i
		}
		address, _ := cutAddress(strings.TrimSpace(target))
		if key := labelKey(label); key != "" && address != "" {
			if _, known := s.definitions[key]; !known {
				s.definitions[key] = definition{i + strings.IndexByte(line, '['), address}
			}
			return i + len(line)
		}
	}
	return i
}

// skipFence returns the end of a code block whose first line ends at an offset.
func (s *scanner) skipFence(i int, first string) int {
	mark := first[:len(first)-len(strings.TrimLeft(first, first[:1]))]
	if first[0] == '`' && strings.Contains(first[len(mark):], "`") {
		return i - len(first) // a code span
	}
	for i < len(s.text) {
		line, _, _ := strings.Cut(s.text[i+1:], "\n")
		i += 1 + len(line)
		if inner := strings.Trim(line, " \t>\r"); strings.HasPrefix(inner, mark) && strings.Trim(inner, mark[:1]) == "" {
			break
		}
	}
	return min(i, len(s.text))
}

// skipCode returns the end of a code span, or of its marks where nothing closes it in the paragraph.
func (s *scanner) skipCode(i int) int {
	rest := s.text[i:]
	marks := len(rest) - len(strings.TrimLeft(rest, "`"))
	paragraph, _, _ := strings.Cut(rest[marks:min(len(rest), marks+maxInner)], "\n\n")
	for from := 0; ; {
		at := strings.Index(paragraph[from:], rest[:marks])
		if at < 0 {
			return i + marks
		}
		from += at
		run := len(paragraph[from:]) - len(strings.TrimLeft(paragraph[from:], "`"))
		if from += run; run == marks {
			return i + marks + from
		}
	}
}

// readBracket reads the link whose text is between two offsets.
func (s *scanner) readBracket(open, end int) int {
	text, rest := s.text[open+1:end], s.text[end+1:]
	at := open
	if open > 0 && s.text[open-1] == '!' {
		at--
	}
	switch {
	case strings.HasPrefix(rest, "("):
		inner := rest[1:min(len(rest), maxAddress)]
		address, length := cutAddress(strings.TrimLeft(inner, " \t\n\r"))
		if length == 0 {
			return end + 1
		}
		s.emit(at, html.UnescapeString(address), markdownText(text))
		skipped := len(inner) - len(strings.TrimLeft(inner, " \t\n\r"))
		return end + 2 + skipped + length
	case strings.HasPrefix(rest, "["):
		label, _, found := strings.Cut(rest[1:min(len(rest), maxAddress)], "]")
		if found && !strings.Contains(label, "[") {
			if label == "" {
				s.addUse(text, text)
				return end + 3
			}
			s.addUse(label, text)
			return end + 3 + len(label)
		}
	default:
		s.addUse(text, text)
	}
	return end + 1
}

func (s *scanner) addUse(label, text string) {
	if len(label) < maxInner && len(text) < maxInner {
		s.uses = append(s.uses, use{labelKey(label), text})
	}
}

// emitUses emits the links with definitions in the order of these: there is the URL to edit.
func (s *scanner) emitUses() {
	slices.SortStableFunc(s.uses, func(a, b use) int { return s.definitions[a.label].at - s.definitions[b.label].at })
	for _, u := range s.uses {
		if d, found := s.definitions[u.label]; found {
			s.emit(d.at, html.UnescapeString(d.address), markdownText(u.text))
		}
	}
}

// labelKey folds the label of a reference link.
func labelKey(label string) string { return strings.ToLower(strings.Join(strings.Fields(label), " ")) }

// cutAddress returns the target at the beginning of a text, and its length. It ends at white space or
// at a parenthesis that was not opened, unless that is in a call of a template.
func cutAddress(text string) (address string, length int) {
	if strings.HasPrefix(text, "<") && !strings.HasPrefix(text, "<%") && !strings.HasPrefix(text, "<?") {
		inner, _, found := strings.Cut(text[1:], ">")
		if !found || strings.Contains(inner, "\n") {
			return "", 0
		}
		return inner, len(inner) + 2
	}
	depth := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '{', '<':
			i += callLength(text[i:])
		case '\\':
			i++
		case '(':
			depth++
		case ')':
			if depth--; depth < 0 {
				return text[:i], i
			}
		case ' ', '\t', '\n', '\r':
			return text[:i], i
		}
	}
	return text, len(text)
}

// callLength returns the length of the call of a template that a text begins with, without its last byte,
// or 0.
func callLength(text string) int {
	for _, marks := range calls[:4] {
		if strings.HasPrefix(text, marks[0]) {
			if end := strings.Index(text, marks[1]); end >= 0 {
				return end + len(marks[1]) - 1
			}
		}
	}
	return 0
}

// readBareURL reads a URL in the text.
func (s *scanner) readBareURL(i int) int {
	rest := s.text[i:min(len(s.text), i+maxAddress)]
	if !strings.HasPrefix(rest, "http://") && !strings.HasPrefix(rest, "https://") {
		return i + 1
	}
	end := strings.IndexAny(rest, " \t\r\n<>\"`[]{}|")
	if end < 0 {
		end = len(rest)
	}
	address := strings.TrimRight(rest[:end], ".,;:!?'*_~)")
	if strings.Contains(address, "(") && strings.HasPrefix(rest[len(address):end], ")") {
		address = rest[:len(address)+1]
	}
	s.emit(i, address, address)
	return i + end
}
