package rules

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"path"
	"strings"

	"github.com/mapatools/mapa/lint/internal/display"
	"github.com/mapatools/mapa/lint/internal/rule"
	"github.com/mapatools/mapa/lint/internal/scan"
	"github.com/mapatools/mapa/lint/internal/scope"
	"github.com/mapatools/mapa/robots"
)

// robotsRules are about the Sitemap lines of robots.txt.
var robotsRules = []*rule.Rule{notInRobots, robotsRelative, robotsMissing, robotsOtherHost, robotsBOM, robotsItself}

// eachSitemap returns a check that calls check with the Sitemap lines of a host.
func eachSitemap(check func(h *rule.Host, line robots.Line, sitemap *url.URL)) func(*rule.Host) {
	return func(h *rule.Host) {
		for _, line := range h.Robots.Sitemaps() {
			if u, err := h.Address.Parse(line.Value); err == nil {
				if host := scope.Hostname(u); !strings.EqualFold(host, u.Hostname()) {
					u.Host = strings.TrimSuffix(net.JoinHostPort(host, u.Port()), ":")
				}
				check(h, line, u)
			}
		}
	}
}

var notInRobots = &rule.Rule{
	ID:       "sitemap-not-in-robots",
	Title:    "robots.txt does not name the sitemap",
	Why:      "A Sitemap line reaches every search engine, including those where you did not submit the sitemap.",
	Cure:     "Add to robots.txt: Sitemap: https://example.com/sitemap.xml",
	Severity: rule.SeverityInfo,
	Source:   protocolText + "#submit_robots",
	Since:    "0.1",
	Live:     true,
	Bad:      goodLive + "-- /robots.txt --\nUser-agent: *\nDisallow:\n",
	Good:     goodLive + "-- /robots.txt --\nSitemap: https://example.com/sitemap.xml\n",
	CheckHost: func(h *rule.Host) {
		named := map[string]bool{}
		for _, line := range h.Robots.Sitemaps() {
			if u, err := h.Address.Parse(line.Value); err == nil {
				named[u.String()] = true
			}
		}
		for _, f := range h.Files {
			if f.Index == "" && !named[f.Location] && !named[f.Scope.Address.String()] {
				h.Report(f.Location, 0, "", "the sitemap is not named in "+h.Address.String())
			}
		}
	},
}

var robotsRelative = &rule.Rule{
	ID:       "robots-sitemap-relative",
	Title:    "Sitemap line in robots.txt has no absolute URL",
	Why:      "Search engines ignore a Sitemap line without the full URL, including scheme and host.",
	Cure:     "Write the full URL: Sitemap: https://example.com/sitemap.xml",
	Severity: rule.SeverityError,
	Source:   protocolText + "#submit_robots",
	Since:    "0.1",
	Live:     true,
	Bad:      goodLive + "-- /robots.txt --\nSitemap: /sitemap.xml\n",
	Good:     goodLive + "-- /robots.txt --\nSitemap: https://example.com/sitemap.xml\n",
	CheckHost: eachSitemap(func(h *rule.Host, line robots.Line, sitemap *url.URL) {
		if !scan.IsAbsolute(line.Value) {
			h.ReportLine(line, "write the full URL: "+display.Text(sitemap.String()))
		}
	}),
}

// maxRobotsSitemaps is how many sitemaps of one robots.txt are requested.
const maxRobotsSitemaps = 100

var robotsMissing = &rule.Rule{
	ID:            "robots-sitemap-404",
	Title:         "robots.txt names a sitemap that cannot be fetched",
	Why:           "Search engines request it again and again, and do not learn of the pages in it.",
	Cure:          "Correct the line, or remove it.",
	Severity:      rule.SeverityError,
	Source:        protocolText + "#submit_robots",
	SearchConsole: "Couldn't fetch",
	Since:         "0.1",
	Live:          true,
	Bad:           goodLive + "-- /robots.txt --\nSitemap: https://example.com/old.xml\n",
	Good:          goodLive + "-- /robots.txt --\nSitemap: https://example.com/sitemap.xml\n",
	CheckHost: func(h *rule.Host) {
		asked := 0
		eachSitemap(func(h *rule.Host, line robots.Line, sitemap *url.URL) {
			if asked++; asked > maxRobotsSitemaps || hasRead(h, sitemap.String()) || !scan.IsAbsolute(line.Value) {
				return
			}
			t := h.Follow(sitemap.String(), 0)
			switch a := t.End(); {
			case h.Cancelled():
			case t.Err != nil:
				h.ReportLine(line, "no answer: "+display.Text([]byte(rootCause(t.Err).Error())))
			case t.Endless:
				h.ReportLine(line, "too many redirects")
			case a.Status >= http.StatusBadRequest:
				h.ReportLine(line, statusText(a.Status))
			}
		})(h)
	},
}

// hasRead reports whether a sitemap was checked and could be read.
func hasRead(h *rule.Host, location string) bool {
	for _, f := range h.Files {
		if f.Read && (f.Location == location || f.Address == location) {
			return true
		}
	}
	return false
}

var robotsOtherHost = &rule.Rule{
	ID:       "robots-lists-other-host",
	Title:    "robots.txt names a sitemap on another host",
	Why:      "Such a line allows a sitemap on another host to list this host's pages. Often it is the URL of a test server, or of the site before it moved.",
	Cure:     "Check that the sitemap is meant to be there.",
	Severity: rule.SeverityInfo,
	Source:   protocolText + "#sitemaps_cross_submits",
	Since:    "0.1",
	Live:     true,
	Bad:      goodLive + "-- /robots.txt --\nSitemap: https://staging.example.net/sitemap.xml\n",
	Good:     goodLive + "-- /robots.txt --\nSitemap: https://example.com/sitemap.xml\n",
	CheckHost: eachSitemap(func(h *rule.Host, line robots.Line, sitemap *url.URL) {
		if scope.Hostname(sitemap) != scope.Hostname(h.Address) {
			h.ReportLine(line, "the sitemap is on "+display.Text(sitemap.Host))
		}
	}),
}

var robotsBOM = &rule.Rule{
	ID:       "robots-bom",
	Title:    "robots.txt starts with a byte order mark",
	Why:      "Programs that do not expect it read it as part of the first line, and that line has no effect.",
	Cure:     "Save the file as UTF-8 without BOM.",
	Severity: rule.SeverityWarning,
	Source:   "https://www.rfc-editor.org/rfc/rfc9309#section-2.3",
	Since:    "0.1",
	Live:     true,
	Bad:      goodLive + "-- /robots.txt --\n{{bytes \"efbbbf\"}}User-agent: *\nDisallow:\n",
	Good:     goodLive + "-- /robots.txt --\nUser-agent: *\nDisallow:\n",
	CheckHost: func(h *rule.Host) {
		if h.Robots.BOM() {
			h.Report(h.Address.String(), 1, "", "a byte order mark before the first line")
		}
	},
}

var robotsItself = &rule.Rule{
	ID:       "robots-names-itself",
	Title:    "robots.txt names a robots.txt as a sitemap",
	Why:      "A robots.txt lists no pages. Search engines that follow the line read the wrong file.",
	Cure:     "Put the URL of the sitemap in the line.",
	Severity: rule.SeverityError,
	Source:   protocolText + "#submit_robots",
	Since:    "0.1",
	Live:     true,
	Bad:      goodLive + "-- /robots.txt --\nSitemap: https://example.com/robots.txt\n",
	Good:     goodLive + "-- /robots.txt --\nSitemap: https://example.com/sitemap.xml\n",
	CheckHost: eachSitemap(func(h *rule.Host, line robots.Line, sitemap *url.URL) {
		if path.Base(sitemap.Path) == "robots.txt" {
			h.ReportLine(line, fmt.Sprintf("%s is not a sitemap", display.Text(sitemap.String())))
		}
	}),
}
