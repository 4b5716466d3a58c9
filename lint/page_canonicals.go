package lint

// pageCanonicalRules are about rel=canonical in pages and headers.
var pageCanonicalRules = []*Rule{
	{ID: "canonical-multiple", Subject: SubjectPage, Severity: SeverityError,
		Source: "https://developer.chrome.com/docs/lighthouse/seo/canonical"},
	{ID: "canonical-broken", Subject: SubjectPage, Severity: SeverityError, Source: googleCanonical},
	{ID: "canonical-chain", Subject: SubjectPage, Severity: SeverityWarning,
		Source: "https://www.rfc-editor.org/rfc/rfc6596#section-3"},
	{ID: "canonical-relative", Subject: SubjectPage, Severity: SeverityInfo, Source: googleCanonical},
	{ID: "canonical-in-body", Subject: SubjectPage, Severity: SeverityWarning, Source: googleCanonical},
}
