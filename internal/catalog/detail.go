package catalog

import (
	"strings"
	"sync"
)

// Detail returns the detail of a decision, which a crawl file has in English, in the
// language of the catalog. What is not one of Mapa's own texts, such as a URL, a pattern or
// a status of HTTP, is returned as it is.
func (c *Catalog) Detail(recorded string) string {
	if c.language == English || recorded == "" {
		return recorded
	}
	all := recordedDetails()
	if key, found := all.keys[recorded]; found {
		return c.Text(key)
	}
	for _, p := range all.patterns {
		if values, fits := p.match(recorded); fits {
			var arguments []any
			for _, value := range values { // which may be details themselves
				arguments = append(arguments, c.Detail(value))
			}
			return c.Text(p.key, arguments...)
		}
	}
	return recorded
}

// details are the English details: whole texts by what they say, and those with values.
type details struct {
	keys     map[string]string
	patterns []detailPattern
}

// detailPattern is a text with values.
type detailPattern struct {
	key   string
	parts []string // around the values
}

var recordedDetails = sync.OnceValue(func() *details {
	found := &details{keys: map[string]string{}}
	for rest, text := range For(English).WithPrefix("detail.") {
		key := "detail." + rest
		if parts := strings.Split(text, "%s"); len(parts) > 1 {
			found.patterns = append(found.patterns, detailPattern{key, parts})
		} else {
			found.keys[text] = key
		}
	}
	return found
})

// match returns the values in a text. It reports false if the text is another.
func (p *detailPattern) match(text string) (values []string, fits bool) {
	rest, fits := strings.CutPrefix(text, p.parts[0])
	for _, part := range p.parts[1:] {
		value := rest
		if part == "" { // the last value is the rest
			rest = ""
		} else if fits {
			value, rest, fits = strings.Cut(rest, part)
		}
		values = append(values, value)
	}
	return values, fits && rest == ""
}
