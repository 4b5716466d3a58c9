package rules

import (
	"cmp"

	"github.com/mapatools/mapa/lint/internal/rule"
	"github.com/mapatools/mapa/sitemap"
)

// ForFault returns the rule that a fault of the reader breaks: that with the ID of
// its kind, or a narrower one. It is nil for a kind without a rule.
func ForFault(fault *sitemap.Fault, format sitemap.Format) *rule.Rule {
	if r := inIndex[fault.Kind]; r != nil && format == sitemap.FormatIndex {
		return r
	}
	switch {
	case fault.Kind == sitemap.FaultLocRelative && lacksScheme(fault.Detail): // the address
		return locNoScheme
	case fault.Kind == sitemap.FaultHTMLInstead && saysNotFound(fault.Detail): // the title
		return softNotFound
	}
	return byID[string(cmp.Or(fault.Narrower, fault.Kind))]
}
