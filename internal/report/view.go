package report

import (
	"cmp"
	"html/template"
	"net/url"
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
	*OverviewTexts
	Sections []section
	Broken   []*brokenView
	More     int    // broken URLs that are not shown
	LeftOut  string // what the report leaves out, or empty
	Panels   []*panel
	Empty    *panel // for the script
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
		OverviewTexts: o.Texts(g.catalog, sectionHref), Sections: g.sections(), Empty: g.emptyPanel(), LeftOut: g.leftOut(),
	}
	if start, err := url.Parse(o.Start); err == nil && start.Host != "" &&
		(start.Scheme == "http" || start.Scheme == "https") {
		v.Host, v.Link = format.Plain(start.Host+strings.TrimSuffix(start.Path, "/")), true
	}
	if !o.Time.IsZero() {
		v.Time = g.catalog.Time(o.Time)
	}
	for _, end := range g.broken.urls[:min(5, len(g.broken.urls))] {
		v.Broken = append(v.Broken, &brokenView{g.displayURL(end.id), g.failure(end.why),
			g.displayURL(end.sources[0].page), end.links - 1})
	}
	v.More = g.broken.linkedURLs - len(v.Broken)
	return v
}

// sectionHref returns the address of a section of the report, and of what it shows.
func sectionHref(section, choice string) string {
	if choice == "" {
		return "#" + section
	}
	return "#" + section + "/" + choice
}

// displayURL returns a URL without the origin of the start.
func (g *pageReport) displayURL(id crawl.ID) string { return g.shortURL(g.urlOf(id)) }

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
