package report

import (
	"slices"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/format"
)

// Waiting is the decision about a URL that the crawl has not visited yet.
const Waiting crawl.Reason = "waiting"

// Explanation explains a reason to the owner of a site.
type Explanation struct {
	Reason   crawl.Reason
	Name     string // for headings
	Brief    string // follows the number of URLs
	Plural   string // sentence about several URLs
	Singular string // sentence about one URL
}

// Explanations returns the English explanations of all reasons, the most important first.
func Explanations() []Explanation {
	var all []Explanation
	for _, reason := range reasonOrder {
		all = append(all, Explain(reason))
	}
	return all
}

// reasonOrder are all reasons, the most important first.
var reasonOrder = []crawl.Reason{
	crawl.ReasonListed, crawl.ReasonAdded, crawl.ReasonClientError, crawl.ReasonServerError,
	crawl.ReasonUnreachable, crawl.ReasonRedirectLoop, crawl.ReasonSoft404, crawl.ReasonInconclusive,
	crawl.ReasonRedirect, crawl.ReasonCanonical, crawl.ReasonNoIndex, crawl.ReasonRobots, crawl.ReasonNofollow,
	crawl.ReasonDuplicate, crawl.ReasonParameterVariant, crawl.ReasonTrap, crawl.ReasonLimit,
	crawl.ReasonTooLarge, crawl.ReasonUnlistable, crawl.ReasonExcluded, crawl.ReasonNoList,
	crawl.ReasonNotAPage, crawl.ReasonOutOfScope, Waiting,
}

// english returns the texts of the formats that are written in English only.
func english() *catalog.Catalog { return catalog.For(catalog.English) }

// Explain returns the English explanation of a reason. The texts of an unknown reason,
// which only another program can have written, are its name in printable form.
func Explain(reason crawl.Reason) Explanation { return ExplainIn(english(), reason) }

// ExplainIn is Explain in the language of a catalog.
func ExplainIn(c *catalog.Catalog, reason crawl.Reason) Explanation {
	if !slices.Contains(reasonOrder, reason) {
		name := format.Printable(string(reason))
		return Explanation{Reason: reason, Name: name, Brief: name, Plural: name, Singular: name}
	}
	key := "reason." + DecisionName(reason)
	return Explanation{
		Reason: reason, Name: c.Text(key + ".name"), Brief: c.Text(key + ".brief"),
		Plural: c.Text(key + ".plural"), Singular: c.Text(key + ".singular"),
	}
}

// Reasons returns the explanations of the reasons that a crawl decides with, the most important for the owner
// of a site first, in the language of a catalog.
func Reasons(c *catalog.Catalog) []Explanation {
	var all []Explanation
	for _, reason := range reasonOrder {
		if reason != Waiting {
			all = append(all, ExplainIn(c, reason))
		}
	}
	return all
}

// DecisionName returns the name of a reason for programs: "listed" if it is empty.
func DecisionName(reason crawl.Reason) string {
	if reason == crawl.ReasonListed {
		return "listed"
	}
	return string(reason)
}
