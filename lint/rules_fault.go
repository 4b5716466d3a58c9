package lint

import (
	"cmp"

	"github.com/mapatools/mapa/sitemap"
)

// ruleForFault returns the rule that a fault of the reader breaks: that with the ID of
// its kind, or a narrower one. It is nil for a kind without a rule.
func ruleForFault(fault *sitemap.Fault, format sitemap.Format) *Rule {
	if r := inIndex[fault.Kind]; r != nil && format == sitemap.FormatIndex {
		return r
	}
	switch {
	case fault.Kind == sitemap.FaultLocRelative && lacksScheme(fault.Detail): // the address
		return locNoScheme
	case fault.Kind == sitemap.FaultHTMLInstead && saysNotFound(fault.Detail): // the title
		return softNotFound
	}
	return ruleByID[string(cmp.Or(fault.Narrower, fault.Kind))]
}
