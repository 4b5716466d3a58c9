package lint

import "slices"

// pageHreflangRules are about where the hreflang links of pages lead.
var pageHreflangRules = []*Rule{
	{ID: "hreflang-target-broken", Subject: SubjectPage, Severity: SeverityError, Source: hreflangText},
	{ID: "hreflang-target-canonical", Subject: SubjectPage, Severity: SeverityError, Source: hreflangText},
	{ID: "hreflang-target-not-listed", Subject: SubjectPage, Severity: SeverityWarning, Source: hreflangText},
}

// sharedHreflangRules are the rules over sitemaps that judge the hreflang links of pages as
// well.
var sharedHreflangRules = slices.Concat(hreflangCodeRules, hreflangSetRules,
	[]*Rule{hreflangWithoutSelf, hreflangNotReciprocal, hreflangInconsistent})
