package lint

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mapatools/mapa/lint/internal/scan"
	"github.com/mapatools/mapa/sitemap"
)

var locWhitespace = &Rule{
	ID:       string(sitemap.FaultLocWhitespace),
	Title:    "white space around the URL",
	Why:      "Most readers trim it. Readers that do not trim it request a page that does not exist.",
	Fix:      "Write the URL directly between <loc> and </loc>.",
	Severity: SeverityWarning,
	Source:   protocolText + "#locdef",
	Yandex:   "Incorrect page address",
	Since:    "0.1",
	Bad:      urlset(page("\n  https://example.com/page\n", "")),
	Good:     urlset(page("https://example.com/page", "")),
}

var locNewlineInside = &Rule{
	ID:            "loc-newline-inside",
	Title:         "tab or line break inside the URL",
	Why:           "Some readers drop it, some read it as a space, and some end the URL there.",
	Fix:           "Write the URL on one line. Do not let an editor wrap the file.",
	Severity:      SeverityError,
	Source:        uriText + "#appendix-C",
	SearchConsole: "Invalid URL", Yandex: "Incorrect page address",
	Since: "0.1",
	Bad:   urlset(page("https://example.com/a\nb", "")),
	Good:  urlset(page("https://example.com/ab", "")),
}

var locUnicodeSpace = &Rule{
	ID:       "loc-unicode-space",
	Title:    "invisible character in the URL",
	Why:      "A no-break space, a zero-width space or a direction mark came in by copy and paste. It makes a different URL.",
	Fix:      "Delete the character and type the URL again.",
	Severity: SeverityWarning,
	Source:   uriText + "#section-2",
	Since:    "0.1",
	Bad:      urlset(page("https://example.com/a\u00a0b", "")),
	Good:     urlset(page("https://example.com/ab", "")),
	needs:    scan.LocBytes,
	checkEntry: func(e *entryCheck) {
		i := bytes.IndexFunc(e.Loc, isInvisible)
		if i >= 0 {
			r, _ := utf8.DecodeRune(e.Loc[i:])
			reportLoc(e, fmt.Sprintf("%U in the URL", r))
		}
	},
}

func isInvisible(r rune) bool {
	return r > 0x7f && (unicode.IsSpace(r) || unicode.Is(unicode.Cf, r))
}

var locNotPercentEncoded = &Rule{
	ID:            "loc-not-percent-encoded",
	Title:         "character in the URL is not percent-encoded",
	Why:           "A URL consists of ASCII characters (RFC 3986). Programs guess at spaces, letters of other scripts, quotes, braces and backslashes, and not all in the same way.",
	Fix:           "Percent-encode the UTF-8 bytes of the character: %20 for a space, %C3%A9 for é. Write the host in Punycode: xn--bcher-kva.example for bücher.example.",
	Severity:      SeverityWarning,
	Source:        protocolText + "#escaping",
	SearchConsole: "Invalid URL", Yandex: "Incorrect page address",
	Since: "0.1",
	Bad:   urlset(page("https://example.com/caf\u00e9 au lait", "")),
	Good:  urlset(page("https://example.com/caf%C3%A9%20au%20lait", "")),
	needs: scan.LocBytes,
	checkEntry: func(e *entryCheck) {
		i := bytes.IndexFunc(e.Loc, func(r rune) bool {
			return !isInvisible(r) && (r > 0x7e || strings.ContainsRune(" \"<>\\^`{|}", r))
		})
		if i >= 0 {
			r, _ := utf8.DecodeRune(e.Loc[i:])
			message := fmt.Sprintf("%q must be encoded", r)
			if encoded, err := sitemap.EncodeLoc(string(e.Loc)); err == nil {
				message += ": " + printable(encoded)
			}
			reportLoc(e, message)
		}
	},
}

var locBadEscape = &Rule{
	ID:            "loc-bad-escape",
	Title:         "percent sign without two hexadecimal digits",
	Why:           "A % must start an escape of two hexadecimal digits. Some servers answer 400 to any other, and some read it as a plain %.",
	Fix:           "Write %25 for a percent sign, and do not cut URLs in the middle of an escape.",
	Severity:      SeverityError,
	Source:        uriText + "#section-2.1",
	SearchConsole: "Invalid URL", Yandex: "Incorrect page address",
	Since: "0.1",
	Bad:   urlset(page("https://example.com/100%", "")),
	Good:  urlset(page("https://example.com/100%25", "")),
	needs: scan.LocPercent,
	checkEntry: func(e *entryCheck) {
		for i, c := range e.Loc {
			if c == '%' && (i+2 >= len(e.Loc) || !isHex(e.Loc[i+1]) || !isHex(e.Loc[i+2])) {
				reportLoc(e, "a % is not followed by two hexadecimal digits")
				return
			}
		}
	},
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f'
}

var locDoubleEncoded = &Rule{
	ID:       "loc-double-encoded",
	Title:    "URL is escaped twice",
	Why:      "%2520 means a percent sign and 20, not a space, and &amp;amp; means &amp;, not &. Search engines request a page that does not exist.",
	Fix:      "Escape the URL once, when you write it, and nowhere before.",
	Severity: SeverityWarning,
	Source:   protocolText + "#escaping",
	Since:    "0.1",
	Bad:      urlset(page("https://example.com/a%2520b", "")),
	Good:     urlset(page("https://example.com/a%20b", "")),
	needs:    scan.LocPercent | scan.LocQuery,
	checkEntry: func(e *entryCheck) {
		loc := e.Loc
		for i := bytes.Index(loc, []byte("%25")); i >= 0 && i+5 <= len(loc); {
			if isHex(loc[i+3]) && isHex(loc[i+4]) {
				reportLoc(e, fmt.Sprintf("%s is an escape that is escaped again", loc[i:i+5]))
				return
			}
			next := bytes.Index(loc[i+3:], []byte("%25"))
			if next < 0 {
				break
			}
			i += 3 + next
		}
		if bytes.Contains(loc, []byte("&amp;")) {
			reportLoc(e, "&amp; remains after unescaping")
		}
	},
}
