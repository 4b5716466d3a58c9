package robots

import (
	"fmt"
	"strings"
)

// A Verdict reports whether a URL may be fetched, and why.
type Verdict struct {
	Allowed bool
	Rule    string // the rule that decided, as written, such as "Disallow: /private"
	Line    int    // the line of the rule, counted from 1; 0 without a rule
	Reason  string // the reason when no rule decided, in words; empty otherwise
	Cause   Cause  // the same for programs; empty if a rule decided
	Status  int    // of the response, for CauseStatus; 0 otherwise
}

// A Cause says what decided about a URL where no rule did. The names are stable.
type Cause string

// The causes.
const (
	CauseNoRule      Cause = "no-rule"     // no rule of the group matches
	CauseNoGroup     Cause = "no-group"    // no group of the file applies to the crawler
	CauseRobotsFile  Cause = "always"      // /robots.txt itself may always be fetched
	CauseStatus      Cause = "answered"    // the status of the response for the file
	CauseUnreachable Cause = "unreachable" // there is no response for the file
	CauseGiven       Cause = "given"       // the reason given to AllowAll or DisallowAll
)

// String returns the verdict in one line, such as
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

// usualLength is the longest path that is matched without allocation.
const usualLength = 512

// Verdict judges a URL, which is absolute or begins with the slash of its path. Two
// slashes begin an authority, as in any URL, so a path that begins with two must be
// given with scheme and host. Percent-encoding is normalized before comparing, and
// the fragment is ignored. The most specific rule that matches decides (RFC 9309,
// section 2.2.2). /robots.txt is always allowed.
//
// The time is linear in the length of the URL times the number of rules.
func (g *Group) Verdict(url string) Verdict {
	path := pathAndQuery(url)
	if path == "/robots.txt" {
		return Verdict{Allowed: true, Reason: "/robots.txt is always allowed", Cause: CauseRobotsFile}
	}
	var space, normalSpace [usualLength]byte
	octets, normal := space[:0], normalSpace[:0]
	if encoded.keeps(path) {
		octets = append(octets, path...)
		normal = octets
	} else {
		octets = written.append(octets, path)
		if g.encodes {
			normal = encoded.append(normal, path)
		}
	}
	for i := range g.rules {
		if r := &g.rules[i]; r.match(octets, normal) {
			return Verdict{Allowed: r.allow, Rule: r.text, Line: r.line}
		}
	}
	return g.otherwise
}

// pathAndQuery removes scheme, authority and fragment from a URL. The result begins
// with a slash.
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

// cutAuthority returns the part of a URL after its host. The scheme may be missing.
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
