package rules

import (
	"fmt"

	"github.com/mapatools/mapa/lint/internal/display"
	"github.com/mapatools/mapa/lint/internal/rule"
)

// maxLoss is how many percent of its pages a source may lose from one run to the
// next: the limit of mapa crawl.
const maxLoss = 30

// CheckLoss compares the number of pages that a source lists with that of the run
// before, 0 where it is unknown. First is the first file of the source.
func CheckLoss(first *rule.Index, source string, now, before int) {
	if lost := before - now; before > 0 && float64(lost)*100 > maxLoss*float64(before) {
		first.Report(setShrank, nil, fmt.Sprintf("pages in %s: %s now, %s in the baseline, a loss of %.0f %%",
			display.Text(source), display.Number(now), display.Number(before), float64(lost)*100/float64(before)))
	}
}
