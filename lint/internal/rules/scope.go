package rules

import (
	"github.com/mapatools/mapa/lint/internal/display"
	"github.com/mapatools/mapa/lint/internal/rule"
	"github.com/mapatools/mapa/lint/internal/scan"
	"github.com/mapatools/mapa/lint/internal/scope"
)

// scopeRules are about which pages a sitemap may list, for each of which there
// has to be a reason: the place where the sitemap lies, a robots.txt that names
// it, or a host that was verified.
var scopeRules = []*rule.Rule{
	outOfScopeScheme, outOfScopeHost, outOfScopePort, outOfScopePath, wwwMismatch, plainInSecure,
}

// strayCheck reports pages that depart in one way: what they do, and the place
// from which.
func strayCheck(m scope.Mismatch, what string) func(*rule.Entry) {
	return func(e *rule.Entry) {
		if e.Mismatch() != m {
			return
		}
		u := e.File.Scope.Origin
		place := u.Scheme + "://" + u.Host + "/, where the first page of the file lies"
		if e.File.Scope.Address != nil {
			place = u.Scheme + "://" + u.Host + scope.Folder(u) + ", where the sitemap lies"
		}
		reportLoc(e, what+" "+display.Text(place))
	}
}

var outOfScopeScheme = &rule.Rule{
	ID:       "out-of-scope-scheme",
	Title:    "a page with another scheme than the sitemap",
	Why:      "A sitemap lists pages of its own scheme; https pages in a sitemap at http are dropped.",
	Cure:     "Serve the sitemap under the scheme of the pages, which should be https.",
	Severity: rule.SeverityError, Overlay: map[rule.Engines]rule.Severity{rule.EngineGoogle: rule.SeverityWarning},
	Source:        protocolText + "#location",
	SearchConsole: "URL not allowed", Yandex: "Incorrect URL (doesn't match the Sitemap file location)",
	Since:      "0.1",
	Bad:        "-- /sitemap.xml --\nHTTP 301\nLocation: http://example.com/old.xml\n\n-- /old.xml --\n" + goodSitemap,
	Good:       urlset(page("https://example.com/a", "") + page("https://example.com/b", "")),
	Needs:      scan.OutOfFolder,
	CheckEntry: strayCheck(scope.OtherScheme, "another scheme than"),
}

var outOfScopeHost = &rule.Rule{
	ID:            "out-of-scope-host",
	Title:         "a page of another host than the sitemap's",
	Why:           "Anybody could list anybody's pages, so those of other hosts are dropped unless the other host's robots.txt names this sitemap.",
	Cure:          "Move the page to a sitemap on its own host, or add a Sitemap line with the address of this file to the robots.txt there.",
	Severity:      rule.SeverityError,
	Source:        protocolText + "#sitemaps_cross_submits",
	SearchConsole: "URL not allowed", Yandex: "Incorrect URL (doesn't match the Sitemap file location)",
	Since:      "0.1",
	Bad:        urlset(goodURL + page("https://example.org/a", "")),
	Good:       urlset(goodURL + page("https://example.com/a", "")),
	Needs:      scan.OutOfFolder,
	CheckEntry: strayCheck(scope.OtherHost, "another host than"),
}

var outOfScopePort = &rule.Rule{
	ID:            "out-of-scope-port",
	Title:         "a page with another port than the sitemap's",
	Why:           "Another port is another site; the port has to be that of the sitemap's own address.",
	Cure:          "List the address under which people reach the page. A port such as 8080 is mostly that of a server behind a proxy.",
	Severity:      rule.SeverityError,
	Source:        protocolText + "#location",
	SearchConsole: "URL not allowed", Yandex: "Incorrect URL (doesn't match the Sitemap file location)",
	Since:      "0.1",
	Bad:        urlset(goodURL + page("https://example.com:8443/a", "")),
	Good:       urlset(goodURL + page("https://example.com/a", "")),
	Needs:      scan.OutOfFolder,
	CheckEntry: strayCheck(scope.OtherPort, "another port than"),
}

var outOfScopePath = &rule.Rule{
	ID:       "out-of-scope-path",
	Title:    "a page outside of the folder that the sitemap lies in",
	Why:      "A sitemap at /catalog/sitemap.xml may list /catalog/ and what is below; other pages are dropped, unless the sitemap is named in robots.txt or submitted in Search Console.",
	Cure:     "Move the sitemap to the root of the site, or name it in robots.txt.",
	Severity: rule.SeverityError, Overlay: map[rule.Engines]rule.Severity{rule.EngineGoogle: rule.SeverityWarning},
	Source:        protocolText + "#location",
	SearchConsole: "URL not allowed", Yandex: "Incorrect URL (doesn't match the Sitemap file location)",
	Since:      "0.1",
	Bad:        "-- /catalog/sitemap.xml --\n" + urlset(page("https://example.com/blog/", "")),
	Good:       "-- /catalog/sitemap.xml --\n" + urlset(page("https://example.com/catalog/blog/", "")),
	Needs:      scan.OutOfFolder,
	CheckEntry: strayCheck(scope.OtherPath, "not below"),
}

var wwwMismatch = &rule.Rule{
	ID:            "www-mismatch",
	Title:         "a page with www in a sitemap without, or the reverse",
	Why:           "www.example.com and example.com are two hosts. Google reports it as a path mismatch, Yandex drops the page.",
	Cure:          "Choose one of the two for all pages, serve the sitemap there, and redirect the other.",
	Severity:      rule.SeverityError,
	Source:        protocolText + "#location",
	SearchConsole: "Path mismatch: Missing www, Path mismatch: Includes www", Yandex: "Incorrect URL (doesn't match the Sitemap file location)",
	Since:      "0.1",
	Bad:        urlset(goodURL + page("https://www.example.com/a", "")),
	Good:       urlset(goodURL + page("https://example.com/a", "")),
	Needs:      scan.OutOfFolder,
	CheckEntry: strayCheck(scope.OtherWWW, "www makes it another host than"),
}

var plainInSecure = &rule.Rule{
	ID:       "http-in-https-sitemap",
	Title:    "an http page in a sitemap at https",
	Why:      "A sitemap lists pages of its own scheme. The http address is mostly an old one that redirects to https.",
	Cure:     "List the https address.",
	Severity: rule.SeverityError, Overlay: map[rule.Engines]rule.Severity{rule.EngineGoogle: rule.SeverityWarning},
	Source:        protocolText + "#location",
	SearchConsole: "URL not allowed", Yandex: "Incorrect URL (doesn't match the Sitemap file location)",
	Since:      "0.1",
	Bad:        urlset(page("http://example.com/a", "")),
	Good:       urlset(page("https://example.com/a", "")),
	Needs:      scan.OutOfFolder,
	CheckEntry: strayCheck(scope.PlainHTTP, "another scheme than"),
}
