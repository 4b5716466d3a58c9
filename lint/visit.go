package lint

import (
	"net/url"
	"time"

	"github.com/mapatools/mapa/sitemap"
)

// A visit is what rules see of one entry. Nothing of it stays true after it.
type visit struct {
	*fileCheck
	rule   *Rule // the one that looks
	entry  *sitemap.Entry
	traits traits
	parsed sitemap.Extensions
	known  bool     // parsed is that of the entry
	page   *url.URL // when asked for

	departure departure // when asked for
}

func (v *visit) take(entry *sitemap.Entry) {
	v.entry, v.known, v.page, v.departure = entry, false, nil, unknown
	v.traits = v.glance()
}

// judge applies the rules that the entry gives reason for.
func (v *visit) judge() {
	rules := v.plan.entry
	if v.traits&v.plan.needs == 0 {
		rules = v.plan.always
	}
	for _, r := range rules {
		if r.needs == anyEntry || r.needs&v.traits != 0 {
			v.rule = r
			r.check(v)
		}
	}
}

// extensions returns the entry's extensions, as far as they can be read.
func (v *visit) extensions() *sitemap.Extensions {
	if !v.known {
		v.known = true
		_ = v.entry.Extensions(&v.parsed) // the reader reports what is wrong with them
	}
	return &v.parsed
}

// address returns the loc as an address, or nil where it is none.
func (v *visit) address() *url.URL {
	if v.page == nil {
		v.page, _ = url.Parse(string(v.entry.Loc))
	}
	return v.page
}

// now is the time that dates are compared with.
func (v *visit) now() time.Time { return v.options.Now }

// report yields a finding of the rule that looks, about the n-th element of this
// name in the entry, counted from 0. Evidence is what the file says there.
func (v *visit) report(element string, n int, evidence, message string) {
	if !v.admit(v.rule) {
		return
	}
	offset, line, column := v.entry.Source().Find(element, n)
	v.add(Finding{
		Rule: v.rule, Line: line, Column: column, Offset: offset,
		Element: element, URL: printable(v.entry.Loc), Message: message, Evidence: printable([]byte(evidence)),
	})
}
