package lint

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"strings"

	"github.com/mapatools/mapa/robots"
)

// robotsRules are about what robots.txt says of sitemaps.
var robotsRules = []*Rule{notInRobots, robotsRelative, robotsMissing, robotsOtherHost, robotsBOM, robotsItself}

// A hostVisit is the robots.txt of a host that sitemaps were checked of.
type hostVisit struct {
	*run
	ctx     context.Context
	rule    *Rule    // the one that looks
	address *url.URL // of robots.txt
	file    *robots.File
	files   []*setFile // of the host
	found   []Finding
}

// askRobots applies the rules about robots.txt, host by host in the order of the
// files, and reports whether more findings are wanted.
func (r *run) askRobots(ctx context.Context, t *liveTeller) bool {
	if len(r.plan.host) == 0 {
		return true
	}
	for _, v := range r.hosts(ctx) {
		if !v.read() {
			continue
		}
		for _, rule := range r.plan.host {
			v.rule = rule
			rule.host(v)
		}
		for _, f := range v.found {
			t.tell(f)
		}
		if t.stopped || ctx.Err() != nil {
			return false
		}
	}
	return true
}

// hosts returns those that the checked files lie on.
func (r *run) hosts(ctx context.Context) (visits []*hostVisit) {
	known := map[string]*hostVisit{}
	for _, f := range r.set.files {
		if f.scope.address == nil {
			continue
		}
		address := f.scope.address.ResolveReference(&url.URL{Path: "/robots.txt"})
		v := known[address.String()]
		if v == nil {
			if len(visits) == mostHosts {
				continue
			}
			v = &hostVisit{run: r, ctx: ctx, address: address}
			known[address.String()] = v
			visits = append(visits, v)
		}
		v.files = append(v.files, f)
	}
	return visits
}

// read asks for robots.txt. Of one that the host does not deliver nothing can be
// said; one that it does not have is empty.
func (v *hostVisit) read() bool {
	answer := follow(v.ctx, v.options.Live, v.address.String(), robots.ReadLimit+1).end()
	if answer == nil || answer.Status >= http.StatusInternalServerError || answer.Status == http.StatusTooManyRequests {
		return false
	}
	v.file = robots.FromResponse(answer.Status, bytes.NewReader(answer.Body))
	return true
}

func (v *hostVisit) report(file string, line int, evidence, message string) {
	f := Finding{Rule: v.rule, File: file, Message: message, Evidence: printable([]byte(evidence))}
	if line > 0 {
		f.Line, f.Column = line, 1
	}
	v.found = append(v.found, f)
}

// eachSitemap makes a check of a host from one of its Sitemap lines.
func eachSitemap(check func(v *hostVisit, line robots.Line, sitemap *url.URL)) func(*hostVisit) {
	return func(v *hostVisit) {
		for _, line := range v.file.Sitemaps() {
			if u, err := v.address.Parse(line.Value); err == nil {
				check(v, line, u)
			}
		}
	}
}

func (v *hostVisit) reportLine(line robots.Line, message string) {
	v.report(v.address.String(), line.Number, line.Text, message)
}

var notInRobots = &Rule{
	ID:       "sitemap-not-in-robots",
	Title:    "robots.txt does not name the sitemap",
	Why:      "A Sitemap line reaches every search engine, including those where you did not submit the sitemap.",
	Cure:     "Add to robots.txt: Sitemap: https://example.com/sitemap.xml",
	Severity: SeverityInfo,
	Source:   protocolText + "#submit_robots",
	Since:    "0.1",
	Live:     true,
	Bad:      goodLive + "-- /robots.txt --\nUser-agent: *\nDisallow:\n",
	Good:     goodLive + "-- /robots.txt --\nSitemap: https://example.com/sitemap.xml\n",
	host: func(v *hostVisit) {
		named := map[string]bool{}
		for _, line := range v.file.Sitemaps() {
			if u, err := v.address.Parse(line.Value); err == nil {
				named[u.String()] = true
			}
		}
		for _, f := range v.files {
			if f.index == "" && !named[f.location] && !named[f.scope.address.String()] {
				v.report(f.location, 0, "", "the sitemap is not named in "+v.address.String())
			}
		}
	},
}

var robotsRelative = &Rule{
	ID:       "robots-sitemap-relative",
	Title:    "Sitemap line in robots.txt has no absolute URL",
	Why:      "Search engines ignore a Sitemap line without the full URL, including scheme and host.",
	Cure:     "Write the full URL: Sitemap: https://example.com/sitemap.xml",
	Severity: SeverityError,
	Source:   protocolText + "#submit_robots",
	Since:    "0.1",
	Live:     true,
	Bad:      goodLive + "-- /robots.txt --\nSitemap: /sitemap.xml\n",
	Good:     goodLive + "-- /robots.txt --\nSitemap: https://example.com/sitemap.xml\n",
	host: eachSitemap(func(v *hostVisit, line robots.Line, sitemap *url.URL) {
		if !isAbsolute(line.Value) {
			v.reportLine(line, "write the full URL: "+printable([]byte(sitemap.String())))
		}
	}),
}

// mostRobotsSitemaps is how many Sitemap lines of one robots.txt are asked for.
const mostRobotsSitemaps = 100

var robotsMissing = &Rule{
	ID:            "robots-sitemap-404",
	Title:         "robots.txt names a sitemap that cannot be fetched",
	Why:           "Search engines request it again and again, and do not learn of the pages in it.",
	Cure:          "Correct the line, or remove it.",
	Severity:      SeverityError,
	Source:        protocolText + "#submit_robots",
	SearchConsole: "Couldn't fetch",
	Since:         "0.1",
	Live:          true,
	Bad:           goodLive + "-- /robots.txt --\nSitemap: https://example.com/old.xml\n",
	Good:          goodLive + "-- /robots.txt --\nSitemap: https://example.com/sitemap.xml\n",
	host: func(v *hostVisit) {
		asked := 0
		eachSitemap(func(v *hostVisit, line robots.Line, sitemap *url.URL) {
			if asked++; asked > mostRobotsSitemaps || v.hasRead(sitemap.String()) || !isAbsolute(line.Value) {
				return
			}
			t := follow(v.ctx, v.options.Live, sitemap.String(), 0)
			switch a := t.end(); {
			case v.ctx.Err() != nil:
			case t.err != nil:
				v.reportLine(line, "no answer: "+printable([]byte(rootOf(t.err).Error())))
			case t.endless:
				v.reportLine(line, "too many redirects")
			case a.Status >= http.StatusBadRequest:
				v.reportLine(line, statusText(a.Status))
			}
		})(v)
	},
}

// hasRead reports whether a sitemap was among those that were checked and could be
// read.
func (v *hostVisit) hasRead(location string) bool {
	for _, f := range v.files {
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
	Cure:     "Check that the sitemap is meant to be there.",
	Severity: SeverityInfo,
	Source:   protocolText + "#sitemaps_cross_submits",
	Since:    "0.1",
	Live:     true,
	Bad:      goodLive + "-- /robots.txt --\nSitemap: https://staging.example.net/sitemap.xml\n",
	Good:     goodLive + "-- /robots.txt --\nSitemap: https://example.com/sitemap.xml\n",
	host: eachSitemap(func(v *hostVisit, line robots.Line, sitemap *url.URL) {
		if !strings.EqualFold(sitemap.Hostname(), v.address.Hostname()) {
			v.reportLine(line, "the sitemap is on "+printable([]byte(sitemap.Host)))
		}
	}),
}

var robotsBOM = &Rule{
	ID:       "robots-bom",
	Title:    "robots.txt starts with a byte order mark",
	Why:      "Programs that do not expect it read it as part of the first line, and that line has no effect.",
	Cure:     "Save the file as UTF-8 without BOM.",
	Severity: SeverityWarning,
	Source:   "https://www.rfc-editor.org/rfc/rfc9309#section-2.3",
	Since:    "0.1",
	Live:     true,
	Bad:      goodLive + "-- /robots.txt --\n{{bytes \"efbbbf\"}}User-agent: *\nDisallow:\n",
	Good:     goodLive + "-- /robots.txt --\nUser-agent: *\nDisallow:\n",
	host: func(v *hostVisit) {
		if v.file.BOM() {
			v.report(v.address.String(), 1, "", "a byte order mark before the first line")
		}
	},
}

var robotsItself = &Rule{
	ID:       "robots-names-itself",
	Title:    "robots.txt names a robots.txt as a sitemap",
	Why:      "A robots.txt lists no pages. Search engines that follow the line read the wrong file.",
	Cure:     "Put the URL of the sitemap in the line.",
	Severity: SeverityError,
	Source:   protocolText + "#submit_robots",
	Since:    "0.1",
	Live:     true,
	Bad:      goodLive + "-- /robots.txt --\nSitemap: https://example.com/robots.txt\n",
	Good:     goodLive + "-- /robots.txt --\nSitemap: https://example.com/sitemap.xml\n",
	host: eachSitemap(func(v *hostVisit, line robots.Line, sitemap *url.URL) {
		if path.Base(sitemap.Path) == "robots.txt" {
			v.reportLine(line, fmt.Sprintf("%s is not a sitemap", printable([]byte(sitemap.String()))))
		}
	}),
}
