package crawl

import (
	"net/http"
	"slices"
	"strings"
)

// headerLink is one link of a Link header.
type headerLink struct {
	address  string
	language string // hreflang
}

// linkHeader returns the links with a relation (RFC 8288, section 3).
func linkHeader(header http.Header, relation string) (found []headerLink) {
	for _, value := range header.Values("Link") {
		for value != "" {
			_, rest, opened := strings.Cut(value, "<")
			address, rest, closed := strings.Cut(rest, ">")
			if !opened || !closed {
				break
			}
			var parameters string
			parameters, value = cutLink(rest)
			if rel := parameter(parameters, "rel"); slices.Contains(strings.Fields(strings.ToLower(rel)), relation) {
				found = append(found, headerLink{strings.TrimSpace(address), parameter(parameters, "hreflang")})
			}
		}
	}
	return found
}

// cutLink splits the parameters of one link from the links after it. A comma in quotes
// does not separate links.
func cutLink(text string) (parameters, rest string) {
	quoted := false
	for i := range len(text) {
		switch text[i] {
		case '"':
			quoted = !quoted
		case ',':
			if !quoted {
				return text[:i], text[i+1:]
			}
		}
	}
	return text, ""
}

// parameter returns the value of a link's parameter, or "".
func parameter(parameters, name string) string {
	for p := range strings.SplitSeq(parameters, ";") {
		key, value, _ := strings.Cut(p, "=")
		if strings.EqualFold(strings.TrimSpace(key), name) {
			return strings.Trim(strings.TrimSpace(value), `"`)
		}
	}
	return ""
}
