package lint

import "math"

var setShrank = &Rule{ID: "set-shrank", Severity: SeverityWarning, Source: protocolHome}

// maxLoss is how many percent of its pages a source may lose from one run to the
// next: the limit of mapa crawl.
const maxLoss = 30

// checkLoss compares the number of pages that a source lists with that of the run
// before, 0 where it is unknown. First is the first file of the source.
func checkLoss(first *indexCheck, source string, now, before int) {
	if lost := before - now; before > 0 && float64(lost)*100 > maxLoss*float64(before) {
		first.report(setShrank, nil, newText("rule.set-shrank.found", printable(source), now, before,
			int(math.Round(float64(lost)*100/float64(before)))))
	}
}
