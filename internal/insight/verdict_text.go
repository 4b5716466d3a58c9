package insight

import (
	"strings"

	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/lint"
)

// Sentence returns the verdict in one sentence, in the language of a catalog.
func (v *Verdict) Sentence(c *catalog.Catalog) string {
	pages := c.Plural("verdict.pages", int64(v.Listed))
	switch {
	case v.Kind == Ready:
		return c.Plural("verdict.ready", int64(v.Listed))
	case v.Cause == "":
		var counts []string
		if v.Errors > 0 {
			counts = append(counts, c.Plural("verdict.errors", int64(v.Errors)))
		}
		if v.Warnings > 0 {
			counts = append(counts, c.Plural("verdict.warnings", int64(v.Warnings)))
		}
		found := counts[0]
		if len(counts) > 1 {
			found = c.Text("verdict.and", counts[0], counts[1])
		}
		return c.Text("verdict.ready-with-problems", pages, found)
	case v.Kind == Problems:
		return c.Text("verdict.ready-with-problems.cause", pages, v.cause(c))
	}
	return c.Text("verdict."+string(v.Kind), v.cause(c))
}

// cause returns the message of the rule that decides.
func (v *Verdict) cause(c *catalog.Catalog) string {
	f := Finding{Rule: &lint.Rule{ID: v.Cause}, Arguments: v.Arguments}
	return f.Text(c)
}

// Advice returns what would help, in one sentence in the language of a catalog.
func (v *Verdict) Advice(c *catalog.Catalog) string {
	text := c.Text("action." + string(v.Action))
	if strings.Contains(text, "%s") {
		return c.Text("action."+string(v.Action), v.Address())
	}
	return text
}

// Address returns the URL in the arguments that the action is about, or "".
func (v *Verdict) Address() string {
	for _, argument := range v.Arguments {
		if address, is := argument.(string); is {
			return address
		}
	}
	return ""
}
