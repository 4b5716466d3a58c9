package report

import (
	"fmt"
	"strings"

	"github.com/mapatools/mapa/internal/format"
)

// catalog holds the texts of the HTML report in one language by their keys. A text that
// depends on a number has two keys, which end in ".one" and ".other"; its first %s is
// the number.
type catalog map[string]string

// text returns a text with its arguments. A key without a text is an error of the
// program.
func (c catalog) text(key string, arguments ...any) string {
	text, found := c[key]
	if !found {
		panic("report: no text " + key)
	}
	if len(arguments) == 0 {
		return text
	}
	return fmt.Sprintf(text, arguments...)
}

// plural returns the form of a text for the number n.
func (c catalog) plural(key string, n int, arguments ...any) string {
	form := ".other"
	if n == 1 {
		form = ".one"
	}
	return c.text(key+form, append([]any{format.Count(n)}, arguments...)...)
}

// scriptTexts returns the texts that the script of the report shows, by their keys
// without the prefix "script.", and the names of columns and facts.
func (c catalog) scriptTexts() map[string]string {
	found := map[string]string{}
	for key, text := range c {
		rest, ok := strings.CutPrefix(key, "script.")
		switch {
		case ok:
			found[rest] = text
		case strings.HasPrefix(key, "column."):
			found[key] = text
		}
	}
	return found
}
