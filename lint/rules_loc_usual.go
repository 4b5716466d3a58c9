package lint

import (
	"bytes"
	"strings"

	"github.com/mapatools/mapa/lint/internal/scan"
)

// locUsualRules are about what the addresses of pages usually have not.
var locUsualRules = []*Rule{
	{ID: "loc-fragment", Severity: SeverityWarning, Source: uriText + "#section-3.5", needs: scan.LocFragment,
		checkEntry: func(e *entryCheck) {
			if i := bytes.IndexByte(e.Loc, '#'); i >= 0 {
				reportLoc(e, "rule.loc-fragment.found", printable(e.Loc[i:]))
			}
		}},
	{ID: "loc-userinfo", Severity: SeverityWarning, Source: uriText + "#section-3.2.1", needs: scan.LocOrigin,
		checkEntry: func(e *entryCheck) {
			if host, _ := authority(e.Loc); bytes.IndexByte(host, '@') >= 0 {
				reportLoc(e, "rule.loc-userinfo.found")
			}
		}},
	{ID: "loc-session-id", Severity: SeverityWarning, Source: protocolFAQ, needs: scan.LocQuery,
		checkEntry: func(e *entryCheck) {
			if name := sessionName(e.Loc); name != "" {
				reportLoc(e, "rule.loc-session-id.found", name)
			}
		}},
	{ID: "loc-default-port", Severity: SeverityInfo, Source: uriText + "#section-6.2.3", needs: scan.LocOrigin,
		checkEntry: func(e *entryCheck) {
			if u := e.Address(); u != nil && u.Port() != "" && u.Port() == scan.DefaultPort(u.Scheme) {
				reportLoc(e, "rule.loc-default-port.found", u.Port())
			}
		}},
	{ID: "loc-dot-segments", Severity: SeverityWarning, Source: uriText + "#section-6.2.2.3", needs: scan.LocDots,
		checkEntry: func(e *entryCheck) {
			path, _, _ := bytes.Cut(e.Loc, []byte{'?'})
			for segment := range bytes.SplitSeq(path, []byte{'/'}) {
				if s := string(segment); s == "." || s == ".." {
					reportLoc(e, "rule.loc-dot-segments.found", s)
					return
				}
			}
		}},
	{ID: "loc-upper-host", Severity: SeverityInfo, Source: uriText + "#section-6.2.2.1", needs: scan.LocOrigin,
		checkEntry: func(e *entryCheck) {
			host, ok := authority(e.Loc)
			scheme, _, _ := bytes.Cut(e.Loc, []byte{':'})
			if ok && (hasUpper(host) || hasUpper(scheme)) {
				reportLoc(e, "rule.loc-upper-host.found")
			}
		}},
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

func hasUpper(b []byte) bool {
	for _, c := range b {
		if c >= 'A' && c <= 'Z' {
			return true
		}
	}
	return false
}
