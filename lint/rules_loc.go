package lint

import (
	"bytes"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/mapatools/mapa/internal/urlnorm"

	"github.com/mapatools/mapa/lint/internal/scan"
	"github.com/mapatools/mapa/sitemap"
)

// locRules are about the spelling of an address.
var locRules = []*Rule{
	{ID: string(sitemap.FaultLocRelative), Severity: SeverityError, Source: protocolText + "#locdef",
		SearchConsole: "Invalid URL", Yandex: "Incorrect page address"},
	locNoScheme,
	{ID: "loc-bad-scheme", Severity: SeverityError, Source: protocolText + "#locdef", SearchConsole: "Invalid URL",
		Yandex: "Incorrect page address", needs: scan.LocOrigin,
		checkEntry: func(e *entryCheck) {
			if scheme, _, ok := urlnorm.CutScheme(e.Loc); ok && !urlnorm.IsHTTPScheme(scheme) {
				reportLoc(e, "rule.loc-bad-scheme.found", printable(scheme))
			}
		}},
	{ID: "loc-no-host", Severity: SeverityError, Source: uriText + "#section-3.2.2", SearchConsole: "Invalid URL",
		Yandex: "Incorrect page address", needs: scan.LocOrigin,
		checkEntry: func(e *entryCheck) {
			host, ok := authority(e.Loc)
			host = withoutUser(host)
			if ok && (len(host) == 0 || host[0] == ':') {
				reportLoc(e, "rule.loc-no-host.found")
			}
		}},
	{ID: "loc-unparsable", Severity: SeverityError, Source: uriText + "#section-3", SearchConsole: "Invalid URL",
		Yandex: "Incorrect page address", needs: scan.LocOrigin | scan.LocLength,
		checkEntry: func(e *entryCheck) {
			if host, ok := authority(e.Loc); ok && len(host) > 0 && host[0] != ':' {
				if _, err := scan.NormalForm(nil, e.Loc); err != nil {
					reportLoc(e, "finding.value", err.Error())
				} else if host = withoutUser(host); hasEmptyLabel(host) {
					reportLoc(e, "rule.loc-unparsable.empty-label", printable(host))
				}
			}
		}},
	{ID: "loc-too-long", Severity: SeverityError, Source: protocolText + "#locdef", SearchConsole: "Invalid URL",
		Yandex: "URL too long", needs: scan.LocLength,
		checkEntry: func(e *entryCheck) {
			if n := utf8.RuneCount(e.Loc); n > sitemap.MaxLocLength {
				reportLoc(e, "rule.loc-too-long.found", n, sitemap.MaxLocLength)
			}
		}},
	{ID: "loc-too-short", Severity: SeverityError, Overlay: Overlay{Warning: search}, Source: urlsetSchema,
		SearchConsole: "Invalid URL", needs: scan.LocLength,
		checkEntry: func(e *entryCheck) {
			// What lacks a scheme or a host is short because of that, which has a rule of its own.
			if n := utf8.RuneCount(e.Loc); n < sitemap.MinLocLength && scan.IsAbsolute(string(e.Loc)) {
				reportLoc(e, "rule.loc-too-short.found", n, sitemap.MinLocLength)
			}
		}},
	{ID: "loc-over-1024", Severity: SeverityError, Engines: EngineYandex, Source: yandexText, Yandex: "URL too long",
		needs: scan.LocLength,
		checkEntry: func(e *entryCheck) {
			decoded, err := url.PathUnescape(string(e.Loc))
			if err != nil {
				decoded = string(e.Loc)
			}
			if n := utf8.RuneCountInString(decoded); n > maxYandex {
				reportLoc(e, "rule.loc-over-1024.found", n, maxYandex)
			}
		}},
	{ID: string(sitemap.FaultLocWhitespace), Severity: SeverityWarning, Source: protocolText + "#locdef",
		Yandex: "Incorrect page address"},
	{ID: "loc-newline-inside", Severity: SeverityError, Source: uriText + "#appendix-C",
		SearchConsole: "Invalid URL", Yandex: "Incorrect page address"},
}

// maxYandex is how many characters of a URL Yandex reads.
const maxYandex = 1024

const uriText = "https://www.rfc-editor.org/rfc/rfc3986"

// reportLoc reports a breach by the address of the entry.
func reportLoc(e *entryCheck, code string, arguments ...any) {
	e.report("loc", 0, string(e.Loc), newText(code, arguments...))
}

// authority returns the part between the two slashes and the path of an http or https
// address.
func authority(loc []byte) (authority []byte, ok bool) {
	scheme, rest, ok := urlnorm.CutScheme(loc)
	if !ok || !urlnorm.IsHTTPScheme(scheme) {
		return nil, false
	}
	rest, found := bytes.CutPrefix(rest, []byte("//"))
	if !found {
		return nil, true
	}
	if i := bytes.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	return rest, true
}

var locNoScheme = &Rule{ID: "loc-no-scheme", Severity: SeverityError, Source: protocolText + "#locdef",
	SearchConsole: "Invalid URL", Yandex: "Incorrect page address"}

// lacksScheme reports whether a relative address lacks only the scheme.
func lacksScheme(loc string) bool {
	if strings.HasPrefix(loc, "//") || strings.HasPrefix(strings.ToLower(loc), "www.") {
		return true
	}
	host, _, found := strings.Cut(loc, "/")
	return found && strings.Contains(strings.Trim(host, "."), ".") && !strings.ContainsAny(host, "?#% ")
}

// withoutUser returns the host and port of an authority.
func withoutUser(authority []byte) []byte { return authority[bytes.LastIndexByte(authority, '@')+1:] }

// hasEmptyLabel reports whether a host has two dots together or one at its start. One at
// its end is the root of the DNS.
func hasEmptyLabel(host []byte) bool {
	return bytes.HasPrefix(host, []byte{'.'}) || bytes.Contains(host, []byte(".."))
}
