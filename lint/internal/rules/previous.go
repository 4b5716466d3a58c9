package rules

import (
	"github.com/mapatools/mapa/lint/internal/rule"
)

var setShrank = &rule.Rule{
	ID:    "set-shrank",
	Title: "far fewer pages than the last time",
	Why: "Over 30 % of the pages that were there when the baseline was written are listed no more, so that engines no longer hear of them. " +
		"A program that met an error half-way is the usual cause. Without a baseline, --baseline, nothing is said.",
	Cure:     "Look at what is missing; mapa diff tells it. When the loss is meant, write the baseline anew: --baseline FILE --write-baseline.",
	Severity: rule.SeverityWarning,
	Source:   protocolHome,
	Since:    "0.1",
	Bad:      urlset("<!-- the last time there were ten pages -->\n" + `{{repeat 6 "<url><loc>https://example.com/{{n}}</loc></url>"}}`),
	Good:     urlset("<!-- the last time there were ten pages -->\n" + `{{repeat 7 "<url><loc>https://example.com/{{n}}</loc></url>"}}`),
}
