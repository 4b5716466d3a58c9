package rules

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mapatools/mapa/lint/internal/rule"
	"github.com/mapatools/mapa/lint/internal/scan"
	"github.com/mapatools/mapa/sitemap"
)

var locWhitespace = &rule.Rule{
	ID:       string(sitemap.FaultLocWhitespace),
	Title:    "white space around an address",
	Why:      "Most readers trim it; those that do not ask for a page that is not there.",
	Cure:     "Write the address directly between <loc> and </loc>.",
	Severity: rule.SeverityWarning,
	Source:   protocolText + "#locdef",
	Yandex:   "Incorrect page address",
	Since:    "0.1",
	Bad:      urlset(page("\n  https://example.com/page\n", "")),
	Good:     urlset(page("https://example.com/page", "")),
}

var locNewlineInside = &rule.Rule{
	ID:            "loc-newline-inside",
	Title:         "a tab or a line break inside an address",
	Why:           "Some readers drop it, some take it for a space, some end the address there.",
	Cure:          "Write the address in one line; do not let an editor wrap the file.",
	Severity:      rule.SeverityError,
	Source:        uriText + "#appendix-C",
	SearchConsole: "Invalid URL", Yandex: "Incorrect page address",
	Since: "0.1",
	Bad:   urlset(page("https://example.com/a\nb", "")),
	Good:  urlset(page("https://example.com/ab", "")),
}

var locUnicodeSpace = &rule.Rule{
	ID:       "loc-unicode-space",
	Title:    "an invisible character in an address",
	Why:      "A no-break space, a zero-width space or a mark of writing direction came in by copying; with it, it is another address.",
	Cure:     "Delete the character and type the address anew.",
	Severity: rule.SeverityWarning,
	Source:   uriText + "#section-2",
	Since:    "0.1",
	Bad:      urlset(page("https://example.com/a\u00a0b", "")),
	Good:     urlset(page("https://example.com/ab", "")),
	Needs:    scan.LocBytes,
	CheckEntry: func(e *rule.Entry) {
		i := bytes.IndexFunc(e.Loc, isInvisible)
		if i >= 0 {
			r, _ := utf8.DecodeRune(e.Loc[i:])
			reportLoc(e, fmt.Sprintf("%U in the address", r))
		}
	},
}

func isInvisible(r rune) bool {
	return r > 0x7f && (unicode.IsSpace(r) || unicode.Is(unicode.Cf, r))
}

var locNotPercentEncoded = &rule.Rule{
	ID:            "loc-not-percent-encoded",
	Title:         "a character that has to be percent-encoded",
	Why:           "An address consists of ASCII (RFC 3986). Spaces, letters of other scripts, quotes, braces and backslashes are guessed at, and not by all in the same way.",
	Cure:          "Percent-encode the UTF-8 of the character: %20 for a space, %C3%A9 for é.",
	Severity:      rule.SeverityWarning,
	Source:        protocolText + "#escaping",
	SearchConsole: "Invalid URL", Yandex: "Incorrect page address",
	Since: "0.1",
	Bad:   urlset(page("https://example.com/caf\u00e9 au lait", "")),
	Good:  urlset(page("https://example.com/caf%C3%A9%20au%20lait", "")),
	Needs: scan.LocBytes,
	CheckEntry: func(e *rule.Entry) {
		i := bytes.IndexFunc(e.Loc, func(r rune) bool { return !isInvisible(r) && (r > 0x7e || strings.ContainsRune(" \"<>\\^`{|}", r)) })
		if i >= 0 {
			r, n := utf8.DecodeRune(e.Loc[i:])
			reportLoc(e, fmt.Sprintf("%q has to be written %s", r, strings.ToUpper(percent(e.Loc[i:i+n]))))
		}
	},
}

func percent(b []byte) string {
	var s strings.Builder
	for _, c := range b {
		fmt.Fprintf(&s, "%%%02x", c)
	}
	return s.String()
}

var locBadEscape = &rule.Rule{
	ID:            "loc-bad-escape",
	Title:         "a percent sign that is not followed by two hexadecimal digits",
	Why:           "% begins an escape. Servers answer 400 to a broken one.",
	Cure:          "Write %25 for a percent sign, and do not cut addresses in the middle of an escape.",
	Severity:      rule.SeverityError,
	Source:        uriText + "#section-2.1",
	SearchConsole: "Invalid URL", Yandex: "Incorrect page address",
	Since: "0.1",
	Bad:   urlset(page("https://example.com/100%", "")),
	Good:  urlset(page("https://example.com/100%25", "")),
	Needs: scan.LocPercent,
	CheckEntry: func(e *rule.Entry) {
		for i, c := range e.Loc {
			if c == '%' && (i+2 >= len(e.Loc) || !isHex(e.Loc[i+1]) || !isHex(e.Loc[i+2])) {
				reportLoc(e, "% without two hexadecimal digits behind it")
				return
			}
		}
	},
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f'
}

var locDoubleEncoded = &rule.Rule{
	ID:       "loc-double-encoded",
	Title:    "an address that was escaped twice",
	Why:      "%2520 is a percent sign and 20, not a space, and &amp;amp; is &amp;, not &: the engine asks for a page that is not there.",
	Cure:     "Escape once, where the address is written, and nowhere before.",
	Severity: rule.SeverityWarning,
	Source:   protocolText + "#escaping",
	Since:    "0.1",
	Bad:      urlset(page("https://example.com/a%2520b", "")),
	Good:     urlset(page("https://example.com/a%20b", "")),
	Needs:    scan.LocPercent | scan.LocQuery,
	CheckEntry: func(e *rule.Entry) {
		loc := e.Loc
		for i := bytes.Index(loc, []byte("%25")); i >= 0 && i+5 <= len(loc); {
			if isHex(loc[i+3]) && isHex(loc[i+4]) {
				reportLoc(e, fmt.Sprintf("%s is an escape that was escaped again", loc[i:i+5]))
				return
			}
			next := bytes.Index(loc[i+3:], []byte("%25"))
			if next < 0 {
				break
			}
			i += 3 + next
		}
		if bytes.Contains(loc, []byte("&amp;")) {
			reportLoc(e, "&amp; is left over after unescaping")
		}
	},
}
