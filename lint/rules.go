package lint

import (
	"slices"
	"sync"
)

// Rules returns every rule, in the order of the documentation.
func Rules() []*Rule { return allRules() }

var allRules = sync.OnceValue(func() []*Rule {
	return slices.Concat(
		transportRules, answerRules, bodyRules, encodingRules, markupRules, namespaceRules, stylesheetRules, structureRules, orderRules, statisticRules,
		locRules, scopeRules, dateRules, frequencyRules, indexRules, childRules, setRules,
		imageRules,
	)
})
