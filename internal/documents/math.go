package documents

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// mathParser reads formulas as GitHub does, $x[1](2)$ and $$\{b\}[a](c)$$: they have no links
// (https://docs.github.com/en/get-started/writing-on-github/working-with-advanced-formatting/writing-mathematical-expressions).
type mathParser struct{}

// Trigger implements [parser.InlineParser].
func (mathParser) Trigger() []byte { return []byte{'$'} }

// Parse implements [parser.InlineParser]. It reads a formula in one line, because longer ones
// rarely have links. A price is not a formula.
func (mathParser) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, segment := block.PeekLine()
	fence := 1
	if bytes.HasPrefix(line, []byte("$$")) {
		fence = 2
	}
	end := closingDollar(line, fence)
	if fence == 1 && isWord(block.PrecendingCharacter()) || end < 0 {
		return nil
	}
	node := ast.NewCodeSpan()
	node.AppendChild(node, ast.NewRawTextSegment(text.NewSegment(segment.Start+fence, segment.Start+end)))
	block.Advance(end + fence)
	return node
}

// blankFormulas writes x for the text of formulas between lines that are nothing but $$, so that they have no links.
func blankFormulas(source []byte) []byte {
	if !bytes.Contains(source, []byte("$$")) {
		return source
	}
	plain := make([]byte, 0, len(source))
	var formula, fence []byte // the lines of a formula that is open, and the fence of code that is
	isOpen := false
	for line := range bytes.Lines(source) {
		text := bytes.TrimSpace(line)
		mark := codeMark.FindSubmatch(text)
		isEnd := isOpen && bytes.Contains(text, []byte("$$"))
		switch {
		case isEnd, isOpen && len(text) == 0: // no formula has an empty line
			for i := range formula {
				if isEnd && formula[i] > ' ' {
					formula[i] = 'x'
				}
			}
			plain = append(append(plain, formula...), line...)
			formula, isOpen = nil, false
			continue
		case isOpen:
			formula = append(formula, line...)
			continue
		case fence == nil && mark != nil:
			fence = mark[1]
		case mark != nil && bytes.HasPrefix(mark[1], fence) && len(bytes.TrimSpace(mark[2])) == 0:
			fence = nil
		}
		isOpen = fence == nil && bytes.Equal(text, []byte("$$"))
		plain = append(plain, line...)
	}
	return append(plain, formula...)
}

// maxFormula is how many bytes of a line are searched for the end of a formula.
const maxFormula = 1000

// closingDollar returns where the dollar signs at the beginning of a line are closed, or -1.
func closingDollar(line []byte, fence int) int {
	formula := line[fence:min(len(line), maxFormula)]
	if len(formula) == 0 || formula[0] == ' ' || fence == 1 && '0' <= formula[0] && formula[0] <= '9' {
		return -1
	}
	for at := 1; ; at++ {
		next := bytes.Index(formula[at:], line[:fence])
		if next < 0 {
			return -1
		}
		at += next
		after, _ := utf8.DecodeRune(formula[at+fence:])
		if c := formula[at-1]; c != ' ' && c != '\\' && !isWord(after) {
			return fence + at
		}
	}
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
