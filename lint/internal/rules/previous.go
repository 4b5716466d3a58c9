package rules

import (
	"github.com/mapatools/mapa/lint/internal/rule"
)

var setShrank = &rule.Rule{
	ID:    "set-shrank",
	Title: "far fewer pages than in the baseline",
	Why: "More than 30 % of the pages that were listed when the baseline was written are gone, so search engines " +
		"no longer learn of them. The usual cause is a generator that failed halfway. This rule needs --baseline.",
	Cure:     "Check which pages are missing, with mapa diff. If the loss is intended, write a new baseline: --baseline FILE --write-baseline.",
	Severity: rule.SeverityWarning,
	Source:   protocolHome,
	Since:    "0.1",
	Bad:      urlset("<!-- the last time there were ten pages -->\n" + `{{repeat 6 "<url><loc>https://example.com/{{n}}</loc></url>"}}`),
	Good:     urlset("<!-- the last time there were ten pages -->\n" + `{{repeat 7 "<url><loc>https://example.com/{{n}}</loc></url>"}}`),
}
