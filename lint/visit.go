package lint

import (
	"net/url"
	"time"

	"github.com/mapatools/mapa/sitemap"
	"github.com/mapatools/mapa/source"
)

// A fileCheck applies the rules to one file.
type fileCheck struct {
	options *Options
	file    *source.File
	rules   []*Rule
	yield   func(Finding) bool
	ended   bool
	news    newsCount
}

func (c *fileCheck) run() bool {
	v := visit{fileCheck: c}
	for entry, err := range c.file.Entries() {
		if err != nil || c.ended {
			break
		}
		v.take(entry)
		for _, r := range c.rules {
			if r.check != nil {
				v.rule = r
				r.check(&v)
			}
		}
	}
	return !c.ended
}

// A visit is what rules see of one entry. Nothing of it stays true after it.
type visit struct {
	*fileCheck
	rule   *Rule // the one that looks
	entry  *sitemap.Entry
	parsed *sitemap.Extensions // when asked for
	page   *url.URL            // when asked for
}

func (v *visit) take(entry *sitemap.Entry) { v.entry, v.parsed, v.page = entry, nil, nil }

// extensions returns the entry's extensions, as far as they can be read.
func (v *visit) extensions() *sitemap.Extensions {
	if v.parsed == nil {
		v.parsed = &sitemap.Extensions{}
		_ = v.entry.Extensions(v.parsed)
	}
	return v.parsed
}

// address returns the loc as an address, or nil where it is none.
func (v *visit) address() *url.URL {
	if v.page == nil {
		v.page, _ = url.Parse(string(v.entry.Loc))
	}
	return v.page
}

// now is the time that dates are compared with.
func (v *visit) now() time.Time {
	if v.options.Now.IsZero() {
		return time.Now()
	}
	return v.options.Now
}

// report yields a finding of the rule that looks, about the n-th element of this
// name in the entry, counted from 0. Evidence is what the file says there.
func (v *visit) report(element string, n int, evidence, message string) {
	if v.ended {
		return
	}
	v.ended = !v.yield(Finding{
		Rule: v.rule, Severity: v.rule.Severity, File: v.file.Location, Line: v.entry.Line(), Offset: v.entry.Offset(),
		Element: element, URL: string(v.entry.Loc), Message: message, Evidence: evidence,
	})
}
