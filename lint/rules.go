package lint

import "slices"

// Rules returns every rule, in the order of the documentation.
func Rules() []*Rule {
	return slices.Concat(
		textRules, feedRules, extensionRules, imageRules, videoRules, newsRules, hreflangRules, pageMapRules, retiredRules,
	)
}
