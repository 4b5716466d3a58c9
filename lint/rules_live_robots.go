package lint

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"path"
	"strings"

	"github.com/mapatools/mapa/lint/internal/scan"
	"github.com/mapatools/mapa/robots"
)

// robotsRules are about the Sitemap lines of robots.txt.
var robotsRules = []*Rule{notInRobots, robotsRelative, robotsMissing, robotsOtherHost, robotsBOM, robotsItself}

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

var notInRobots = &Rule{
	ID:       "sitemap-not-in-robots",
	Title:    "robots.txt does not name the sitemap",
	Why:      "A Sitemap line reaches every search engine, including those where you did not submit the sitemap.",
	Fix:      "Add to robots.txt: Sitemap: https://example.com/sitemap.xml",
	Severity: SeverityInfo,
	Source:   protocolText + "#submit_robots",
	Since:    "0.1",
	Live:     true,
	Bad:      goodLive + "-- /robots.txt --\nUser-agent: *\nDisallow:\n",
	Good:     goodLive + "-- /robots.txt --\nSitemap: https://example.com/sitemap.xml\n",
	checkHost: func(h *hostCheck) {
		named := map[string]bool{}
		for _, line := range h.robots.Sitemaps() {
			if u, err := h.address.Parse(line.Value); err == nil {
				named[u.String()] = true
			}
		}
		for _, f := range h.files {
			if f.index == "" && !named[f.location] && !named[f.scope.Address.String()] {
				h.report(f.location, 0, "", "the sitemap is not named in "+h.address.String())
			}
		}
	},
}

var robotsRelative = &Rule{
	ID:       "robots-sitemap-relative",
	Title:    "Sitemap line in robots.txt has no absolute URL",
	Why:      "Search engines ignore a Sitemap line without the full URL, including scheme and host.",
	Fix:      "Write the full URL: Sitemap: https://example.com/sitemap.xml",
	Severity: SeverityError,
	Source:   protocolText + "#submit_robots",
	Since:    "0.1",
	Live:     true,
	Bad:      goodLive + "-- /robots.txt --\nSitemap: /sitemap.xml\n",
	Good:     goodLive + "-- /robots.txt --\nSitemap: https://example.com/sitemap.xml\n",
	checkHost: eachSitemap(func(h *hostCheck, line robots.Line, sitemap *url.URL) {
		if !scan.IsAbsolute(line.Value) {
			h.reportLine(line, "write the full URL: "+printable(sitemap.String()))
		}
	}),
}

// maxRobotsSitemaps is how many sitemaps of one robots.txt are requested.
const maxRobotsSitemaps = 100

var robotsMissing = &Rule{
	ID:            "robots-sitemap-404",
	Title:         "robots.txt names a sitemap that cannot be fetched",
	Why:           "Search engines request it again and again, and do not learn of the pages in it.",
	Fix:           "Correct the line, or remove it.",
	Severity:      SeverityError,
	Source:        protocolText + "#submit_robots",
	SearchConsole: "Couldn't fetch",
	Since:         "0.1",
	Live:          true,
	Bad:           goodLive + "-- /robots.txt --\nSitemap: https://example.com/old.xml\n",
	Good:          goodLive + "-- /robots.txt --\nSitemap: https://example.com/sitemap.xml\n",
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
				h.reportLine(line, "no answer: "+printable([]byte(rootCause(t.err).Error())))
			case t.endless:
				h.reportLine(line, "too many redirects")
			case a.Status >= http.StatusBadRequest:
				h.reportLine(line, statusText(a.Status))
			}
		})(h)
	},
}

// hasRead reports whether a sitemap was checked and could be read.
func hasRead(h *hostCheck, location string) bool {
	for _, f := range h.files {
		if f.read && (f.location == location || f.address == location) {
			return true
		}
	}
	return false
}

var robotsOtherHost = &Rule{
	ID:       "robots-lists-other-host",
	Title:    "robots.txt names a sitemap on another host",
	Why:      "Such a line allows a sitemap on another host to list this host's pages. Often it is the URL of a test server, or of the site before it moved.",
	Fix:      "Check that the sitemap is meant to be there.",
	Severity: SeverityInfo,
	Source:   protocolText + "#sitemaps_cross_submits",
	Since:    "0.1",
	Live:     true,
	Bad:      goodLive + "-- /robots.txt --\nSitemap: https://staging.example.net/sitemap.xml\n",
	Good:     goodLive + "-- /robots.txt --\nSitemap: https://example.com/sitemap.xml\n",
	checkHost: eachSitemap(func(h *hostCheck, line robots.Line, sitemap *url.URL) {
		if scan.Hostname(sitemap) != scan.Hostname(h.address) {
			h.reportLine(line, "the sitemap is on "+printable(sitemap.Host))
		}
	}),
}

var robotsBOM = &Rule{
	ID:       "robots-bom",
	Title:    "robots.txt starts with a byte order mark",
	Why:      "Programs that do not expect it read it as part of the first line, and that line has no effect.",
	Fix:      "Save the file as UTF-8 without BOM.",
	Severity: SeverityWarning,
	Source:   "https://www.rfc-editor.org/rfc/rfc9309#section-2.3",
	Since:    "0.1",
	Live:     true,
	Bad:      goodLive + "-- /robots.txt --\n{{bytes \"efbbbf\"}}User-agent: *\nDisallow:\n",
	Good:     goodLive + "-- /robots.txt --\nUser-agent: *\nDisallow:\n",
	checkHost: func(h *hostCheck) {
		if h.robots.BOM() {
			h.report(h.address.String(), 1, "", "a byte order mark before the first line")
		}
	},
}

var robotsItself = &Rule{
	ID:       "robots-names-itself",
	Title:    "robots.txt names a robots.txt as a sitemap",
	Why:      "A robots.txt lists no pages. Search engines that follow the line read the wrong file.",
	Fix:      "Put the URL of the sitemap in the line.",
	Severity: SeverityError,
	Source:   protocolText + "#submit_robots",
	Since:    "0.1",
	Live:     true,
	Bad:      goodLive + "-- /robots.txt --\nSitemap: https://example.com/robots.txt\n",
	Good:     goodLive + "-- /robots.txt --\nSitemap: https://example.com/sitemap.xml\n",
	checkHost: eachSitemap(func(h *hostCheck, line robots.Line, sitemap *url.URL) {
		if path.Base(sitemap.Path) == "robots.txt" {
			h.reportLine(line, fmt.Sprintf("%s is not a sitemap", printable(sitemap.String())))
		}
	}),
}
