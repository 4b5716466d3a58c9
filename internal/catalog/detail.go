package catalog

import (
	"slices"
	"strings"
)

// nestingDetails are the codes of details whose arguments are another detail.
var nestingDetails = []string{"robots-failed", "robots.refused", "accepted-cause"}

// Detail returns the text of a detail of a decision, from its code and its arguments. A
// code without a text for so many arguments is shown as it is, since a crawl file may
// hold any.
func (c *Catalog) Detail(code string, arguments []string) string {
	if slices.Contains(nestingDetails, code) && len(arguments) > 0 {
		arguments = []string{c.plainDetail(arguments[0], arguments[1:])}
	}
	return c.plainDetail(code, arguments)
}

// plainDetail returns the text of a detail whose arguments are texts.
func (c *Catalog) plainDetail(code string, arguments []string) string {
	text, known := c.texts["detail."+code]
	if !known || strings.Count(text, "%s") != len(arguments) {
		return strings.Join(append([]string{code}, arguments...), " ")
	}
	values := make([]any, len(arguments))
	for i, argument := range arguments {
		values[i] = argument
	}
	return c.Text("detail."+code, values...)
}
