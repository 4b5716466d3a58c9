package extract

import "strings"

// A HeaderLink is one link of a Link header.
type HeaderLink struct {
	// URL is the address as written: not resolved, perhaps not valid.
	URL string
	// Rel holds the relation types that a crawler knows.
	Rel Rel
	// Lang is the hreflang parameter.
	Lang string
}

// ParseLinkHeader returns the links in the values of the Link headers of a response
// (RFC 8288, section 3). Parameters that are repeated count once, the first time. A
// missing comma between two links is tolerated; the rest of a value is dropped where
// an address has no end.
func ParseLinkHeader(values []string) []HeaderLink {
	var links []HeaderLink
	for _, value := range values {
		for value != "" {
			_, rest, opened := strings.Cut(value, "<")
			address, rest, closed := strings.Cut(rest, ">")
			if !opened || !closed {
				break
			}
			link := HeaderLink{URL: strings.TrimSpace(address)}
			value = link.readParameters(rest)
			links = append(links, link)
		}
	}
	return links
}

// readParameters reads the parameters of one link and returns the text after them.
func (l *HeaderLink) readParameters(text string) (rest string) {
	hasRel, hasLang := false, false
	for {
		end := parameterEnd(text)
		name, value, _ := strings.Cut(text[:end], "=")
		switch name = strings.TrimSpace(name); {
		case strings.EqualFold(name, "rel") && !hasRel:
			hasRel, l.Rel = true, parseRel([]byte(unquote(value)))
		case strings.EqualFold(name, "hreflang") && !hasLang:
			hasLang, l.Lang = true, unquote(value)
		}
		switch {
		case end == len(text):
			return ""
		case text[end] == '<':
			return text[end:]
		case text[end] == ',':
			return text[end+1:]
		}
		text = text[end+1:]
	}
}

// parameterEnd returns the index of the separator after the first parameter: a
// semicolon, the comma after a link, or the beginning of the next link.
// Separators in quotes do not count.
func parameterEnd(text string) int {
	quoted := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			quoted = !quoted
		case quoted && c == '\\':
			i++
		case !quoted && (c == ';' || c == ',' || c == '<'):
			return i
		}
	}
	return len(text)
}

// unquote returns the value of a parameter: a token, or a quoted string (RFC 9110,
// section 5.6.4).
func unquote(value string) string {
	value = strings.TrimSpace(value)
	if len(value) < 2 || value[0] != '"' {
		return value
	}
	value = strings.TrimSuffix(value[1:], `"`)
	if !strings.Contains(value, `\`) {
		return value
	}
	var plain strings.Builder
	for i := 0; i < len(value); i++ {
		if value[i] == '\\' && i+1 < len(value) {
			i++
		}
		plain.WriteByte(value[i])
	}
	return plain.String()
}
