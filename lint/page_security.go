package lint

// pageSecurityRules are about encryption, and about headers that browsers protect visitors
// by.
var pageSecurityRules = []*Rule{
	// An error for what browsers block.
	{ID: "mixed-content", Subject: SubjectPage, Severity: SeverityWarning, Escalated: SeverityError,
		Source: "https://www.w3.org/TR/mixed-content/"},
	{ID: "insecure-form", Subject: SubjectPage, Severity: SeverityError,
		Source: "https://blog.chromium.org/2020/08/protecting-google-chrome-users-from.html"},
	{ID: "http-page", Subject: SubjectPage, Severity: SeverityWarning,
		Source: "https://web.dev/articles/why-https-matters"},
	{ID: "header-hsts", Subject: SubjectHost, Severity: SeverityWarning,
		Source: "https://www.rfc-editor.org/rfc/rfc6797"},
	{ID: "header-nosniff", Subject: SubjectHost, Severity: SeverityInfo,
		Source: "https://fetch.spec.whatwg.org/#x-content-type-options-header"},
	{ID: "header-csp", Subject: SubjectHost, Severity: SeverityInfo, Source: "https://www.w3.org/TR/CSP3/"},
	{ID: "header-frame", Subject: SubjectHost, Severity: SeverityInfo,
		Source: "https://www.w3.org/TR/CSP3/#directive-frame-ancestors"},
	// The limits are in days.
	{ID: "tls-expiry", Subject: SubjectHost, Severity: SeverityWarning, Escalated: SeverityError,
		Threshold: Below(21, 7), Source: "https://www.rfc-editor.org/rfc/rfc5280#section-4.1.2.5"},
}
