package lint

import (
	"bytes"
	"strings"

	"github.com/mapatools/mapa/lint/internal/scan"
)

var locFragment = &Rule{
	ID:       "loc-fragment",
	Title:    "URL with a fragment (#)",
	Why:      "The part after # never reaches the server. Search engines drop it, and see several such URLs as one page.",
	Fix:      "List the page once, without the fragment.",
	Severity: SeverityWarning,
	Source:   uriText + "#section-3.5",
	Since:    "0.1",
	Bad:      urlset(page("https://example.com/page#part", "")),
	Good:     urlset(page("https://example.com/page", "")),
	needs:    scan.LocFragment,
	checkEntry: func(e *entryCheck) {
		if i := bytes.IndexByte(e.Loc, '#'); i >= 0 {
			reportLoc(e, "search engines drop "+printable(e.Loc[i:]))
		}
	},
}

var locUserinfo = &Rule{
	ID:       "loc-userinfo",
	Title:    "URL with a user name or password",
	Why:      "Search engines do not log in, and everybody can read the sitemap.",
	Fix:      "Remove the part before @, and change the password.",
	Severity: SeverityWarning,
	Source:   uriText + "#section-3.2.1",
	Since:    "0.1",
	Bad:      urlset(page("https://user:secret@example.com/page", "")),
	Good:     urlset(page("https://example.com/page", "")),
	needs:    scan.LocOrigin,
	checkEntry: func(e *entryCheck) {
		if host, _ := authority(e.Loc); bytes.IndexByte(host, '@') >= 0 {
			reportLoc(e, "there is a user name before the host")
		}
	},
}

var locSessionID = &Rule{
	ID:       "loc-session-id",
	Title:    "URL with a session ID",
	Why:      "Every visit creates another URL for the same page. Search engines crawl each one as a new page.",
	Fix:      "Remove the session ID from the URLs in the sitemap.",
	Severity: SeverityWarning,
	Source:   protocolFAQ,
	Since:    "0.1",
	Bad:      urlset(page("https://example.com/page;jsessionid=1A530637289A03B07199A44E8D531427", "")),
	Good:     urlset(page("https://example.com/page", "")),
	needs:    scan.LocQuery,
	checkEntry: func(e *entryCheck) {
		if name := sessionName(e.Loc); name != "" {
			reportLoc(e, name+" is a session ID")
		}
	},
}

// sessionName returns the parameter of a path or a query that is a session ID.
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
		case "jsessionid", "phpsessid", "aspsessionid", "asp.net_sessionid", "sessionid", "session_id", "cfid", "cftoken",
			"oscsid", "zenid":
			return lower
		}
	}
	return ""
}

var locDefaultPort = &Rule{
	ID:       "loc-default-port",
	Title:    "URL with the default port",
	Why:      "https://example.com:443/ and https://example.com/ are the same page, and search engines show the short form.",
	Fix:      "Remove the port from the URL.",
	Severity: SeverityInfo,
	Source:   uriText + "#section-6.2.3",
	Since:    "0.1",
	Bad:      urlset(page("https://example.com:443/page", "")),
	Good:     urlset(page("https://example.com/page", "")),
	needs:    scan.LocOrigin,
	checkEntry: func(e *entryCheck) {
		if u := e.Address(); u != nil && u.Port() != "" && u.Port() == scan.DefaultPort(u.Scheme) {
			reportLoc(e, "port "+u.Port()+" is the default port")
		}
	},
}

var locDotSegments = &Rule{
	ID:       "loc-dot-segments",
	Title:    "URL with /./ or /../",
	Why:      "Clients resolve the dots before they send the request, so the page has a different URL from the one listed.",
	Fix:      "List the URL that remains after the dots are resolved.",
	Severity: SeverityWarning,
	Source:   uriText + "#section-6.2.2.3",
	Since:    "0.1",
	Bad:      urlset(page("https://example.com/a/../page", "")),
	Good:     urlset(page("https://example.com/page", "")),
	needs:    scan.LocDots,
	checkEntry: func(e *entryCheck) {
		path, _, _ := bytes.Cut(e.Loc, []byte{'?'})
		for segment := range bytes.SplitSeq(path, []byte{'/'}) {
			if s := string(segment); s == "." || s == ".." {
				reportLoc(e, "the path has a segment "+s)
				return
			}
		}
	},
}

var locUpperHost = &Rule{
	ID:       "loc-upper-host",
	Title:    "capital letters in the scheme or host",
	Why:      "Letter case makes no difference there. Search engines show and compare scheme and host in lower case.",
	Fix:      "Write scheme and host in lower case.",
	Severity: SeverityInfo,
	Source:   uriText + "#section-6.2.2.1",
	Since:    "0.1",
	Bad:      urlset(page("https://Example.com/page", "")),
	Good:     urlset(page("https://example.com/page", "")),
	needs:    scan.LocOrigin,
	checkEntry: func(e *entryCheck) {
		host, ok := authority(e.Loc)
		scheme, _, _ := bytes.Cut(e.Loc, []byte{':'})
		if ok && (hasUpper(host) || hasUpper(scheme)) {
			reportLoc(e, "the scheme or host has capital letters")
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
