package report

import (
	"cmp"
	"context"
	"html/template"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/insight"
	"github.com/mapatools/mapa/internal/view"
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
	Tasks   []view.Task // the first
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

func (g *pageReport) pageData(ctx context.Context) (*pageData, error) {
	o := g.overview
	v := &pageData{
		Policy: crawlPolicy(), Style: template.CSS(crawlStyle()),
		Start: o.Start, Host: o.Start, Program: o.Program, Finished: o.Finished,
		OverviewTexts: o.Texts(g.catalog, g.href), Empty: &panel{},
	}
	v.Empty.In, v.Empty.Out = newLinks(0, 0)
	if g.brief {
		v.LeftOut = g.catalog.Text("brief", g.count(o.URLs), g.count(maxBriefRows))
	}
	var err error
	if v.Panels, err = g.readSamples(ctx); err != nil {
		return nil, err
	}
	tasks, err := insight.ReadTasks(ctx, g.file, &o.Sections, MaxTasks)
	if err != nil {
		return nil, err
	}
	v.Tasks = o.TaskTexts(g.catalog, tasks, g.href, g.linkOrName)
	addresses, err := g.addressView(ctx)
	if err != nil {
		return nil, err
	}
	v.Parts = g.sections(v.OverviewTexts, addresses)
	if start, err := url.Parse(o.Start); err == nil && start.Host != "" &&
		(start.Scheme == "http" || start.Scheme == "https") {
		v.Host, v.Link = format.Plain(start.Host+strings.TrimSuffix(start.Path, "/")), true
	}
	if !o.Time.IsZero() {
		v.Time = g.catalog.Time(o.Time)
	}
	return v, nil
}

// sectionHref returns the address of a section of the report, and of what it shows.
func sectionHref(section, choice string) string {
	if choice == "" {
		return "#" + section
	}
	return "#" + section + "/" + choice
}

// href is sectionHref, for folders too: the list of all URLs numbers those that it can select.
func (g *pageReport) href(section, choice string) string {
	if section == "changes" { // they are in changes.jsonl
		return ""
	}
	if at := slices.Index(g.folders, choice); section == "tree" && choice != "" && at >= 0 {
		return sectionHref("addresses", "folder-"+strconv.Itoa(at))
	}
	if section == "tree" {
		choice = ""
	}
	return sectionHref(section, choice)
}

// sections returns the parts of the report in the order of the navigation.
func (g *pageReport) sections(texts *OverviewTexts, addresses *listView) []section {
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
	add("addresses", g.overview.URLs, g.restNote(), addresses)
	add("tree", 0, g.treeNote(), g.treeView())
	return sections
}

// The notes say which entries of a list are missing. They are empty if none are.

func (g *pageReport) restNote() string {
	missing := g.overview.URLs - len(g.rows.rows)
	if missing == 0 {
		return ""
	}
	return g.catalog.Text("note.rest", g.count(missing), g.count(g.overview.URLs))
}

func (g *pageReport) treeNote() string {
	if len(g.tree) < maxFolders {
		return ""
	}
	return g.catalog.Text("note.tree", g.count(maxFolders))
}

// findFolders returns the folders for the filter of the list of all URLs: some of the first levels, and those of the
// picture, as far as the report has URLs in them.
func (g *pageReport) findFolders() []string {
	const most, levels = 200, 4
	names := []string{}
	for _, folder := range g.tree {
		if folder.Level <= levels && len(names) < most {
			names = append(names, folder.URL)
		}
	}
	for _, folder := range g.overview.Folders {
		names = append(names, folder.URL)
	}
	slices.Sort(names)
	return slices.DeleteFunc(slices.Compact(names), func(name string) bool {
		at, _ := slices.BinarySearchFunc(g.rows.rows, name, func(r row, name string) int { return cmp.Compare(r.url, name) })
		return name == "" || at == len(g.rows.rows) || !strings.HasPrefix(g.rows.rows[at].url, name)
	})
}
