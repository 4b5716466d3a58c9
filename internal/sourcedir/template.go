package sourcedir

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// Each character of the call of a template becomes one of these, apart from a string in it: lines and
// columns stay. No text has them (https://www.unicode.org/faq/private_use.html#noncharacters).
const (
	quoteMark   = '\uFDD0' // around a string that is the whole call
	beforeMark  = '\uFDD1' // before a string that a function gets
	afterMark   = '\uFDD2' // after it
	unknownMark = '\uFDD3' // of a call without a string
)

// callMarks are what calls begin and end with. They may begin with a single brace too.
var callMarks = [][2]string{
	{"{{!--", "--}}"}, {"{{", "}}"}, {"{%", "%}"}, {"{#", "#}"}, {"{/*", "*/}"}, {"<%", "%>"}, {"<?", "?>"},
}

// maxCall is the length in bytes of the longest call.
const maxCall = 4 << 10

var (
	// Comments of Liquid, and of programs. Each pattern is of one form, so that a file is read in linear time.
	liquidComment  = regexp.MustCompile(`(?s)\{%-?\s*comment\s*-?%\}.*?\{%-?\s*endcomment\s*-?%\}`)
	programComment = regexp.MustCompile(`(?s)/\*.*?\*/`)
	lineComment    = regexp.MustCompile(`(?m)^[ \t]*//.*$`)
	// boundAttribute is an attribute whose value is an expression, in Vue and Angular.
	boundAttribute = regexp.MustCompile(`\s(:|v-bind:|\[)(href|src|to)(\]?\s*=\s*)("[^"]*"|'[^']*')`)
	// component is the tag of an element of a framework that may be a link.
	component = regexp.MustCompile(`<([A-Z][\w.]*|[a-z]\w*-[\w-]+)((?:\s[^<>]*?)?\s)(href|to)(\s*=[^<>]*>)`)
	endTag    = regexp.MustCompile(`</([A-Z][\w.]*|[a-z]\w*-[\w-]+)>`)
	// componentLine is a line with the tag of another element alone, around Markdown.
	componentLine = regexp.MustCompile(`(?m)^[ \t]*</?[A-Z][^<>]*>[ \t\r]*$`)
	// emptyElement ends at once in programs, and at its end tag in HTML.
	emptyElement = regexp.MustCompile(`(?i)<(?:script|style|iframe|textarea|title)(?:\s[^<>]*)?/>`)
	// attributeStart is what comes before the value of an attribute.
	attributeStart = regexp.MustCompile(`\s[A-Za-z][\w:.-]*\s*=\s*$`)
	// argument is a string in a call. Some tags of Jekyll and Hugo need no quotation marks.
	argument = regexp.MustCompile("[\"'`]([^\"'`\n]+)[\"'`]" + `|\b(?:link|ref|relref|post_url)\s+([^\s"'%{}<>=]+)(?:\s|$)`)
)

// plainMarkdown returns Markdown without the calls of templates in it.
func plainMarkdown(text string) string {
	return fillAll(plainComponents(plainCalls(fillAll(text, quoteMark, liquidComment))), ' ', componentLine)
}

// plainHTML returns HTML without the calls of templates in it.
func plainHTML(text string) string {
	return plainComponents(plainCalls(fillAll(text, quoteMark, liquidComment, programComment, lineComment)))
}

// plainComponents makes the elements of frameworks those of HTML.
func plainComponents(text string) string {
	text = fillAll(text, quoteMark, emptyElement)
	text = strings.ReplaceAll(text, "<template", "<x-mplate") // the content of a template is no part of a page
	names := map[string]bool{}
	text = component.ReplaceAllStringFunc(text, func(tag string) string {
		groups := component.FindStringSubmatch(tag)
		name, before, attribute, rest := groups[1], groups[2], groups[3], groups[4]
		element := "a"
		if strings.HasSuffix(rest, "/>") {
			element = "area" // has no content
		}
		spare := len(name+attribute) - len(element+"href")
		if spare < 0 {
			return tag
		}
		names[name] = true
		return "<" + element + strings.Repeat(" ", spare) + before + "href" + rest
	})
	return endTag.ReplaceAllStringFunc(text, func(tag string) string {
		if name := tag[len("</") : len(tag)-1]; names[name] {
			return "</a" + strings.Repeat(" ", len(name)-1) + ">"
		}
		return tag
	})
}

// plainCalls replaces the calls in a text.
func plainCalls(text string) string {
	text = boundAttribute.ReplaceAllStringFunc(text, func(attribute string) string {
		groups := boundAttribute.FindStringSubmatch(attribute)
		value := groups[4]
		return attribute[:1] + fill(groups[1], ' ') + groups[2] + strings.Replace(groups[3], "]", " ", 1) +
			value[:1] + plainCall(value[1:len(value)-1]) + value[:1]
	})
	var b strings.Builder
	done := 0
	for _, call := range findCalls(text) {
		plain := plainCall(text[call.from:call.to])
		if attributeStart.MatchString(text[max(done, call.from-maxName):call.from]) {
			_, first := utf8.DecodeRuneInString(plain)
			_, last := utf8.DecodeLastRuneInString(plain)
			plain = `"` + plain[first:len(plain)-last] + `"`
		}
		b.WriteString(text[done:call.from] + plain)
		done = call.to
	}
	return b.String() + text[done:]
}

// maxName is the length in bytes of the longest name of an attribute.
const maxName = 64

// A span is a part of a text.
type span struct{ from, to int }

// findCalls returns the calls in a text, without those in others. Braces with a link in them are no call.
func findCalls(text string) (calls []span) {
	var open []int
	link := -1
	for i := 0; i < len(text); i++ {
		if end := markedEnd(text, i); end > 0 {
			calls = append(calls, span{i, end})
			i = end - 1
			continue
		}
		next := text[min(i+1, len(text)-1)]
		switch c := text[i]; {
		case c == '<' && (next == '/' || 'a' <= next|0x20 && next|0x20 <= 'z'), c == ']' && next == '(':
			link = i
		case c == '{':
			open = append(open, i)
		case c == '}' && len(open) > 0:
			from := open[len(open)-1]
			open = open[:len(open)-1]
			if link > from || i-from > maxCall {
				continue
			}
			if from > 0 && (text[from-1] == '$' || text[from-1] == '#') {
				from--
			}
			for len(calls) > 0 && calls[len(calls)-1].from >= from {
				calls = calls[:len(calls)-1]
			}
			calls = append(calls, span{from, i + 1})
		}
	}
	return calls
}

// markedEnd returns the end of the call with marks that begins at an offset, or 0.
func markedEnd(text string, at int) int {
	if text[at] != '{' && text[at] != '<' {
		return 0
	}
	rest := text[at:min(len(text), at+maxCall)]
	for _, marks := range callMarks {
		if !strings.HasPrefix(rest, marks[0]) {
			continue
		}
		if end := strings.Index(rest[len(marks[0]):], marks[1]); end >= 0 {
			end += len(marks[0] + marks[1])
			for marks[1] == "}}" && strings.HasPrefix(rest[end:], "}") {
				end++
			}
			return at + end
		}
	}
	return 0
}

// plainCall returns a call with marks around the first string in it.
func plainCall(call string) string {
	at := argument.FindStringSubmatchIndex(call)
	for i := 2; i < len(at); i += 2 {
		if at[i] < 0 {
			continue
		}
		before, after, value := call[:at[i]], call[at[i+1]:], plainCalls(call[at[i]:at[i+1]])
		switch {
		case strings.ContainsAny(value, `<>"`): // would be markup
		case strings.Trim(before+after, "{}%<>?=- \t\r\n\"'`") == "":
			return fill(before, quoteMark) + value + fill(after, quoteMark)
		default:
			return fill(before, beforeMark) + value + fill(after, afterMark)
		}
	}
	return fill(call, unknownMark)
}

// fill returns a text with a mark in place of every character, and its line ends.
func fill(text string, mark rune) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\r' {
			return r
		}
		return mark
	}, text)
}

// fillAll fills what the patterns match.
func fillAll(text string, mark rune, patterns ...*regexp.Regexp) string {
	for _, pattern := range patterns {
		text = pattern.ReplaceAllStringFunc(text, func(match string) string { return fill(match, mark) })
	}
	return text
}

// targetMarks removes the marks around strings. Markdown has them percent-encoded.
var targetMarks = strings.NewReplacer(
	string(quoteMark), "", string(beforeMark), "", string(afterMark), "",
	"%EF%B7%90", "", "%EF%B7%91", "", "%EF%B7%92", "", "%EF%B7%93", string(unknownMark),
)

// cutCalls returns a target without marks. The first calls may be the base of the site, or of
// something else: the rest is relative to that. Other calls make a target that nobody knows.
func cutCalls(address string) (rest string, hasBase, ok bool) {
	address = strings.TrimSpace(targetMarks.Replace(address))
	rest = strings.TrimLeft(address, string(unknownMark))
	hasBase = rest != address
	ok = rest != "" && !strings.ContainsRune(rest, unknownMark) && !(hasBase && strings.ContainsAny(rest[:1], "#?"))
	return rest, hasBase, ok
}
