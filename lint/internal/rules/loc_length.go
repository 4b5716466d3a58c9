package rules

import (
	"fmt"
	"net/url"
	"unicode/utf8"

	"github.com/mapatools/mapa/lint/internal/rule"
	"github.com/mapatools/mapa/lint/internal/scan"
)

var locTooLong = &rule.Rule{
	ID:            "loc-too-long",
	Title:         "an address of 2,048 characters or more",
	Why:           "The protocol wants less than 2,048 characters; longer ones are dropped.",
	Cure:          "Give the page a shorter address; leave out parameters that only track.",
	Severity:      rule.SeverityError,
	Source:        protocolText + "#locdef",
	SearchConsole: "Invalid URL", Yandex: "URL too long",
	Since: "0.1",
	Bad:   urlset(page(`https://example.com/{{repeat 2030 "a"}}`, "")),
	Good:  urlset(page(`https://example.com/{{repeat 900 "a"}}`, "")),
	Needs: scan.LocLength,
	CheckEntry: func(e *rule.Entry) {
		if n := utf8.RuneCount(e.Loc); n >= 2048 {
			reportLoc(e, fmt.Sprintf("%d characters, and 2,047 are the most", n))
		}
	},
}

var locTooShort = &rule.Rule{
	ID:       "loc-too-short",
	Title:    "an address of fewer than 12 characters",
	Why:      "The schema wants 12 at least: http://a.de/ has as many. Shorter ones are mostly no addresses.",
	Cure:     "Write the complete address, with the slash behind the host.",
	Severity: rule.SeverityError, Overlay: map[rule.Engines]rule.Severity{search: rule.SeverityWarning},
	Source:        urlsetSchema,
	SearchConsole: "Invalid URL",
	Since:         "0.1",
	Bad:           urlset(page("http://a.b/", "")),
	Good:          urlset(page("https://a.de/", "")),
	Needs:         scan.LocLength,
	CheckEntry: func(e *rule.Entry) {
		if n := utf8.RuneCount(e.Loc); n < 12 {
			reportLoc(e, fmt.Sprintf("%d characters, and the schema wants 12", n))
		}
	},
}

var locOver1024 = &rule.Rule{
	ID:       "loc-over-1024",
	Title:    "an address of more than 1,024 characters",
	Why:      "Yandex reads no longer ones.",
	Cure:     "Give the page a shorter address.",
	Severity: rule.SeverityError,
	Engines:  rule.EngineYandex,
	Source:   yandexText, Yandex: "URL too long",
	Since: "0.1",
	Bad:   urlset(page(`https://example.com/{{repeat 1010 "a"}}`, "")),
	Good:  urlset(page(`https://example.com/{{repeat 1000 "a"}}`, "")),
	Needs: scan.LocLength,
	CheckEntry: func(e *rule.Entry) {
		decoded, err := url.PathUnescape(string(e.Loc))
		if err != nil {
			decoded = string(e.Loc)
		}
		if n := utf8.RuneCountInString(decoded); n > 1024 {
			reportLoc(e, fmt.Sprintf("%d characters, and Yandex reads 1,024", n))
		}
	},
}
