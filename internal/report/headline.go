package report

import (
	"slices"
	"strings"

	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/compare"
	"github.com/mapatools/mapa/internal/insight"
	"github.com/mapatools/mapa/internal/store"
)

// An Outcome is what the result of a crawl begins with.
type Outcome struct {
	Verdict *insight.Verdict  // nil for a crawl that has not ended, or that there was no time to judge
	Losses  []store.LossCount // that are open
	Changes *compare.Counts   // since the crawl before; nil without one
}

// Sign returns the sign of the crawl.
func (o *Outcome) Sign() insight.Sign {
	losses := 0
	for i := range o.Losses {
		losses += o.Losses[i].Count
	}
	return insight.SignOf(o.Verdict, losses)
}

// A SignText is a sign for people: its word, and the kind of its color. Color never says more than the word.
type SignText struct{ Name, Kind string }

// signKinds are the colors of signs.
var signKinds = map[insight.Sign]string{insight.SignGood: "good", insight.SignFix: "warn", insight.SignBad: "bad"}

// NewSignText returns a sign in the language of a catalog.
func NewSignText(c *catalog.Catalog, s insight.Sign) SignText {
	return SignText{c.Text("sign." + string(s)), signKinds[s]}
}

// Headline says what was lost, or else what the crawl means.
func (o *Outcome) Headline(c *catalog.Catalog) string {
	if len(o.Losses) > 0 {
		return o.lossText(c)
	}
	return o.sentence(c)
}

// Advice says what would help.
func (o *Outcome) Advice(c *catalog.Catalog) string {
	switch {
	case len(o.Losses) > 0:
		return c.Text("losses.advice") + " " + o.sentence(c)
	case o.Verdict == nil:
		return ""
	case o.Verdict.Action == insight.ActionUpload && o.Changes != nil && o.Changes.SameSitemap():
		return c.Text("change.same-sitemap")
	}
	return o.Verdict.Advice(c)
}

// First says what was lost and what changed. It is empty where nothing was and nothing did.
func (o *Outcome) First(c *catalog.Catalog) string {
	var sentences []string
	if len(o.Losses) > 0 {
		sentences = append(sentences, o.lossText(c))
	}
	if o.Changes != nil {
		parts := slices.DeleteFunc(ChangeParts(o.Changes, compare.Kinds), func(part ChangePart) bool {
			return part.Count == o.Changes.Losses[string(part.Kind)] // the losses are already named
		})
		if len(parts) > 0 {
			sentences = append(sentences, ChangeSentence(c, parts)+".")
		}
	}
	return strings.Join(sentences, " ")
}

func (o *Outcome) sentence(c *catalog.Catalog) string {
	if o.Verdict == nil {
		return c.Text("verdict.none")
	}
	return o.Verdict.Sentence(c)
}

// maxLossSentences is how many reasons of losses the headline names.
const maxLossSentences = 2

func (o *Outcome) lossText(c *catalog.Catalog) string {
	var sentences []string
	for i := range o.Losses[:min(len(o.Losses), maxLossSentences)] {
		sentences = append(sentences, LossSentence(c, &o.Losses[i])+".")
	}
	return strings.Join(sentences, " ")
}
