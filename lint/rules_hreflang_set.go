package lint

const hreflangText = "https://developers.google.com/search/docs/specialty/international/localized-versions"

var (
	hreflangNotReciprocal = &Rule{ID: "hreflang-not-reciprocal", Severity: SeverityWarning,
		Engines: EngineGoogle, Source: hreflangText}
	hreflangInconsistent = &Rule{ID: "hreflang-inconsistent-language", Severity: SeverityWarning,
		Engines: EngineGoogle, Source: hreflangText}
)
