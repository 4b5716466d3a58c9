package lintreport

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/lintexample"
	"github.com/mapatools/mapa/lint"
)

// Example returns the bad and the good example of a rule as the lines of a diff: those
// of the bad one begin with "-", those of the good one with "+", and those of both with
// a space. What the examples generate is described in brackets.
func Example(r *lint.Rule) string {
	bad, good := lintexample.Of(r.ID)
	var b strings.Builder
	for _, line := range diff(exampleLines(bad), exampleLines(good)) {
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

// padding matches spaces that only make an example large.
var padding = regexp.MustCompile(` {40,}`)

// exampleLines returns the lines of an example without directives, invisible characters
// and padding.
func exampleLines(example string) []string {
	if example == "" {
		return nil
	}
	lines := strings.Split(strings.Trim(lintexample.Describe(example), "\n"), "\n")
	for i, line := range lines {
		lines[i] = padding.ReplaceAllString(format.Printable(line), " … ")
	}
	return lines
}

// diff returns the lines of two texts, marked as in [Example]: as few as possible only
// in one of them.
func diff(before, after []string) (lines []string) {
	// common[i][j] is the number of lines that before[i:] and after[j:] share.
	common := make([][]int, len(before)+1)
	common[len(before)] = make([]int, len(after)+1)
	for i := len(before) - 1; i >= 0; i-- {
		common[i] = make([]int, len(after)+1)
		for j := len(after) - 1; j >= 0; j-- {
			if common[i][j] = max(common[i+1][j], common[i][j+1]); before[i] == after[j] {
				common[i][j] = common[i+1][j+1] + 1
			}
		}
	}
	i, j := 0, 0
	for i < len(before) || j < len(after) {
		switch {
		case i < len(before) && j < len(after) && before[i] == after[j]:
			lines = append(lines, "  "+before[i])
			i, j = i+1, j+1
		case i < len(before) && (j == len(after) || common[i+1][j] >= common[i][j+1]):
			lines = append(lines, "- "+before[i])
			i++
		default:
			lines = append(lines, "+ "+after[j])
			j++
		}
	}
	return lines
}

// writeExample writes a fenced block. Its fence is longer than any fence in the text.
func writeExample(b *strings.Builder, r *lint.Rule) {
	example := Example(r)
	if example == "" {
		return
	}
	fence := "```"
	for strings.Contains(example, fence) {
		fence += "`"
	}
	fmt.Fprintf(b, "Bad (-) and good (+):\n\n%sdiff\n%s%s\n\n", fence, example, fence)
}
