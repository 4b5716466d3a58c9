package report

import (
	"html/template"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/mapatools/mapa/internal/format"
)

// pageData is the data of the HTML template.
type pageData struct {
	Policy   string
	Style    template.CSS
	Host     string
	Start    string
	Link     bool // Start is an http or https URL
	Program  string
	Time     string // of the last request
	Finished bool
	*OverviewTexts
	Parts   []section
	LeftOut string // what the report leaves out, or empty
	Panels  []*panel
	Empty   *panel // for the script
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

func (g *pageReport) pageData() *pageData {
	o := g.overview
	v := &pageData{
		Policy: crawlPolicy(), Style: template.CSS(crawlStyle()),
		Start: o.Start, Host: o.Start, Program: o.Program, Finished: o.Finished,
		OverviewTexts: o.Texts(g.catalog, g.href), Empty: g.emptyPanel(), LeftOut: g.leftOut(),
	}
	v.Parts = g.sections(v.OverviewTexts)
	if start, err := url.Parse(o.Start); err == nil && start.Host != "" &&
		(start.Scheme == "http" || start.Scheme == "https") {
		v.Host, v.Link = format.Plain(start.Host+strings.TrimSuffix(start.Path, "/")), true
	}
	if !o.Time.IsZero() {
		v.Time = g.catalog.Time(o.Time)
	}
	return v
}

// sectionHref returns the address of a section of the report, and of what it shows.
func sectionHref(section, choice string) string {
	if choice == "" {
		return "#" + section
	}
	return "#" + section + "/" + choice
}

// href is sectionHref, for folders too: their URLs are in the list of all, which numbers them.
func (g *pageReport) href(section, choice string) string {
	if section == "tree" && choice != "" {
		section, choice = "addresses", "folder-"+strconv.Itoa(slices.Index(g.folders, choice))
	}
	return sectionHref(section, choice)
}

// sections returns the parts of the report in the order of the navigation.
func (g *pageReport) sections(texts *OverviewTexts) []section {
	var sections []section
	for i, s := range texts.Sections {
		sections = append(sections, section{s.ID, s.Name, s.Count, g.catalog.Text("section." + s.ID + ".text"), "", s.Kind,
			g.ruleViews(&g.parts[i])})
	}
	add := func(id string, count int, note string, list *listView) {
		sections = append(sections, section{
			id, g.catalog.Text("section." + id), count, g.catalog.Text("section." + id + ".text"), note, "", []*listView{list},
		})
	}
	add("addresses", g.totals.urls, g.restNote(), g.addressView())
	if !g.brief {
		add("tree", 0, g.treeNote(), g.treeView())
	}
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

func (g *pageReport) treeNote() string {
	if g.totals.tree.folders < maxFolders {
		return ""
	}
	return g.catalog.Text("note.tree", g.count(maxFolders))
}

// findFolders returns the folders for the filter of the list of all URLs: some of the first levels, and those of
// the picture.
func (g *pageReport) findFolders() []string {
	const most = 200
	names := []string{}
	var path []string
	for _, b := range g.totals.tree.branches() {
		path = append(path[:b.Level], b.Name)
		if b.Level <= 3 && len(names) < most {
			names = append(names, strings.Join(path, "/")+"/")
		}
	}
	for i := range g.overview.Folders {
		if name := g.overview.Folders[i].URL; name != "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
