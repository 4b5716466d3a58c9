package lint

import (
	"net"
	"net/http"
	"net/url"
	"path"
	"strings"

	"github.com/mapatools/mapa/lint/internal/scan"
	"github.com/mapatools/mapa/robots"
)

// robotsRules are about the Sitemap lines of robots.txt.
var robotsRules = []*Rule{
	{ID: "sitemap-not-in-robots", Severity: SeverityInfo, Source: protocolText + "#submit_robots", Live: true,
		checkHost: func(h *hostCheck) {
			named := map[string]bool{}
			for _, line := range h.robots.Sitemaps() {
				if u, err := h.address.Parse(line.Value); err == nil {
					named[u.String()] = true
				}
			}
			for _, f := range h.files {
				if f.index == "" && !named[f.location] && !named[f.scope.Address.String()] {
					h.report(f.location, 0, "", newText("rule.sitemap-not-in-robots.found", h.address.String()))
				}
			}
		}},
	{ID: "robots-sitemap-relative", Severity: SeverityError, Source: protocolText + "#submit_robots", Live: true,
		checkHost: eachSitemap(func(h *hostCheck, line robots.Line, sitemap *url.URL) {
			if !scan.IsAbsolute(line.Value) {
				h.reportLine(line, newText("rule.robots-sitemap-relative.found", printable(sitemap.String())))
			}
		})},
	{ID: "robots-sitemap-404", Severity: SeverityError, Source: protocolText + "#submit_robots",
		SearchConsole: "Couldn't fetch", Live: true,
		checkHost: func(h *hostCheck) {
			asked := 0
			eachSitemap(func(h *hostCheck, line robots.Line, sitemap *url.URL) {
				if asked++; asked > maxRobotsSitemaps || hasRead(h, sitemap.String()) || !scan.IsAbsolute(line.Value) {
					return
				}
				t := h.follow(sitemap.String(), 0)
				switch a := t.end(); {
				case h.cancelled():
				case t.err != nil:
					h.reportLine(line, noAnswer(t.err))
				case t.endless:
					h.reportLine(line, newText("finding.too-many-redirects"))
				case a.Status >= http.StatusBadRequest:
					h.reportLine(line, statusText(a.Status))
				}
			})(h)
		}},
	{ID: "robots-lists-other-host", Severity: SeverityInfo, Source: protocolText + "#sitemaps_cross_submits",
		Live: true,
		checkHost: eachSitemap(func(h *hostCheck, line robots.Line, sitemap *url.URL) {
			if scan.Hostname(sitemap) != scan.Hostname(h.address) {
				h.reportLine(line, newText("rule.robots-lists-other-host.found", printable(sitemap.Host)))
			}
		})},
	{ID: "robots-bom", Severity: SeverityWarning, Source: "https://www.rfc-editor.org/rfc/rfc9309#section-2.3",
		Live: true,
		checkHost: func(h *hostCheck) {
			if h.robots.BOM() {
				h.report(h.address.String(), 1, "", newText("rule.robots-bom.found"))
			}
		}},
	{ID: "robots-names-itself", Severity: SeverityError, Source: protocolText + "#submit_robots", Live: true,
		checkHost: eachSitemap(func(h *hostCheck, line robots.Line, sitemap *url.URL) {
			if path.Base(sitemap.Path) == "robots.txt" {
				h.reportLine(line, newText("rule.robots-names-itself.found", printable(sitemap.String())))
			}
		})},
}

// eachSitemap returns a check that calls check with the Sitemap lines of a host.
func eachSitemap(check func(h *hostCheck, line robots.Line, sitemap *url.URL)) func(*hostCheck) {
	return func(h *hostCheck) {
		for _, line := range h.robots.Sitemaps() {
			if u, err := h.address.Parse(line.Value); err == nil {
				if host := scan.Hostname(u); !strings.EqualFold(host, u.Hostname()) {
					u.Host = strings.TrimSuffix(net.JoinHostPort(host, u.Port()), ":")
				}
				check(h, line, u)
			}
		}
	}
}

// maxRobotsSitemaps is how many sitemaps of one robots.txt are requested.
const maxRobotsSitemaps = 100

// hasRead reports whether a sitemap was checked and could be read.
func hasRead(h *hostCheck, location string) bool {
	for _, f := range h.files {
		if f.read && (f.location == location || f.address == location) {
			return true
		}
	}
	return false
}
