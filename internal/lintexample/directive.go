package lintexample

import (
	"bytes"
	"compress/gzip"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mapatools/mapa/internal/format"
)

// number is where a repeated text has its number. It is replaced with the repetition.
const number = "{{n}}"

// replace replaces the directives of a text, the innermost first. A directive that is not
// closed is an error of the program.
func replace(text string, by func(directive string) string) string {
	for {
		open := lastOpening(text)
		if open < 0 {
			return text
		}
		end := open + strings.Index(text[open:], "}}")
		for strings.HasSuffix(text[:end+len("}}")], number) {
			end += len("}}") + strings.Index(text[end+len("}}"):], "}}")
		}
		text = text[:open] + by(text[open+len("{{"):end]) + text[end+len("}}"):]
	}
}

// lastOpening returns the position of the last directive, or -1.
func lastOpening(text string) int {
	for at := len(text); ; {
		open := strings.LastIndex(text[:at], "{{")
		if open < 0 || !strings.HasPrefix(text[open:], number) {
			return open
		}
		at = open
	}
}

// Expand replaces the directives of an example by what they generate.
func Expand(text string, now time.Time) string {
	return replace(text, func(directive string) string {
		name, rest, _ := strings.Cut(directive, " ")
		switch name {
		case "today":
			days, _ := strconv.Atoi(rest)
			return now.UTC().AddDate(0, 0, days).Format(time.DateOnly)
		case "now":
			return now.UTC().Format(time.RFC3339)
		case "bytes":
			decoded, err := hex.DecodeString(unquote(rest))
			if err != nil {
				panic("lintexample: " + err.Error())
			}
			return string(decoded)
		case "gzip":
			if twice, found := strings.CutPrefix(rest, "twice "); found {
				return compress(compress(unquote(twice)))
			}
			return compress(unquote(rest))
		case "repeat":
			count, piece := repetition(rest)
			var b strings.Builder
			for i := range count {
				b.WriteString(strings.ReplaceAll(piece, number, strconv.Itoa(i+1)))
			}
			return b.String()
		case "note":
			return ""
		case "head":
			return parsePages(rest)[0].head()
		case "body":
			return parsePages(rest)[0].body()
		case "pages":
			var b strings.Builder
			for _, page := range parsePages(rest) {
				b.WriteString(page.file())
			}
			return strings.TrimSuffix(b.String(), "\n")
		}
		panic("lintexample: unknown directive " + directive)
	})
}

func repetition(text string) (count int, piece string) {
	digits, piece, _ := strings.Cut(text, " ")
	count, err := strconv.Atoi(digits)
	if err != nil {
		panic("lintexample: " + err.Error())
	}
	return count, unquote(piece)
}

func compress(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write([]byte(text)) // a buffer takes everything
	_ = w.Close()
	return b.String()
}

// unquote removes the quotes around the text of a directive, and the escapes in it.
func unquote(text string) string {
	text = strings.TrimSuffix(strings.TrimPrefix(text, `"`), `"`)
	return strings.NewReplacer(`\"`, `"`, `\n`, "\n", `\\`, `\`).Replace(text)
}

// Describe replaces the directives of an example by what they generate, in words and
// brackets.
func Describe(text string) string {
	return replace(text, func(directive string) string {
		name, rest, _ := strings.Cut(directive, " ")
		switch name {
		case "today":
			return "[" + describeDay(rest) + "]"
		case "now":
			return "[the present time]"
		case "bytes":
			return "[" + describeBytes(unquote(rest)) + "]"
		case "gzip":
			if twice, found := strings.CutPrefix(rest, "twice "); found {
				return "[compressed twice: " + unquote(twice) + "]"
			}
			return "[compressed: " + unquote(rest) + "]"
		case "repeat":
			count, piece := repetition(rest)
			if strings.Contains(piece, number) {
				return strings.ReplaceAll(piece, number, "1") + "[" + format.Count(count) + " of these, numbered]"
			}
			return piece + "[" + format.Count(count) + " times]"
		case "note":
			return "[" + rest + "]"
		case "head", "body":
			return "[" + describePages("the "+name+" of", rest) + "]"
		case "pages":
			return "[" + describePages("complete pages:", rest) + "]"
		}
		return "[" + directive + "]"
	})
}

func describeDay(days string) string {
	switch n, _ := strconv.Atoi(days); {
	case n < 0:
		return format.Plural(-n, "day") + " ago"
	case n > 0:
		return "in " + format.Plural(n, "day")
	}
	return "today"
}

// byteNames are the names of bytes in hexadecimal.
var byteNames = map[string]string{
	"0a": "line break", "0d": "carriage return", "20": "space", "efbbbf": "byte order mark",
}

func describeBytes(hexadecimal string) string {
	if name := byteNames[hexadecimal]; name != "" {
		return name
	}
	var pairs, words []string
	for pair := range slices.Chunk([]byte(hexadecimal), 2) {
		pairs = append(pairs, string(bytes.ToUpper(pair)))
		words = append(words, byteNames[string(pair)])
	}
	if slices.Contains(words, "") {
		return "bytes " + strings.Join(pairs, " ")
	}
	return strings.Join(words, ", ")
}
