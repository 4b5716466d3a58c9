package lint

import (
	"fmt"
)

var setShrank = &Rule{
	ID:    "set-shrank",
	Title: "far fewer pages than in the baseline",
	Why: "More than 30 % of the pages that were listed when the baseline was written are gone, so search engines " +
		"no longer learn of them. The usual cause is a generator that failed halfway. This rule needs --baseline.",
	Fix:      "Check which pages are missing, with mapa diff. If the loss is intended, write a new baseline: --baseline FILE --write-baseline.",
	Severity: SeverityWarning,
	Source:   protocolHome,
	Since:    "0.1",
	Bad: urlset("<!-- the last time there were ten pages -->\n" +
		`{{repeat 6 "<url><loc>https://example.com/{{n}}</loc></url>"}}`),
	Good: urlset("<!-- the last time there were ten pages -->\n" +
		`{{repeat 7 "<url><loc>https://example.com/{{n}}</loc></url>"}}`),
}

// maxLoss is how many percent of its pages a source may lose from one run to the
// next: the limit of mapa crawl.
const maxLoss = 30

// checkLoss compares the number of pages that a source lists with that of the run
// before, 0 where it is unknown. First is the first file of the source.
func checkLoss(first *indexCheck, source string, now, before int) {
	if lost := before - now; before > 0 && float64(lost)*100 > maxLoss*float64(before) {
		first.report(setShrank, nil, fmt.Sprintf("pages in %s: %s now, %s in the baseline, a loss of %.0f %%",
			printable(source), number(now), number(before), float64(lost)*100/float64(before)))
	}
}
