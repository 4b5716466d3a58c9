package extract

import (
	"slices"
	"strings"
)

// UpgradesRequests reports whether a content security policy has the directive
// upgrade-insecure-requests, by which a browser loads all parts of the page by https.
func UpgradesRequests(policy string) bool { return HasDirective(policy, "upgrade-insecure-requests") }

// HasDirective reports whether a content security policy, or one of several separated by
// commas, has a directive (https://www.w3.org/TR/CSP3/#parse-serialized-policy). name is in
// lower case.
func HasDirective(policy, name string) bool {
	directives := strings.FieldsFunc(policy, func(r rune) bool { return r == ';' || r == ',' })
	return slices.ContainsFunc(directives, func(directive string) bool {
		words := strings.Fields(directive)
		return len(words) > 0 && strings.EqualFold(words[0], name)
	})
}
