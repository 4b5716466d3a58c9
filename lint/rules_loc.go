package lint

import (
	"bytes"
	"strings"

	"github.com/mapatools/mapa/internal/urlnorm"

	"github.com/mapatools/mapa/lint/internal/scan"
	"github.com/mapatools/mapa/sitemap"
)

// locRules are about the spelling of an address.
var locRules = []*Rule{
	locRelative, locNoScheme, locBadScheme, locNoHost, locUnparsable,
	locTooLong, locTooShort, locOver1024, locWhitespace, locNewlineInside, locUnicodeSpace,
	locNotPercentEncoded, locBadEscape, locDoubleEncoded,
	locFragment, locUserinfo, locSessionID, locDefaultPort, locDotSegments, locUpperHost,
}

const uriText = "https://www.rfc-editor.org/rfc/rfc3986"

// reportLoc reports a breach by the address of the entry.
func reportLoc(e *entryCheck, message string) {
	e.report("loc", 0, string(e.Loc), message)
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

var locRelative = &Rule{
	ID:            string(sitemap.FaultLocRelative),
	Title:         "relative URL",
	Why:           "The protocol requires absolute URLs. Google and Bing ignore others, because nothing says what they are relative to.",
	Fix:           "Add the scheme and host of the site: https://example.com/page",
	Severity:      SeverityError,
	Source:        protocolText + "#locdef",
	SearchConsole: "Invalid URL", Yandex: "Incorrect page address",
	Since: "0.1",
	Bad:   urlset(page("/page", "")),
	Good:  urlset(page("https://example.com/page", "")),
}

var locNoScheme = &Rule{
	ID:            "loc-no-scheme",
	Title:         "URL without http:// or https://",
	Why:           "A URL without a scheme is relative, and search engines ignore it.",
	Fix:           "Add https:// at the start.",
	Severity:      SeverityError,
	Source:        protocolText + "#locdef",
	SearchConsole: "Invalid URL", Yandex: "Incorrect page address",
	Since: "0.1",
	Bad:   urlset(page("www.example.com/page", "")),
	Good:  urlset(page("https://www.example.com/page", "")),
}

// lacksScheme reports whether a relative address lacks only the scheme.
func lacksScheme(loc string) bool {
	if strings.HasPrefix(loc, "//") || strings.HasPrefix(strings.ToLower(loc), "www.") {
		return true
	}
	host, _, found := strings.Cut(loc, "/")
	return found && strings.Contains(strings.Trim(host, "."), ".") && !strings.ContainsAny(host, "?#% ")
}

var locBadScheme = &Rule{
	ID:            "loc-bad-scheme",
	Title:         "URL is neither http nor https",
	Why:           "Search engines index web pages. They ignore URLs of apps, files, mail and scripts.",
	Fix:           "List the page's https URL. Check for a typo such as htps.",
	Severity:      SeverityError,
	Source:        protocolText + "#locdef",
	SearchConsole: "Invalid URL", Yandex: "Incorrect page address",
	Since: "0.1",
	Bad:   urlset(page("ftp://example.com/page", "")),
	Good:  urlset(page("https://example.com/page", "")),
	needs: scan.LocOrigin,
	checkEntry: func(e *entryCheck) {
		if scheme, _, ok := urlnorm.CutScheme(e.Loc); ok && !urlnorm.IsHTTPScheme(scheme) {
			reportLoc(e, "the scheme is "+printable(scheme)+", but search engines follow only http and https")
		}
	},
}

var locNoHost = &Rule{
	ID:            "loc-no-host",
	Title:         "URL without a host",
	Why:           "A host must follow http://. Without it, search engines cannot request the page.",
	Fix:           "Find out why the host is empty. The usual cause is a setting of the sitemap generator.",
	Severity:      SeverityError,
	Source:        uriText + "#section-3.2.2",
	SearchConsole: "Invalid URL", Yandex: "Incorrect page address",
	Since: "0.1",
	Bad:   urlset(page("https:///page", "")),
	Good:  urlset(page("https://example.com/page", "")),
	needs: scan.LocOrigin,
	checkEntry: func(e *entryCheck) {
		host, ok := authority(e.Loc)
		if i := bytes.LastIndexByte(host, '@'); i >= 0 {
			host = host[i+1:]
		}
		if ok && (len(host) == 0 || host[0] == ':') {
			reportLoc(e, "no host after the scheme")
		}
	},
}

var locUnparsable = &Rule{
	ID:            "loc-unparsable",
	Title:         "invalid URL",
	Why:           "The host or port is not valid, so search engines cannot request the page. A part of the host between two dots must not be empty, because the DNS has no such name.",
	Fix:           "Open the URL in a browser and correct it.",
	Severity:      SeverityError,
	Source:        uriText + "#section-3",
	SearchConsole: "Invalid URL", Yandex: "Incorrect page address",
	Since: "0.1",
	Bad:   urlset(page("https://exa mple.com:port/page", "")),
	Good:  urlset(page("https://example.com:8443/page", "")),
	needs: scan.LocOrigin | scan.LocLength,
	checkEntry: func(e *entryCheck) {
		if host, ok := authority(e.Loc); ok && len(host) > 0 && host[0] != ':' {
			if _, err := scan.NormalForm(nil, e.Loc); err != nil {
				reportLoc(e, err.Error())
			} else if hasEmptyLabel(host) {
				reportLoc(e, `the host "`+printable(host)+`" has an empty part between dots`)
			}
		}
	},
}

// hasEmptyLabel reports whether the host of an authority has two dots together or one
// at its start. One at its end is the root of the DNS.
func hasEmptyLabel(authority []byte) bool {
	host := authority[bytes.LastIndexByte(authority, '@')+1:]
	return bytes.HasPrefix(host, []byte{'.'}) || bytes.Contains(host, []byte(".."))
}
