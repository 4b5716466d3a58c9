package lint

// setRules are about the pages of all files together.
var setRules = []*Rule{
	duplicateLoc, duplicateAcrossFiles, equivalentLoc, conflictingMetadata, hreflangNotReciprocal, hreflangInconsistent,
}

var (
	duplicateLoc         = &Rule{ID: "duplicate-loc", Severity: SeverityWarning, Source: protocolText + "#urldef"}
	duplicateAcrossFiles = &Rule{ID: "duplicate-across-files", Severity: SeverityWarning,
		Source: protocolText + "#urldef"}
	equivalentLoc       = &Rule{ID: "equivalent-loc", Severity: SeverityWarning, Source: uriText + "#section-6.2.2"}
	conflictingMetadata = &Rule{ID: "conflicting-metadata", Severity: SeverityWarning,
		Source: protocolText + "#lastmoddef"}
)
