package lint

import (
	"net/url"
	"unicode/utf8"

	"github.com/mapatools/mapa/lint/internal/scan"
	"github.com/mapatools/mapa/sitemap"
)

var locTooLong = &Rule{
	ID:            "loc-too-long",
	Severity:      SeverityError,
	Source:        protocolText + "#locdef",
	SearchConsole: "Invalid URL", Yandex: "URL too long",
	needs: scan.LocLength,
	checkEntry: func(e *entryCheck) {
		if n := utf8.RuneCount(e.Loc); n > sitemap.MaxLocLength {
			reportLoc(e, "rule.loc-too-long.found", n, sitemap.MaxLocLength)
		}
	},
}

var locTooShort = &Rule{
	ID:       "loc-too-short",
	Severity: SeverityError, Overlay: Overlay{Warning: search},
	Source:        urlsetSchema,
	SearchConsole: "Invalid URL",
	needs:         scan.LocLength,
	checkEntry: func(e *entryCheck) {
		// What lacks a scheme or a host is short because of that, which has a rule of its own.
		if n := utf8.RuneCount(e.Loc); n < sitemap.MinLocLength && scan.IsAbsolute(string(e.Loc)) {
			reportLoc(e, "rule.loc-too-short.found", n, sitemap.MinLocLength)
		}
	},
}

// maxYandex is how many characters of a URL Yandex reads.
const maxYandex = 1024

var locOver1024 = &Rule{
	ID:       "loc-over-1024",
	Severity: SeverityError,
	Engines:  EngineYandex,
	Source:   yandexText, Yandex: "URL too long",
	needs: scan.LocLength,
	checkEntry: func(e *entryCheck) {
		decoded, err := url.PathUnescape(string(e.Loc))
		if err != nil {
			decoded = string(e.Loc)
		}
		if n := utf8.RuneCountInString(decoded); n > maxYandex {
			reportLoc(e, "rule.loc-over-1024.found", n, maxYandex)
		}
	},
}
