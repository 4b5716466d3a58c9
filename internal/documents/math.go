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

// blankFormulas blanks the lines between two lines that are nothing but $$.
func blankFormulas(source []byte) []byte {
	if !bytes.Contains(source, []byte("$$")) {
		return source
	}
	plain := make([]byte, 0, len(source))
	var formula []byte // from its first line
	var fence []byte   // of the code that is open
	for line := range bytes.Lines(source) {
		text := bytes.TrimSpace(line)
		isMark := bytes.Equal(text, []byte("$$"))
		if mark := codeMark.FindSubmatch(text); formula == nil && mark != nil {
			if fence == nil {
				fence = mark[1]
			} else if bytes.HasPrefix(mark[1], fence) {
				fence = nil
			}
		}
		switch {
		case fence != nil:
			plain = append(plain, line...)
		case isMark && formula == nil, formula != nil && !isMark && len(text) > 0:
			formula = append(formula, line...)
		case isMark:
			plain = append(append(plain, blank(formula)...), blank(line)...)
			formula = nil
		default: // no formula has an empty line
			plain = append(append(plain, formula...), line...)
			formula = nil
		}
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
