package lint

import (
	"fmt"
	"net/url"
	"unicode/utf8"

	"github.com/mapatools/mapa/lint/internal/scan"
	"github.com/mapatools/mapa/sitemap"
)

var locTooLong = &Rule{
	ID:            "loc-too-long",
	Title:         "URL of 2,048 characters or more",
	Why:           "The protocol requires fewer than 2,048 characters. Search engines ignore longer URLs.",
	Fix:           "Give the page a shorter URL. Remove tracking parameters.",
	Severity:      SeverityError,
	Source:        protocolText + "#locdef",
	SearchConsole: "Invalid URL", Yandex: "URL too long",
	Since: "0.1",
	Bad:   urlset(page(`https://example.com/{{repeat 2030 "a"}}`, "")),
	Good:  urlset(page(`https://example.com/{{repeat 900 "a"}}`, "")),
	needs: scan.LocLength,
	checkEntry: func(e *entryCheck) {
		if n := utf8.RuneCount(e.Loc); n > sitemap.MaxLocLength {
			reportLoc(e, fmt.Sprintf("the URL has %d characters, but the limit is 2,047", n))
		}
	},
}

var locTooShort = &Rule{
	ID:       "loc-too-short",
	Title:    "URL of fewer than 12 characters",
	Why:      "The schema requires at least 12 characters, as in http://a.de/. Most shorter values are not URLs.",
	Fix:      "Write the complete URL, with the slash after the host.",
	Severity: SeverityError, Overlay: Overlay{Warning: search},
	Source:        urlsetSchema,
	SearchConsole: "Invalid URL",
	Since:         "0.1",
	Bad:           urlset(page("http://a.b/", "")),
	Good:          urlset(page("https://a.de/", "")),
	needs:         scan.LocLength,
	checkEntry: func(e *entryCheck) {
		if n := utf8.RuneCount(e.Loc); n < sitemap.MinLocLength {
			reportLoc(e, fmt.Sprintf("the URL has %d characters, but the schema requires at least 12", n))
		}
	},
}

var locOver1024 = &Rule{
	ID:       "loc-over-1024",
	Title:    "URL of more than 1,024 characters",
	Why:      "Yandex ignores longer URLs.",
	Fix:      "Give the page a shorter URL.",
	Severity: SeverityError,
	Engines:  EngineYandex,
	Source:   yandexText, Yandex: "URL too long",
	Since: "0.1",
	Bad:   urlset(page(`https://example.com/{{repeat 1010 "a"}}`, "")),
	Good:  urlset(page(`https://example.com/{{repeat 1000 "a"}}`, "")),
	needs: scan.LocLength,
	checkEntry: func(e *entryCheck) {
		decoded, err := url.PathUnescape(string(e.Loc))
		if err != nil {
			decoded = string(e.Loc)
		}
		if n := utf8.RuneCountInString(decoded); n > 1024 {
			reportLoc(e, fmt.Sprintf("the URL has %d characters, but Yandex reads at most 1,024", n))
		}
	},
}
