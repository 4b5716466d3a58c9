package report

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/compare"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/page"
	"github.com/mapatools/mapa/internal/store"
)

// A ChangePart is how many URLs changed in a way. By has their numbers by decision, of pages that left the sitemap, or
// by fact, of pages that changed.
type ChangePart struct {
	Kind  compare.Kind   `json:"change"`
	Count int            `json:"count"`
	By    map[string]int `json:"by,omitempty"`
}

// ChangeParts returns the kinds that occur, of some kinds, the worst first.
func ChangeParts(n *compare.Counts, kinds []compare.Kind) (parts []ChangePart) {
	for _, kind := range kinds {
		part := ChangePart{Kind: kind, Count: *n.Of(kind)}
		switch kind {
		case compare.KindLeftSitemap:
			part.By = n.LeftBy
		case compare.KindChanged:
			part.By = n.ChangedBy
		}
		if part.Count > 0 {
			parts = append(parts, part)
		}
	}
	return parts
}

const (
	maxParts = 3 // of a sentence
	maxBy    = 2 // decisions or facts of a part
)

// ChangeSentence says what changed: the worst first, and at most three parts.
func ChangeSentence(c *catalog.Catalog, parts []ChangePart) string {
	var texts []string
	for i := range parts[:min(len(parts), maxParts)] {
		part := &parts[i]
		text := c.Count(int64(part.Count)) + " " + c.Text("change."+string(part.Kind))
		if i == 0 {
			text = c.Plural("change.first."+string(part.Kind), int64(part.Count))
		}
		if by := part.names(c); by != "" {
			text += " (" + by + ")"
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, ", ")
}

// names returns the most frequent decisions or facts of a part.
func (p *ChangePart) names(c *catalog.Catalog) string {
	keys := slices.SortedFunc(maps.Keys(p.By), func(a, b string) int {
		return cmp.Or(p.By[b]-p.By[a], strings.Compare(a, b))
	})
	var names []string
	for _, key := range keys[:min(len(keys), maxBy)] {
		switch p.Kind {
		case compare.KindLeftSitemap:
			names = append(names, DecisionName(c, key))
		case compare.KindChanged:
			names = append(names, format.InSentence(c.Text("fact."+key)))
		}
	}
	return strings.Join(names, ", ")
}

// LossSentence says how many pages are missing from the sitemap, since when and why.
func LossSentence(c *catalog.Catalog, loss *store.LossCount) string {
	return c.Plural("losses", int64(loss.Count), c.Date(loss.Since), DecisionName(c, loss.Decision))
}

// DecisionName returns the name of a decision as it is within a sentence.
func DecisionName(c *catalog.Catalog, decision string) string {
	return format.InSentence(page.Explain(c, page.DecisionNamed(decision)).Name)
}
