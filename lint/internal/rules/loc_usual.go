package rules

import (
	"bytes"
	"strings"

	"github.com/mapatools/mapa/lint/internal/display"
	"github.com/mapatools/mapa/lint/internal/rule"
	"github.com/mapatools/mapa/lint/internal/scan"
	"github.com/mapatools/mapa/lint/internal/scope"
)

var locFragment = &rule.Rule{
	ID:       "loc-fragment",
	Title:    "an address with a fragment",
	Why:      "What follows # never reaches the server: engines drop it, and several such addresses are one page.",
	Cure:     "List the page once, without the fragment.",
	Severity: rule.SeverityWarning,
	Source:   uriText + "#section-3.5",
	Since:    "0.1",
	Bad:      urlset(page("https://example.com/page#part", "")),
	Good:     urlset(page("https://example.com/page", "")),
	Needs:    scan.LocFragment,
	CheckEntry: func(e *rule.Entry) {
		if i := bytes.IndexByte(e.Loc, '#'); i >= 0 {
			reportLoc(e, "engines drop "+display.Text(e.Loc[i:]))
		}
	},
}

var locUserinfo = &rule.Rule{
	ID:       "loc-userinfo",
	Title:    "an address with a user name or password",
	Why:      "Engines do not log in, and everybody can read the sitemap.",
	Cure:     "Remove what stands before @, and change the password.",
	Severity: rule.SeverityWarning,
	Source:   uriText + "#section-3.2.1",
	Since:    "0.1",
	Bad:      urlset(page("https://user:secret@example.com/page", "")),
	Good:     urlset(page("https://example.com/page", "")),
	Needs:    scan.LocOrigin,
	CheckEntry: func(e *rule.Entry) {
		if host, _ := authority(e.Loc); bytes.IndexByte(host, '@') >= 0 {
			reportLoc(e, "a user name before the host")
		}
	},
}

var locSessionID = &rule.Rule{
	ID:       "loc-session-id",
	Title:    "an address with a session identifier",
	Why:      "Every visit makes another address of the same page, so engines crawl it again and again as a new one.",
	Cure:     "Remove the identifier from the addresses that are listed.",
	Severity: rule.SeverityWarning,
	Source:   protocolFAQ,
	Since:    "0.1",
	Bad:      urlset(page("https://example.com/page;jsessionid=1A530637289A03B07199A44E8D531427", "")),
	Good:     urlset(page("https://example.com/page", "")),
	Needs:    scan.LocQuery,
	CheckEntry: func(e *rule.Entry) {
		if name := sessionName(e.Loc); name != "" {
			reportLoc(e, name+" names a session")
		}
	},
}

// sessionName finds the parameter of a path or a query that names a session.
func sessionName(loc []byte) string {
	i := bytes.IndexAny(loc, ";?")
	if i < 0 {
		return ""
	}
	for parameter := range bytes.FieldsFuncSeq(loc[i:], func(r rune) bool { return strings.ContainsRune(";?&/", r) }) {
		name, value, _ := bytes.Cut(parameter, []byte{'='})
		if len(value) < 8 {
			continue
		}
		switch lower := strings.ToLower(string(name[:min(len(name), 32)])); lower {
		case "jsessionid", "phpsessid", "aspsessionid", "asp.net_sessionid", "sessionid", "session_id", "cfid", "cftoken", "oscsid", "zenid":
			return lower
		}
	}
	return ""
}

var locDefaultPort = &rule.Rule{
	ID:       "loc-default-port",
	Title:    "an address with the port that its scheme has anyway",
	Why:      "https://example.com:443/ and https://example.com/ are one page, and engines show the short form.",
	Cure:     "Leave the port out of the address.",
	Severity: rule.SeverityInfo,
	Source:   uriText + "#section-6.2.3",
	Since:    "0.1",
	Bad:      urlset(page("https://example.com:443/page", "")),
	Good:     urlset(page("https://example.com/page", "")),
	Needs:    scan.LocOrigin,
	CheckEntry: func(e *rule.Entry) {
		if u := e.Address(); u != nil && u.Port() != "" && u.Port() == scope.DefaultPort(u.Scheme) {
			reportLoc(e, "port "+u.Port()+" goes without saying")
		}
	},
}

var locDotSegments = &rule.Rule{
	ID:       "loc-dot-segments",
	Title:    "an address with /./ or /../",
	Why:      "Clients resolve the dots before they ask, so the page has another address than the one listed.",
	Cure:     "List the address that remains when the dots are resolved.",
	Severity: rule.SeverityWarning,
	Source:   uriText + "#section-6.2.2.3",
	Since:    "0.1",
	Bad:      urlset(page("https://example.com/a/../page", "")),
	Good:     urlset(page("https://example.com/page", "")),
	Needs:    scan.LocDots,
	CheckEntry: func(e *rule.Entry) {
		path, _, _ := bytes.Cut(e.Loc, []byte{'?'})
		for segment := range bytes.SplitSeq(path, []byte{'/'}) {
			if s := string(segment); s == "." || s == ".." {
				reportLoc(e, "a segment "+s+" in the path")
				return
			}
		}
	},
}

var locUpperHost = &rule.Rule{
	ID:       "loc-upper-host",
	Title:    "a scheme or host with capital letters",
	Why:      "Both are the same in lower case, which is how engines show and compare them.",
	Cure:     "Write scheme and host in lower case.",
	Severity: rule.SeverityInfo,
	Source:   uriText + "#section-6.2.2.1",
	Since:    "0.1",
	Bad:      urlset(page("https://Example.com/page", "")),
	Good:     urlset(page("https://example.com/page", "")),
	Needs:    scan.LocOrigin,
	CheckEntry: func(e *rule.Entry) {
		host, ok := authority(e.Loc)
		scheme, _, _ := bytes.Cut(e.Loc, []byte{':'})
		if ok && (hasUpper(host) || hasUpper(scheme)) {
			reportLoc(e, "capital letters in the scheme or the host")
		}
	},
}

func hasUpper(b []byte) bool {
	for _, c := range b {
		if c >= 'A' && c <= 'Z' {
			return true
		}
	}
	return false
}
