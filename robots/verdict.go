package robots

import (
	"fmt"
	"strings"
)

// Verdict says whether a URL may be fetched, and why.
type Verdict struct {
	Allowed bool
	Rule    string // the rule that decided, as written, such as "Disallow: /private"
	Line    int    // its line, counted from 1
	Reason  string // why it is so when no rule decided; empty otherwise
}

// String explains the verdict in one line, such as
// "disallowed by line 4: Disallow: /private" or "allowed: no rule matches".
func (v Verdict) String() string {
	word := "disallowed"
	if v.Allowed {
		word = "allowed"
	}
	if v.Rule == "" {
		return word + ": " + v.Reason
	}
	return fmt.Sprintf("%s by line %d: %s", word, v.Line, v.Rule)
}

// usualLength is the length of a path that is matched without allocation.
const usualLength = 512

// Verdict judges a URL: an absolute one, or its path and query, beginning with
// a slash. Two slashes begin an authority, as in any URL, so a path that has
// them must be given with its scheme and host. Percent-encoding is normalised
// before comparing and the fragment is ignored. The most specific rule that
// matches decides (RFC 9309, section 2.2.2).
//
// The time is linear in the length of the URL times the number of rules.
func (g *Group) Verdict(url string) Verdict {
	path := pathAndQuery(url)
	if path == "/robots.txt" {
		return Verdict{Allowed: true, Reason: "/robots.txt is always allowed"}
	}
	var space, alikeSpace [usualLength]byte
	octets, alike := space[:0], alikeSpace[:0]
	if encoded.keeps(path) {
		octets = append(octets, path...)
		alike = octets
	} else {
		octets = written.append(octets, path)
		if g.encodes {
			alike = encoded.append(alike, path)
		}
	}
	for i := range g.rules {
		if r := &g.rules[i]; r.match(octets, alike) {
			return Verdict{Allowed: r.allow, Rule: r.text, Line: r.line}
		}
	}
	return g.otherwise
}

// pathAndQuery cuts scheme, authority and fragment off a URL. What it gives
// begins with a slash.
func pathAndQuery(url string) string {
	url, _, _ = strings.Cut(url, "#")
	if !strings.HasPrefix(url, "/") || strings.HasPrefix(url, "//") {
		url = cutAuthority(url)
	}
	if !strings.HasPrefix(url, "/") {
		return "/" + url
	}
	return url
}

// cutAuthority gives what follows the host of a URL, whose scheme may be
// missing.
func cutAuthority(url string) string {
	const pathStart = "/?;"
	if rest, found := strings.CutPrefix(url, "//"); found {
		url = rest
	} else if scheme, rest, found := strings.Cut(url, "://"); found && !strings.ContainsAny(scheme, pathStart) {
		url = rest
	}
	if start := strings.IndexAny(url, pathStart); start >= 0 {
		return url[start:]
	}
	return ""
}
