package lint

import (
	"github.com/mapatools/mapa/lint/internal/scan"
)

// scopeRules are about which pages a sitemap may list: those below its own folder, of
// a host whose robots.txt names it, and of a verified host.
var scopeRules = []*Rule{
	{ID: "out-of-scope-scheme", Severity: SeverityError, Overlay: Overlay{Warning: EngineGoogle},
		Source: protocolText + "#location", SearchConsole: "URL not allowed",
		Yandex: "Incorrect URL (doesn't match the Sitemap file location)", needs: scan.OutOfFolder,
		checkEntry: scopeCheck(scan.OtherScheme, "rule.out-of-scope-scheme.found")},
	{ID: "out-of-scope-host", Severity: SeverityError, Source: protocolText + "#sitemaps_cross_submits",
		SearchConsole: "URL not allowed", Yandex: "Incorrect URL (doesn't match the Sitemap file location)",
		needs:      scan.OutOfFolder,
		checkEntry: scopeCheck(scan.OtherHost, "rule.out-of-scope-host.found")},
	{ID: "out-of-scope-port", Severity: SeverityError, Source: protocolText + "#location",
		SearchConsole: "URL not allowed", Yandex: "Incorrect URL (doesn't match the Sitemap file location)",
		needs:      scan.OutOfFolder,
		checkEntry: scopeCheck(scan.OtherPort, "rule.out-of-scope-port.found")},
	{ID: "out-of-scope-path", Severity: SeverityError, Overlay: Overlay{Warning: EngineGoogle},
		Source: protocolText + "#location", SearchConsole: "URL not allowed",
		Yandex: "Incorrect URL (doesn't match the Sitemap file location)", needs: scan.OutOfFolder,
		checkEntry: scopeCheck(scan.OtherPath, "rule.out-of-scope-path.found")},
	{ID: "www-mismatch", Severity: SeverityError, Source: protocolText + "#location",
		SearchConsole: "Path mismatch: Missing www, Path mismatch: Includes www",
		Yandex:        "Incorrect URL (doesn't match the Sitemap file location)", needs: scan.OutOfFolder,
		checkEntry: scopeCheck(scan.OtherWWW, "rule.www-mismatch.found")},
	{ID: "http-in-https-sitemap", Severity: SeverityError, Overlay: Overlay{Warning: EngineGoogle},
		Source: protocolText + "#location", SearchConsole: "URL not allowed",
		Yandex: "Incorrect URL (doesn't match the Sitemap file location)", needs: scan.OutOfFolder,
		checkEntry: scopeCheck(scan.PlainHTTP, "rule.http-in-https-sitemap.found")},
	{ID: "ssrf-target", Severity: SeverityError, Source: "https://www.rfc-editor.org/rfc/rfc6890#section-2.2.2",
		SearchConsole: "URL not allowed", needs: scan.OutOfFolder,
		checkEntry: func(e *entryCheck) {
			u, origin := e.Address(), e.file.scope.Origin
			if u == nil || !scan.IsPrivate(u.Hostname()) || origin != nil && scan.IsPrivate(origin.Hostname()) {
				return
			}
			reportLoc(e, "rule.ssrf-target.found", printable(u.Host))
		}},
}

// scopeCheck returns a check that reports the pages with a mismatch. The arguments of the
// message are the page and the place of the sitemap.
func scopeCheck(m scan.Mismatch, message string) func(*entryCheck) {
	return func(e *entryCheck) {
		if e.mismatch() != m {
			return
		}
		u := e.file.scope.Origin
		place := newText("finding.first-site", printable(u.Scheme+"://"+u.Host+"/"))
		if e.file.scope.Address != nil {
			place = newText("finding.sitemap-folder", printable(u.Scheme+"://"+u.Host+scan.Folder(u)))
		}
		reportLoc(e, message, printable(e.Loc), place)
	}
}
