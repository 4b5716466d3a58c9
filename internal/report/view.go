package report

import (
	"cmp"
	"fmt"
	"html/template"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/format"
)

// view is the data of the HTML template.
type view struct {
	Policy   string
	Style    template.CSS
	Host     string
	Start    string
	Link     bool // Start is an http or https URL
	Program  string
	Time     string // of the last request
	Finished bool
	Headline string
	Tasks    []task
	Figures  []figure
	Changes  []figure // since the previous crawl
	Since    string   // when that was
	Reasons  []reasonBar
	Depths   []bar
	Statuses []bar
	Sections []section
	Broken   []*brokenView
	More     int // broken URLs that are not shown
}

type figure struct {
	Count int
	Name  string
	Kind  string
}

type reasonBar struct {
	Explanation
	Count int
	Share float64 // percent of the longest bar
	Kind  string
}

type bar struct {
	Name  string
	Count int
	Share float64
	Kind  string
}

// section is a part of the report that the script fills.
type section struct {
	ID, Name string
	Count    int
	Text     string
	Note     string // which entries are missing, or empty
	Kind     string
}

// brokenView is a broken URL with one of the links to it.
type brokenView struct {
	URL, Why, Page string
	More           int // other links
}

func (g *pageReport) view() *view {
	t := &g.totals
	v := &view{
		Policy: crawlPolicy, Style: template.CSS(crawlStyle),
		Start: format.Plain(g.meta.Start), Host: format.Plain(g.meta.Start),
		Program: format.Plain(g.meta.Program), Finished: g.finished,
		Headline: g.headline(), Tasks: g.tasks(), Reasons: g.reasons(), Sections: g.sections(),
		Depths: depthBars(t), Statuses: statusBars(t),
	}
	if start, err := url.Parse(g.meta.Start); err == nil && start.Host != "" &&
		(start.Scheme == "http" || start.Scheme == "https") {
		v.Host, v.Link = format.Plain(start.Host+strings.TrimSuffix(start.Path, "/")), true
	}
	if !t.last.IsZero() {
		v.Time = t.last.UTC().Format("2 January 2006, 15:04 UTC")
	}
	v.Figures = []figure{
		{int(t.summary.Pages), "pages fetched", ""},
		{int(t.summary.Listed()), "in the sitemap", "good"},
		{int(t.summary.Broken()), "broken URLs", kindIf(t.summary.Broken() > 0, "bad")},
		{t.reasons[crawl.ReasonRedirect], "redirects", kindIf(t.redirects > 0, "warn")},
	}
	if c := g.options.Changes; c != nil {
		v.Since = g.options.Previous.UTC().Format("2 January 2006, 15:04 UTC")
		v.Changes = []figure{
			{c.New, "new", ""}, {c.Gone, "gone", ""}, {c.Changed, "changed", ""},
			{c.NewlyBroken, "newly broken", kindIf(c.NewlyBroken > 0, "bad")},
			{c.Fixed, "fixed", kindIf(c.Fixed > 0, "good")}, {c.Unchanged, "unchanged", ""},
		}
	}
	for _, end := range g.broken.urls[:min(5, len(g.broken.urls))] {
		v.Broken = append(v.Broken, &brokenView{g.displayURL(end.id), end.why, g.displayURL(end.sources[0].page),
			end.links - 1})
	}
	v.More = g.broken.linkedURLs - len(v.Broken)
	return v
}

func kindIf(is bool, kind string) string {
	if is {
		return kind
	}
	return ""
}

// displayURL returns a URL without the origin of the start.
func (g *pageReport) displayURL(id crawl.ID) string {
	if at := g.rows.number(id); at > 0 {
		address := g.rows.rows[at-1].url
		if path, inside := strings.CutPrefix(address, g.origin()); inside && strings.HasPrefix(path, "/") {
			return path
		}
		return address
	}
	return ""
}

func (g *pageReport) headline() string {
	listed := g.totals.listed
	switch {
	case g.broken.links == 0 && g.broken.anchorLinks == 0:
		return fmt.Sprintf("%s for your sitemap, no broken links.", format.Plural(listed, "page"))
	case g.broken.links == 0:
		return fmt.Sprintf("%s for your sitemap, %s to %s.", format.Plural(listed, "page"),
			format.Plural(g.broken.anchorLinks, "link"), verb(g.broken.anchorLinks, "a missing anchor", "missing anchors"))
	}
	return fmt.Sprintf("%s for your sitemap, %s to fix.", format.Plural(listed, "page"),
		format.Plural(g.broken.links, "broken link"))
}

// reasonTones maps reasons to the styles of their URLs.
var reasonTones = map[crawl.Reason]string{
	crawl.ReasonListed: "good", crawl.ReasonAdded: "good",
	crawl.ReasonClientError: "bad", crawl.ReasonServerError: "bad", crawl.ReasonUnreachable: "bad",
	crawl.ReasonRedirectLoop: "bad", crawl.ReasonSoft404: "bad",
	crawl.ReasonInconclusive: "warn", crawl.ReasonRedirect: "warn", crawl.ReasonTrap: "warn",
	crawl.ReasonLimit: "warn", crawl.ReasonTooLarge: "warn", Waiting: "warn",
}

// reasons returns the chart of reasons.
func (g *pageReport) reasons() []reasonBar {
	most := 0
	for _, count := range g.totals.reasons {
		most = max(most, count)
	}
	var lines []reasonBar
	for _, line := range sortReasons(g.totals.reasons) {
		lines = append(lines, reasonBar{line.Explanation, line.Count, barWidth(line.Count, most), reasonTones[line.Reason]})
	}
	return lines
}

func barWidth(count, most int) float64 {
	if most == 0 {
		return 0
	}
	return max(0.5, 100*float64(count)/float64(most))
}

func depthBars(t *totals) []bar {
	var bars []bar
	last := len(t.depths)
	for last > 0 && t.depths[last-1] == 0 {
		last--
	}
	most := max(t.unlinked, slices.Max(t.depths))
	for depth, count := range t.depths[:last] {
		name := strconv.Itoa(depth)
		switch depth {
		case 0:
			name = "start"
		case maxBarDepth:
			name += " or more"
		}
		bars = append(bars, bar{name, count, barWidth(count, most), ""})
	}
	if t.unlinked > 0 {
		bars = append(bars, bar{"orphan", t.unlinked, barWidth(t.unlinked, most), "warn"})
	}
	return bars
}

func statusBars(t *totals) []bar {
	var bars []bar
	most := 0
	for _, count := range t.statuses {
		most = max(most, count)
	}
	for _, status := range slices.Sorted(maps.Keys(t.statuses)) {
		name, kind := strings.TrimSpace(strconv.Itoa(status)+" "+http.StatusText(status)), ""
		switch {
		case status == 0:
			name = "no response"
		case status < 300:
			kind = "good"
		case status < 400:
			kind = "warn"
		default:
			kind = "bad"
		}
		bars = append(bars, bar{name, t.statuses[status], barWidth(t.statuses[status], most), kind})
	}
	return bars
}

// sections returns the parts of the report in the order of the navigation.
func (g *pageReport) sections() []section {
	t := &g.totals
	broken, redirects := cmp.Or(g.broken.links, g.broken.anchorLinks),
		t.reasons[crawl.ReasonRedirect]+t.reasons[crawl.ReasonRedirectLoop]
	copies := t.reasons[crawl.ReasonDuplicate] + t.reasons[crawl.ReasonParameterVariant]
	rest, groups := g.restNote(), g.groupNote()
	return []section{
		{"broken", "Broken links", broken, "Broken URLs and missing anchors, with the pages that link to them.",
			g.brokenNote(), "bad"},
		{"redirects", "Redirects", redirects, "Redirects with every step to the final URL.", rest, "warn"},
		{"addresses", "All URLs", t.urls, "The decision about each URL, and the reason.", rest, ""},
		{"duplicates", "Duplicates", g.duplicates.contents + copies,
			"Listed pages with the same main content, and pages that are not listed because they are copies of another page.",
			groups, ""},
		{"titles", "Titles", g.duplicates.titles + t.untitled,
			"Listed pages without a title, or with the same title as another page.", groups, ""},
		{"speed", "Slow and large", t.slow + t.large, "Response time and decompressed size of pages.", rest, ""},
		{"gaps", "Sitemap vs crawl", t.gaps.total(), gapsText(&t.gaps), rest, "warn"},
		{"languages", "Languages", t.languages.total, "Errors in the hreflang links between language versions.",
			g.languageNote(), "warn"},
		{"canonical", "Canonical", t.reasons[crawl.ReasonCanonical] + t.conflicting,
			"Pages with the canonical URL of another page, and pages with two canonical URLs.", rest, ""},
		{"tree", "Folders", t.tree.folders, "URLs by folder.", g.treeNote(), ""},
	}
}

// The notes say which entries of a list are missing. They are empty if none are.

func (g *pageReport) restNote() string {
	missing := 0
	for _, n := range g.rows.omitted {
		missing += n
	}
	if missing == 0 {
		return ""
	}
	return fmt.Sprintf("%s of %s do not fit on this page. mapa report --format csv or jsonl writes all.",
		format.Count(missing), format.Plural(g.totals.urls, "URL"))
}

func (g *pageReport) brokenNote() string {
	if g.broken.linkedURLs <= len(g.broken.urls) && g.broken.anchorCount <= len(g.broken.anchors) {
		return ""
	}
	return fmt.Sprintf("The %s most linked of each kind are shown. broken.csv has all.", format.Count(maxTargets))
}

func (g *pageReport) groupNote() string {
	if len(g.titles) <= maxGroups && len(g.contents) <= maxGroups {
		return ""
	}
	return fmt.Sprintf("The %s largest groups are shown.", format.Count(maxGroups))
}

func (g *pageReport) languageNote() string {
	found := &g.totals.languages
	if found.total <= len(found.findings) {
		return ""
	}
	return fmt.Sprintf("The first %s of %s errors are shown.", format.Count(maxFaults), format.Count(found.total))
}

func (g *pageReport) treeNote() string {
	if g.totals.tree.folders < maxFolders {
		return ""
	}
	return fmt.Sprintf("%s folders are shown. URLs in other folders count for the folder above.", format.Count(maxFolders))
}

func gapsText(g *gaps) string {
	if g.seeded == 0 {
		return "The crawl had no sitemap, list or log to compare with the links."
	}
	return "URLs in sitemaps, lists and logs compared with the URLs that the crawl found by links."
}

func percent(share float64) string { return strconv.FormatFloat(share, 'f', 1, 64) }
