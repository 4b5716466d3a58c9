package lint

import (
	"github.com/mapatools/mapa/lint/internal/scan"
)

// scopeRules are about which pages a sitemap may list: those below its own folder, of
// a host whose robots.txt names it, and of a verified host.
var scopeRules = []*Rule{
	outOfScopeScheme, outOfScopeHost, outOfScopePort, outOfScopePath, wwwMismatch, httpInHTTPS, ssrfTarget,
}

// scopeCheck returns a check that reports the pages with a mismatch. What describes it,
// between the page and the place of the sitemap.
func scopeCheck(m scan.Mismatch, what string) func(*entryCheck) {
	return func(e *entryCheck) {
		if e.mismatch() != m {
			return
		}
		u := e.file.scope.Origin
		place := u.Scheme + "://" + u.Host + "/ (the site of the first page in the file)"
		if e.file.scope.Address != nil {
			place = u.Scheme + "://" + u.Host + scan.Folder(u) + " (the sitemap's folder)"
		}
		reportLoc(e, printable(e.Loc)+" "+what+" "+printable(place))
	}
}

var outOfScopeScheme = &Rule{
	ID:       "out-of-scope-scheme",
	Title:    "page and sitemap differ in scheme",
	Why:      "A sitemap may list only pages of its own scheme. Search engines ignore https pages in an http sitemap.",
	Fix:      "Serve the sitemap under the scheme of the pages, which should be https.",
	Severity: SeverityError, Overlay: Overlay{Warning: EngineGoogle},
	Source:        protocolText + "#location",
	SearchConsole: "URL not allowed", Yandex: "Incorrect URL (doesn't match the Sitemap file location)",
	Since:      "0.1",
	Bad:        "-- /sitemap.xml --\nHTTP 301\nLocation: http://example.com/old.xml\n\n-- /old.xml --\n" + goodSitemap,
	Good:       urlset(page("https://example.com/a", "") + page("https://example.com/b", "")),
	needs:      scan.OutOfFolder,
	checkEntry: scopeCheck(scan.OtherScheme, "differs in scheme from"),
}

var outOfScopeHost = &Rule{
	ID:            "out-of-scope-host",
	Title:         "page is on another host than the sitemap",
	Why:           "Anybody could list other people's pages, so search engines ignore pages on other hosts unless that host's robots.txt names this sitemap.",
	Fix:           "Move the page to a sitemap on its own host, or add a Sitemap line with this sitemap's URL to the robots.txt there.",
	Severity:      SeverityError,
	Source:        protocolText + "#sitemaps_cross_submits",
	SearchConsole: "URL not allowed", Yandex: "Incorrect URL (doesn't match the Sitemap file location)",
	Since:      "0.1",
	Bad:        urlset(goodURL + page("https://example.org/a", "")),
	Good:       urlset(goodURL + page("https://example.com/a", "")),
	needs:      scan.OutOfFolder,
	checkEntry: scopeCheck(scan.OtherHost, "is on another host than"),
}

var outOfScopePort = &Rule{
	ID:            "out-of-scope-port",
	Title:         "page and sitemap differ in port",
	Why:           "Another port is another site. The port must be that of the sitemap's own URL.",
	Fix:           "List the URL that visitors use. A port such as 8080 usually belongs to a server behind a proxy.",
	Severity:      SeverityError,
	Source:        protocolText + "#location",
	SearchConsole: "URL not allowed", Yandex: "Incorrect URL (doesn't match the Sitemap file location)",
	Since:      "0.1",
	Bad:        urlset(goodURL + page("https://example.com:8443/a", "")),
	Good:       urlset(goodURL + page("https://example.com/a", "")),
	needs:      scan.OutOfFolder,
	checkEntry: scopeCheck(scan.OtherPort, "differs in port from"),
}

var outOfScopePath = &Rule{
	ID:       "out-of-scope-path",
	Title:    "page is outside the sitemap's folder",
	Why:      "A sitemap at /catalog/sitemap.xml may list only URLs under /catalog/. Search engines ignore other pages, unless the sitemap is named in robots.txt or submitted in Search Console.",
	Fix:      "Move the sitemap to the root of the site, or name it in robots.txt.",
	Severity: SeverityError, Overlay: Overlay{Warning: EngineGoogle},
	Source:        protocolText + "#location",
	SearchConsole: "URL not allowed", Yandex: "Incorrect URL (doesn't match the Sitemap file location)",
	Since:      "0.1",
	Bad:        "-- /catalog/sitemap.xml --\n" + urlset(page("https://example.com/blog/", "")),
	Good:       "-- /catalog/sitemap.xml --\n" + urlset(page("https://example.com/catalog/blog/", "")),
	needs:      scan.OutOfFolder,
	checkEntry: scopeCheck(scan.OtherPath, "is outside"),
}

var wwwMismatch = &Rule{
	ID:            "www-mismatch",
	Title:         "only one of page and sitemap has www",
	Why:           "www.example.com and example.com are two hosts. Google reports a path mismatch, and Yandex ignores the page.",
	Fix:           "Choose one of the two for all pages, serve the sitemap there, and redirect the other.",
	Severity:      SeverityError,
	Source:        protocolText + "#location",
	SearchConsole: "Path mismatch: Missing www, Path mismatch: Includes www",
	Yandex:        "Incorrect URL (doesn't match the Sitemap file location)",
	Since:         "0.1",
	Bad:           urlset(goodURL + page("https://www.example.com/a", "")),
	Good:          urlset(goodURL + page("https://example.com/a", "")),
	needs:         scan.OutOfFolder,
	checkEntry:    scopeCheck(scan.OtherWWW, "differs in www from"),
}

var httpInHTTPS = &Rule{
	ID:       "http-in-https-sitemap",
	Title:    "http page in an https sitemap",
	Why:      "A sitemap may list only pages of its own scheme. The http URL is usually an old one that redirects to https.",
	Fix:      "List the https URL.",
	Severity: SeverityError, Overlay: Overlay{Warning: EngineGoogle},
	Source:        protocolText + "#location",
	SearchConsole: "URL not allowed", Yandex: "Incorrect URL (doesn't match the Sitemap file location)",
	Since:      "0.1",
	Bad:        urlset(page("http://example.com/a", "")),
	Good:       urlset(page("https://example.com/a", "")),
	needs:      scan.OutOfFolder,
	checkEntry: scopeCheck(scan.PlainHTTP, "differs in scheme from"),
}

var ssrfTarget = &Rule{
	ID:       "ssrf-target",
	Title:    "URL points into a private network",
	Why:      "localhost, 10.0.0.1 and similar hosts mean a different machine to every reader of the sitemap. The URL is that of a test server, or an attempt to make a crawler visit its own network.",
	Fix:      "List the public URL. Check the base URL in the settings of your sitemap generator.",
	Severity: SeverityError,
	Source:   "https://www.rfc-editor.org/rfc/rfc6890#section-2.2.2", SearchConsole: "URL not allowed",
	Since: "0.1",
	Bad:   urlset(goodURL + page("http://192.168.0.7/a", "")),
	Good:  urlset(goodURL + page("https://example.com/a", "")),
	needs: scan.OutOfFolder,
	checkEntry: func(e *entryCheck) {
		u, origin := e.Address(), e.file.scope.Origin
		if u == nil || !scan.IsPrivate(u.Hostname()) || origin != nil && scan.IsPrivate(origin.Hostname()) {
			return
		}
		reportLoc(e, printable(u.Host)+" cannot be reached from the internet")
	},
}
