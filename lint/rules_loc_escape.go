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

// locEscapeRules are about the characters of an address, and how they are encoded.
var locEscapeRules = []*Rule{
	{ID: "loc-unicode-space", Severity: SeverityWarning, Source: uriText + "#section-2", needs: scan.LocBytes,
		checkEntry: func(e *entryCheck) {
			i := bytes.IndexFunc(e.Loc, isInvisible)
			if i >= 0 {
				r, _ := utf8.DecodeRune(e.Loc[i:])
				reportLoc(e, "rule.loc-unicode-space.found", fmt.Sprintf("%U", r))
			}
		}},
	{ID: "loc-not-percent-encoded", Severity: SeverityWarning, Source: protocolText + "#escaping",
		SearchConsole: "Invalid URL", Yandex: "Incorrect page address", needs: scan.LocBytes,
		checkEntry: func(e *entryCheck) {
			i := bytes.IndexFunc(e.Loc, func(r rune) bool {
				return !isInvisible(r) && (r > 0x7e || strings.ContainsRune(" \"<>\\^`{|}", r))
			})
			if i >= 0 {
				r, _ := utf8.DecodeRune(e.Loc[i:])
				character := fmt.Sprintf("%q", r)
				if encoded, err := sitemap.EncodeLoc(string(e.Loc)); err == nil {
					reportLoc(e, "rule.loc-not-percent-encoded.instead", character, printable(encoded))
				} else {
					reportLoc(e, "rule.loc-not-percent-encoded.found", character)
				}
			}
		}},
	{ID: "loc-bad-escape", Severity: SeverityError, Source: uriText + "#section-2.1", SearchConsole: "Invalid URL",
		Yandex: "Incorrect page address", needs: scan.LocPercent,
		checkEntry: func(e *entryCheck) {
			for i, c := range e.Loc {
				if c == '%' && (i+2 >= len(e.Loc) || !isHex(e.Loc[i+1]) || !isHex(e.Loc[i+2])) {
					reportLoc(e, "rule.loc-bad-escape.found")
					return
				}
			}
		}},
	{ID: "loc-double-encoded", Severity: SeverityWarning, Source: protocolText + "#escaping",
		needs: scan.LocPercent | scan.LocQuery,
		checkEntry: func(e *entryCheck) {
			loc := e.Loc
			for i := bytes.Index(loc, []byte("%25")); i >= 0 && i+5 <= len(loc); {
				if isHex(loc[i+3]) && isHex(loc[i+4]) {
					reportLoc(e, "rule.loc-double-encoded.found", string(loc[i:i+5]))
					return
				}
				next := bytes.Index(loc[i+3:], []byte("%25"))
				if next < 0 {
					break
				}
				i += 3 + next
			}
			if bytes.Contains(loc, []byte("&amp;")) {
				reportLoc(e, "rule.loc-double-encoded.ampersand")
			}
		}},
}

func isInvisible(r rune) bool {
	return r > 0x7f && (unicode.IsSpace(r) || unicode.Is(unicode.Cf, r))
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f'
}
