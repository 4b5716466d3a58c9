package results

import (
	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/report"
)

// A ReasonText explains a reason in a few words that follow a number of URLs.
type ReasonText struct {
	Reason crawl.Reason
	Brief  string
}

// Reasons returns the reasons that a crawl decides with, the most important for the
// owner of a site first, in the language of a catalog.
func Reasons(c *catalog.Catalog) []ReasonText {
	var texts []ReasonText
	for _, e := range report.Explanations() {
		if e.Reason != report.Waiting {
			texts = append(texts, ReasonText{e.Reason, report.ExplainIn(c, e.Reason).Brief})
		}
	}
	return texts
}
