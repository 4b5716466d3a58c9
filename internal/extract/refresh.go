package extract

import (
	"bytes"
	"time"
)

// maxDelay is the maximum delay of a refresh; longer ones are cut to it.
const maxDelay = 365 * 24 * time.Hour

// parseRefresh parses the content of a meta refresh (HTML standard, section
// 4.2.5.3, "shared declarative refresh steps"). Without a URL the page reloads
// itself.
func parseRefresh(content []byte) (r Refresh, ok bool) {
	rest := trimLeft(content)
	digits := 0
	for digits < len(rest) && isDigit(rest[digits]) {
		seconds := time.Duration(rest[digits]-'0') * time.Second
		r.Delay = min(r.Delay*10+seconds, maxDelay)
		digits++
	}
	if digits == 0 && (len(rest) == 0 || rest[0] != '.') {
		return Refresh{}, false
	}
	rest = rest[digits:]
	for len(rest) > 0 && (isDigit(rest[0]) || rest[0] == '.') {
		rest = rest[1:]
	}
	if len(rest) > 0 && rest[0] != ';' && rest[0] != ',' && !isSpace[rest[0]] {
		return Refresh{}, false
	}
	rest = trimLeft(rest)
	if len(rest) > 0 && (rest[0] == ';' || rest[0] == ',') {
		rest = trimLeft(rest[1:])
	}
	r.URL = refreshURL(rest)
	return r, true
}

// refreshURL removes "url=" and quotes around the URL, if any.
func refreshURL(rest []byte) []byte {
	if hasPrefixFold(rest, "url") {
		if value := trimLeft(rest[len("url"):]); len(value) > 0 && value[0] == '=' {
			rest = trimLeft(value[1:])
		}
	}
	if len(rest) > 0 && (rest[0] == '"' || rest[0] == '\'') {
		quote := rest[0]
		rest = rest[1:]
		if end := bytes.IndexByte(rest, quote); end >= 0 {
			rest = rest[:end]
		}
	}
	return trim(rest)
}
