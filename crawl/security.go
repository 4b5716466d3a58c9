package crawl

import (
	"net/http"
	"strings"

	"github.com/mapatools/mapa/internal/extract"
)

// Security says which headers protect the visitors of a page.
type Security uint8

// The headers. The numbers are part of the crawl file.
const (
	SecurityKnown   Security = 1 << iota // the headers were looked at: an HTML page with status 200
	SecurityNosniff                      // X-Content-Type-Options: nosniff
	SecurityCSP                          // Content-Security-Policy
	SecurityFrame                        // X-Frame-Options, or the policy has frame-ancestors
	SecurityHSTS                         // Strict-Transport-Security over https, for longer than no time
)

// securityOf returns what the header of an HTML page says.
func securityOf(header http.Header, overTLS bool) Security {
	known := SecurityKnown
	set := func(bit Security, is bool) {
		if is {
			known |= bit
		}
	}
	policy := policyOf(header)
	options, _, _ := strings.Cut(header.Get("X-Content-Type-Options"), ",")
	set(SecurityNosniff, strings.EqualFold(strings.TrimSpace(options), "nosniff"))
	set(SecurityCSP, strings.Trim(policy, " ,;") != "")
	set(SecurityFrame, strings.TrimSpace(header.Get("X-Frame-Options")) != "" ||
		extract.HasDirective(policy, "frame-ancestors"))
	set(SecurityHSTS, overTLS && hasHSTS(header.Get("Strict-Transport-Security")))
	return known
}

// policyOf returns the content security policies of a header.
func policyOf(header http.Header) string {
	return strings.Join(header.Values("Content-Security-Policy"), ",")
}

// hasHSTS reports whether the value of Strict-Transport-Security has a max-age above 0 (RFC
// 6797, section 6.1).
func hasHSTS(value string) bool {
	for directive := range strings.SplitSeq(value, ";") {
		name, age, _ := strings.Cut(directive, "=")
		if strings.EqualFold(strings.TrimSpace(name), "max-age") {
			digits := strings.Trim(strings.TrimSpace(age), `"`)
			return strings.Trim(digits, "0") != "" && strings.Trim(digits, "0123456789") == ""
		}
	}
	return false
}
