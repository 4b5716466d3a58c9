package lint

import (
	"slices"
	"sync"
)

// Rules returns every rule, in the order of the documentation.
func Rules() []*Rule { return allRules() }

var allRules = sync.OnceValue(func() []*Rule {
	return slices.Concat(
		transportRules, bodyRules, encodingRules, markupRules, namespaceRules, structureRules,
		locRules, scopeRules, dateRules, frequencyRules, indexRules, setRules,
		textRules, feedRules, extensionRules, imageRules, videoRules, newsRules, hreflangRules, pageMapRules, retiredRules,
	)
})
