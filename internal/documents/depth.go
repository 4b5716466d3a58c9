package documents

import (
	"bytes"
	"errors"
	"regexp"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// errDeep says that the parser would take quadratic time for a document, or that a folder is below too many others.
var errDeep = errors.New("nested too deep to be checked")

const (
	// maxDepth is how deep quotes and lists may be in each other, and how many targets of links a paragraph may open
	// that it does not close.
	maxDepth = 100
	// maxIndent is how far a list may be indented.
	maxIndent = 4 * maxDepth
)

// container is a mark of a quote or a list at the beginning of a line.
var container = regexp.MustCompile(`^[ \t]*(>|[-*+][ \t]|\d{1,9}[.)][ \t])`)

// isTooDeep reports whether Markdown is nested so deep that the parser would take quadratic time.
func isTooDeep(source []byte) bool {
	open, angles := 0, 0
	for line := range bytes.Lines(source) {
		text := bytes.TrimLeft(line, " \t")
		if len(bytes.TrimSpace(text)) == 0 {
			open, angles = 0, 0
			continue
		}
		if isList := container.Match(text); isList && (len(line)-len(text) > maxIndent || depthOf(line) > maxDepth) {
			return true
		}
		open = max(0, open+bytes.Count(line, []byte("]("))-bytes.Count(line, []byte(")")))
		angles = max(0, angles+bytes.Count(line, []byte("](<"))-bytes.Count(line, []byte(">")))
		if open > maxDepth || angles > maxDepth {
			return true
		}
	}
	return false
}

// depthOf returns how many quotes and lists a line begins. A line of nothing but one mark is a rule.
func depthOf(line []byte) (depth int) {
	if rest := bytes.Trim(line, " \t\r\n"); len(bytes.Trim(rest, "- ")) == 0 || len(bytes.Trim(rest, "* ")) == 0 {
		return 0
	}
	for len(line) > 0 {
		mark := container.Find(line)
		if mark == nil {
			return depth
		}
		depth++
		line = line[len(mark):]
	}
	return depth
}

// errStopped says that the time of the run ended while a document was read.
var errStopped = errors.New("the time ended before it was checked")

// stopKey is where the context of the parser has the channel that is closed when the parser has to end.
var stopKey = parser.NewContextKey()

// stop ends the parser by a panic, which parseMarkdown recovers, if it has to end. The parser knows no other way.
func stop(done <-chan struct{}) {
	select {
	case <-done:
		panic(errStopped)
	default:
	}
}

// A stopper ends the parser in a text: it is asked at each space and each bracket.
type stopper struct{}

// Trigger implements [parser.InlineParser].
func (stopper) Trigger() []byte { return []byte(" [<`(") }

// Parse implements [parser.InlineParser]. It parses nothing.
func (stopper) Parse(_ ast.Node, _ text.Reader, context parser.Context) ast.Node {
	stop(context.Get(stopKey).(<-chan struct{}))
	return nil
}

// A stoppable ends the parser between the lines of blocks.
type stoppable struct {
	text.Reader
	done <-chan struct{}
}

// AdvanceLine implements [text.Reader].
func (s stoppable) AdvanceLine() {
	stop(s.done)
	s.Reader.AdvanceLine()
}

// parseMarkdown parses Markdown, or MDX. The error is errDeep, or errStopped if done, which may be nil, is closed before.
func parseMarkdown(source []byte, isMDX bool, done <-chan struct{}) (root ast.Node, err error) {
	if isTooDeep(source) {
		return nil, errDeep
	}
	defer func() {
		switch reason := recover(); reason {
		case nil:
		case errStopped:
			root, err = nil, errStopped
		default:
			panic(reason)
		}
	}()
	context := parser.NewContext()
	context.Set(stopKey, done)
	p := markdown.Parser()
	if isMDX {
		p = mdxMarkdown.Parser()
	}
	return p.Parse(stoppable{text.NewReader(source), done}, parser.WithContext(context)), nil
}
