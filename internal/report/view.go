package report

import (
	"cmp"
	"fmt"
	"html/template"
	"net/url"
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
	Tasks    []taskView
	Figures  []figure
	Changes  []figure // since the previous crawl
	Since    string   // when that was
	Reasons  []reasonBar
	Depths   []bar
	Statuses []bar
	Sections []section
	Broken   []*brokenView
	More     int    // broken URLs that are not shown
	LeftOut  string // what the report leaves out, or empty
	Panels   []*panel
	Empty    *panel // for the script
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
	Lists    []*listView
}

// brokenView is a broken URL with one of the links to it.
type brokenView struct {
	URL, Why, Page string
	More           int // other links
}

func (g *pageReport) view() *view {
	o := g.Overview(g.options)
	v := &view{
		Policy: crawlPolicy(), Style: template.CSS(crawlStyle()),
		Start: o.Start, Host: o.Start, Program: o.Program, Finished: o.Finished,
		Headline: g.headline(), Tasks: g.taskViews(o.Tasks), Reasons: g.reasons(), Sections: g.sections(),
		Depths: g.depthBars(o.Depths), Statuses: g.statusBars(o.Statuses), Empty: g.emptyPanel(), LeftOut: g.leftOut(),
	}
	if start, err := url.Parse(o.Start); err == nil && start.Host != "" &&
		(start.Scheme == "http" || start.Scheme == "https") {
		v.Host, v.Link = format.Plain(start.Host+strings.TrimSuffix(start.Path, "/")), true
	}
	if !o.Time.IsZero() {
		v.Time = g.catalog.Time(o.Time)
	}
	v.Figures = []figure{
		{o.Pages, g.catalog.Text("figure.pages"), ""},
		{o.Listed, g.catalog.Text("figure.listed"), "good"},
		{o.BrokenURLs, g.catalog.Text("figure.broken"), kindIf(o.BrokenURLs > 0, "bad")},
		{o.Redirects, g.catalog.Text("figure.redirects"), kindIf(o.LinkedRedirects > 0, "warn")},
	}
	if c := g.options.Changes; c != nil {
		v.Since = g.catalog.Time(g.options.Previous)
		v.Changes = []figure{
			{c.New, g.catalog.Text("change.new"), ""}, {c.Gone, g.catalog.Text("change.gone"), ""},
			{c.Changed, g.catalog.Text("change.changed"), ""},
			{c.NewlyBroken, g.catalog.Text("change.broken"), kindIf(c.NewlyBroken > 0, "bad")},
			{c.Fixed, g.catalog.Text("change.fixed"), kindIf(c.Fixed > 0, "good")},
			{c.Unchanged, g.catalog.Text("change.unchanged"), ""},
		}
	}
	for _, end := range g.broken.urls[:min(5, len(g.broken.urls))] {
		v.Broken = append(v.Broken, &brokenView{g.displayURL(end.id), g.catalog.Detail(end.why),
			g.displayURL(end.sources[0].page), end.links - 1})
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
func (g *pageReport) displayURL(id crawl.ID) string { return g.shortURL(g.urlOf(id)) }

func (g *pageReport) headline() string {
	pages := g.plural("headline.pages", g.totals.listed)
	switch {
	case g.broken.links == 0 && g.broken.anchorLinks == 0:
		return g.catalog.Text("headline.clean", pages)
	case g.broken.links == 0:
		return g.catalog.Text("headline.anchors", pages, g.plural("headline.anchors", g.broken.anchorLinks))
	}
	return g.catalog.Text("headline.broken", pages, g.plural("headline.broken", g.broken.links))
}

// reasonTones maps reasons to the styles of their URLs.
var reasonTones = map[crawl.Reason]string{
	crawl.ReasonListed: "good", crawl.ReasonAdded: "good",
	crawl.ReasonClientError: "bad", crawl.ReasonServerError: "bad", crawl.ReasonUnreachable: "bad",
	crawl.ReasonRedirectLoop: "bad", crawl.ReasonSoft404: "bad",
	crawl.ReasonInconclusive: "warn", crawl.ReasonRedirect: "warn", crawl.ReasonTrap: "warn",
	crawl.ReasonLimit: "warn", crawl.ReasonTooLarge: "warn", Waiting: "warn",
}

// reasons returns the chart of reasons. URLs of other sites, which are often most of
// all, have no bar: it would make the others too short to compare.
func (g *pageReport) reasons() []reasonBar {
	most := 0
	for reason, count := range g.totals.reasons {
		if reason != crawl.ReasonOutOfScope {
			most = max(most, count)
		}
	}
	var lines []reasonBar
	for _, line := range sortReasons(g.totals.reasons) {
		bar := reasonBar{Explanation: g.explain(line.Reason), Count: line.Count, Kind: reasonTones[line.Reason]}
		if line.Reason != crawl.ReasonOutOfScope {
			bar.Share = barWidth(line.Count, most)
		}
		lines = append(lines, bar)
	}
	return lines
}

func barWidth(count, most int) float64 {
	if most == 0 {
		return 0
	}
	return max(0.5, 100*float64(count)/float64(most))
}

// depthBars returns the chart of crawl depths.
func (g *pageReport) depthBars(depths []Bar) (bars []bar) {
	for _, depth := range depths {
		name := strconv.Itoa(depth.From)
		switch {
		case depth.To == maxDepth:
			name = g.catalog.Text("depth.over", g.count(depth.From-1))
		case depth.To > depth.From:
			name = fmt.Sprintf("%d–%d", depth.From, depth.To)
		case depth.From == 0:
			name = g.catalog.Text("depth.start")
		}
		bars = append(bars, bar{Name: name, Count: depth.Count})
	}
	if orphans := g.totals.unlinked; orphans > 0 {
		bars = append(bars, bar{Name: g.catalog.Text("depth.orphan"), Count: orphans, Kind: "warn"})
	}
	setShares(bars)
	return bars
}

// setShares sets the lengths of bars.
func setShares(bars []bar) {
	most := 0
	for _, bar := range bars {
		most = max(most, bar.Count)
	}
	for i := range bars {
		bars[i].Share = barWidth(bars[i].Count, most)
	}
}

func (g *pageReport) statusBars(statuses []Bar) (bars []bar) {
	for _, status := range statuses {
		name, kind := statusText(status.From), ""
		switch {
		case status.From == 0:
			name = g.catalog.Text("status.none")
		case status.From < 300:
			kind = "good"
		case status.From < 400:
			kind = "warn"
		default:
			kind = "bad"
		}
		bars = append(bars, bar{Name: name, Count: status.Count, Kind: kind})
	}
	setShares(bars)
	return bars
}

// sections returns the parts of the report in the order of the navigation.
func (g *pageReport) sections() []section {
	t := &g.totals
	rest, groups := g.restNote(), g.groupNote()
	var sections []section
	add := func(id string, count int, note, kind string) {
		text := g.catalog.Text("section." + id + ".text")
		if id == "gaps" && t.gaps.seeded == 0 {
			text = g.catalog.Text("gaps.no-seeds")
		}
		if count == 0 {
			note = ""
		}
		sections = append(sections, section{id, g.catalog.Text("section." + id), count, text, note, kind, g.views(id)})
	}
	add("broken", cmp.Or(g.broken.links, g.broken.anchorLinks), g.brokenNote(), "bad")
	add("redirects", g.listed("redirects", "redirects"), rest, "warn")
	add("addresses", t.urls, rest, "")
	if g.brief {
		return sections
	}
	add("duplicates", g.duplicates.contents+g.listed("duplicates", "copies"), groups, "")
	add("titles", g.duplicates.titles+g.listed("titles", "missing"), groups, "")
	add("descriptions", g.duplicates.descriptions+g.listed("descriptions", "missing"), groups, "")
	add("headings", g.duplicates.headings+g.listed("headings", "missing"), groups, "")
	add("content", g.listed("content", "no-text", "few-words", "no-alt"), rest, "")
	add("sharing", g.listed("sharing", "no-open-graph", "some-open-graph"), rest, "")
	add("speed", t.slow+t.large, rest, "")
	add("gaps", t.gaps.total(), rest, "warn")
	add("languages", t.languages.total, g.languageNote(), "warn")
	add("canonical", t.reasons[crawl.ReasonCanonical]+t.conflicting, rest, "")
	add("tree", t.tree.folders, g.treeNote(), "")
	return sections
}

// The notes say which entries of a list are missing. They are empty if none are.

func (g *pageReport) restNote() string {
	missing := 0
	for _, n := range g.rows.omitted {
		missing += n
	}
	if g.brief {
		missing = g.totals.urls - len(g.rows.rows)
	}
	if missing == 0 {
		return ""
	}
	return g.catalog.Text("note.rest", g.count(missing), g.count(g.totals.urls))
}

func (g *pageReport) brokenNote() string {
	if g.broken.linkedURLs <= len(g.broken.urls) && g.broken.anchorCount <= len(g.broken.anchors) {
		return ""
	}
	return g.catalog.Text("note.broken", g.count(maxTargets))
}

func (g *pageReport) groupNote() string {
	if max(len(g.titles), len(g.contents), len(g.descriptions), len(g.headings)) <= maxGroups {
		return ""
	}
	return g.catalog.Text("note.groups", g.count(maxGroups))
}

func (g *pageReport) languageNote() string {
	found := &g.totals.languages
	if found.total <= len(found.findings) {
		return ""
	}
	return g.catalog.Text("note.languages", g.count(maxFaults), g.count(found.total))
}

func (g *pageReport) treeNote() string {
	if g.totals.tree.folders < maxFolders {
		return ""
	}
	return g.catalog.Text("note.tree", g.count(maxFolders))
}

func percent(share float64) string { return strconv.FormatFloat(share, 'f', 1, 64) }
