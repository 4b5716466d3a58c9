package catalog

import (
	"fmt"
	"slices"
	"strings"
)

// Message returns a text with arguments that were stored: integers are written as
// [Catalog.Count] writes them. A text with two forms has the form for the first integer.
// A code without a text for so many arguments is shown as it is, with the arguments, since
// what is stored may be of any version.
func (c *Catalog) Message(code string, arguments []any) string {
	text, known := c.texts[code]
	if !known {
		text, known = c.texts[code+pluralEnding(firstInteger(arguments))]
	}
	values := make([]any, len(arguments))
	for i, argument := range arguments {
		values[i] = argument
		if n, isInteger := argument.(int); isInteger {
			values[i] = c.Count(int64(n))
		}
	}
	switch {
	case !known || len(values) != strings.Count(text, "%s"):
		return strings.TrimSuffix(fmt.Sprintln(slices.Insert(values, 0, any(code))...), "\n")
	case len(values) == 0:
		return text
	}
	return fmt.Sprintf(text, values...)
}

// pluralEnding returns the ending of the key of the form for a number.
func pluralEnding(n int64) string {
	if n == 1 {
		return ".one"
	}
	return ".other"
}

func firstInteger(arguments []any) int64 {
	for _, argument := range arguments {
		if n, isInteger := argument.(int); isInteger {
			return int64(n)
		}
	}
	return 0
}
