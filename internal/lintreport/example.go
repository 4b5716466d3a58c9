package lintreport

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/lint"
)

// Example returns the bad and the good example of a rule as the lines of a diff: those
// of the bad one begin with "-", those of the good one with "+", and those of both with
// a space. What the examples generate is described in brackets.
func Example(r *lint.Rule) string {
	var b strings.Builder
	for _, line := range diff(exampleLines(r.Bad), exampleLines(r.Good)) {
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
	lines := strings.Split(strings.Trim(described(example), "\n"), "\n")
	for i, line := range lines {
		lines[i] = padding.ReplaceAllString(format.Printable(line), " … ")
	}
	return lines
}

// described replaces the directives of an example, the innermost first, by what they
// generate, in words.
func described(text string) string {
	for {
		open := -1
		for at := 0; ; {
			i := strings.Index(text[at:], "{{")
			if i < 0 {
				break
			}
			if at += i + len("{{"); !strings.HasPrefix(text[at:], "n}}") {
				open = at - len("{{")
			}
		}
		if open < 0 {
			return text
		}
		end := open + strings.Index(text[open:], "}}")
		for strings.HasSuffix(text[:end], "{{n") {
			end += len("}}") + strings.Index(text[end+len("}}"):], "}}")
		}
		text = text[:open] + directiveInWords(text[open+len("{{"):end]) + text[end+len("}}"):]
	}
}

// directiveInWords says what a directive generates; see [lint.Rule].
func directiveInWords(text string) string {
	name, rest, _ := strings.Cut(text, " ")
	switch name {
	case "today":
		return "[" + dayInWords(rest) + "]"
	case "now":
		return "[the present time]"
	case "bytes":
		return "[" + bytesInWords(unquoted(rest)) + "]"
	case "gzip":
		if twice, found := strings.CutPrefix(rest, "twice "); found {
			return "[compressed twice: " + unquoted(twice) + "]"
		}
		return "[compressed: " + unquoted(rest) + "]"
	case "repeat":
		count, piece, _ := strings.Cut(rest, " ")
		n, _ := strconv.Atoi(count)
		piece = unquoted(piece)
		if strings.Contains(piece, "{{n}}") {
			return strings.ReplaceAll(piece, "{{n}}", "1") + "[" + format.Count(n) + " of these, numbered]"
		}
		return piece + "[" + format.Count(n) + " times]"
	}
	return "[" + text + "]"
}

func dayInWords(days string) string {
	switch n, _ := strconv.Atoi(days); {
	case n < 0:
		return format.Plural(-n, "day") + " ago"
	case n > 0:
		return "in " + format.Plural(n, "day")
	}
	return "today"
}

// byteName returns the name of bytes, or nothing.
func byteName(hexadecimal string) string {
	switch hexadecimal {
	case "0a":
		return "line break"
	case "0d":
		return "carriage return"
	case "20":
		return "space"
	case "efbbbf":
		return "byte order mark"
	}
	return ""
}

func bytesInWords(hexadecimal string) string {
	if name := byteName(hexadecimal); name != "" {
		return name
	}
	var pairs, words []string
	for pair := range slices.Chunk([]byte(hexadecimal), 2) {
		pairs = append(pairs, strings.ToUpper(string(pair)))
		words = append(words, byteName(string(pair)))
	}
	if slices.Contains(words, "") {
		return "bytes " + strings.Join(pairs, " ")
	}
	return strings.Join(words, ", ")
}

// unquoted removes the quotes around the text of a directive, and the escapes in it.
func unquoted(text string) string {
	text = strings.TrimSuffix(strings.TrimPrefix(text, `"`), `"`)
	return strings.NewReplacer(`\"`, `"`, `\n`, "\n", `\\`, `\`).Replace(text)
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
