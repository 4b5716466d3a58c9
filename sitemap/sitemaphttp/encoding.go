package sitemaphttp

import (
	"net/http"
	"strconv"
	"strings"
)

// acceptsGzip reports whether a request prefers gzip to no encoding, or likes both
// alike (RFC 9110, section 12.5.3). Without the header it does not, since a client
// that does not ask may not decode.
func acceptsGzip(header http.Header) bool {
	named := map[string]float64{}
	for coding, q := range qualities(header.Values("Accept-Encoding")) {
		if coding == "x-gzip" {
			coding = "gzip"
		}
		named[coding] = q
	}
	any, hasAny := named["*"]
	gzip, hasGzip := named["gzip"]
	if !hasGzip && hasAny {
		gzip = any
	}
	return gzip > 0 && gzip >= named["identity"]
}

// qualities yields the members of a list with their weights, in lower case. A member
// with a wrong weight is left out.
func qualities(lines []string) func(yield func(string, float64) bool) {
	return func(yield func(string, float64) bool) {
		for _, line := range lines {
			for member := range strings.SplitSeq(line, ",") {
				name, parameters, _ := strings.Cut(member, ";")
				q, ok := weight(parameters)
				if name = strings.ToLower(strings.TrimSpace(name)); ok && name != "" && !yield(name, q) {
					return
				}
			}
		}
	}
}

// weight reads the parameter q, which is 1 if it is missing.
func weight(parameters string) (float64, bool) {
	for parameter := range strings.SplitSeq(parameters, ";") {
		name, value, _ := strings.Cut(parameter, "=")
		if !strings.EqualFold(strings.TrimSpace(name), "q") {
			continue
		}
		q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		return q, err == nil && q >= 0 && q <= 1
	}
	return 1, true
}
