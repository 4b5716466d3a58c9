package report

import (
	"slices"
	"strings"

	"github.com/mapatools/mapa/internal/format"
)

// part is a part of the report that shows lists, one at a time.
type part struct {
	ID    string     `json:"id"`
	Lists []partList `json:"lists"`
}

// partList is a list of URLs, or of groups of pages.
type partList struct {
	ID      string   `json:"id"`
	Name    string   `json:"name"`
	Empty   string   `json:"empty"` // shown when nothing is listed
	Total   int      `json:"total"`
	Columns []string `json:"columns,omitempty"`
	Rows    []int    `json:"rows,omitempty"`   // numbers of rows, from 1
	Groups  [][]int  `json:"groups,omitempty"` // number of pages, then rows of the first
	// Grouped reports that the list has groups, and GroupName names what their pages
	// share.
	Grouped   bool   `json:"grouped,omitempty"`
	GroupName string `json:"group_name,omitempty"`
}

// groupKind is a list of groups of pages that share a text or their content.
type groupKind struct {
	section, id string
	groups      func(g *pageReport) []pageGroup
	shared      func(r *row) string // what the pages of a group share, or the title of the first
}

var groupKinds = []groupKind{
	{"duplicates", "same", func(g *pageReport) []pageGroup { return g.contents }, func(r *row) string { return r.title }},
	{"titles", "same", func(g *pageReport) []pageGroup { return g.titles }, func(r *row) string { return r.title }},
	{"descriptions", "same", func(g *pageReport) []pageGroup { return g.descriptions },
		func(r *row) string { return r.facts.Description }},
	{"headings", "same", func(g *pageReport) []pageGroup { return g.headings },
		func(r *row) string { return r.facts.H1 }},
}

// newParts returns the parts with lists of URLs or groups.
func (g *pageReport) newParts() []part {
	var parts []part
	find := func(id string) *part {
		i := slices.IndexFunc(parts, func(p part) bool { return p.ID == id })
		if i < 0 {
			parts = append(parts, part{ID: id})
			i = len(parts) - 1
		}
		return &parts[i]
	}
	for i := range g.rows.lists {
		l := &g.rows.lists[i]
		p := find(l.section)
		p.Lists = append(p.Lists, g.rowList(l))
	}
	for i := range groupKinds {
		p := find(groupKinds[i].section)
		missing := slices.IndexFunc(p.Lists, func(l partList) bool { return l.ID == "missing" })
		p.Lists = slices.Insert(p.Lists, missing+1, g.groupList(&groupKinds[i]))
	}
	return parts
}

func (g *pageReport) newPartList(section, id string, total int) partList {
	key := "list." + section + "." + id
	return partList{ID: id, Name: g.catalog.Text(key), Empty: g.catalog.Text(key + ".empty"), Total: total}
}

// rowList returns a list of URLs, in their order.
func (g *pageReport) rowList(l *urlList) partList {
	list := g.newPartList(l.section, l.id, l.total)
	list.Columns = l.columns
	for _, id := range l.ids {
		if number := g.rows.number(id); number > 0 {
			list.Rows = append(list.Rows, number)
		}
	}
	slices.Sort(list.Rows)
	return list
}

func (g *pageReport) groupList(kind *groupKind) partList {
	groups := kind.groups(g)
	list := g.newPartList(kind.section, kind.id, len(groups))
	list.Grouped, list.GroupName = true, g.catalog.Text("list."+kind.section+"."+kind.id+".shared")
	for _, group := range groups[:min(len(groups), maxGroups)] {
		numbers := []int{group.total}
		for _, id := range group.members {
			numbers = append(numbers, g.rows.number(id))
		}
		list.Groups = append(list.Groups, numbers)
	}
	return list
}

// listed returns the number of URLs in some lists of a section.
func (a *Analysis) listed(section string, ids ...string) (total int) {
	for _, id := range ids {
		total += a.total(section + "." + id)
	}
	return total
}

// views returns the beginnings of the lists of a section, which are readable without
// JavaScript.
func (g *pageReport) views(section string) []*listView {
	switch section {
	case "broken":
		return []*listView{
			g.brokenView("broken-urls", g.broken.urls, g.broken.linkedURLs),
			g.brokenView("missing-anchors", g.broken.anchors, g.broken.anchorCount),
		}
	case "addresses":
		all := g.firstRows(maxStaticRows)
		return []*listView{g.listView("", g.catalog.Text("list.addresses.empty"), g.addressColumns(), all, g.totals.urls)}
	case "languages":
		return []*listView{g.languagesView()}
	case "tree":
		return []*listView{g.treeView()}
	}
	var views []*listView
	i := slices.IndexFunc(g.parts, func(p part) bool { return p.ID == section })
	for _, list := range g.parts[i].Lists {
		if list.Grouped {
			views = append(views, g.groupsView(section, &list))
			continue
		}
		views = append(views, g.listView(list.Name, list.Empty, list.Columns, list.Rows, list.Total))
	}
	if len(views) == 1 {
		views[0].Name = ""
	}
	return views
}

// firstRows returns the numbers of the first rows: those of the site before those of other
// sites.
func (g *pageReport) firstRows(most int) (numbers []int) {
	var others []int
	for i := range g.rows.rows {
		switch {
		case len(numbers) == most:
			return numbers
		case kindOf(&g.rows.rows[i]) != kindOtherSite:
			numbers = append(numbers, i+1)
		case len(others) < most:
			others = append(others, i+1)
		}
	}
	return append(numbers, others[:min(len(others), most-len(numbers))]...)
}

// addressColumns returns the columns of the list of all URLs.
func (g *pageReport) addressColumns() []string {
	if g.brief {
		return []string{"url", "decision", "status"}
	}
	return []string{"url", "decision", "status", "depth", "linked"}
}

// newListView returns a list of the catalogue without rows.
func (g *pageReport) newListView(id string, total int, columnKeys ...string) *listView {
	v := &listView{Name: g.catalog.Text("list." + id), Empty: g.catalog.Text("list." + id + ".empty"), Total: total}
	for _, key := range columnKeys {
		v.Columns = append(v.Columns, g.catalog.Text("column."+key))
	}
	return v
}

func (g *pageReport) brokenView(id string, targets []*brokenTarget, total int) *listView {
	v := g.newListView("broken."+id, total, "broken", "why", "on", "links")
	for _, target := range targets[:min(len(targets), maxStaticRows)] {
		broken := g.linkTo(target.id)
		if target.fragment != "" && len(broken) > 0 {
			broken[0].URL += "#" + target.fragment
		}
		var sources []pageLink
		for _, source := range target.sources[:min(len(target.sources), maxShownSources)] {
			for _, link := range g.linkTo(source.page) {
				link.Text = source.text
				sources = append(sources, link)
			}
		}
		v.Rows = append(v.Rows, [][]pageLink{broken, text(g.failure(target.why)), sources, g.number(target.links)})
	}
	return v
}

// maxShownSources is how many of the pages that link to a broken URL are readable
// without JavaScript.
const maxShownSources = 3

func (g *pageReport) groupsView(section string, list *partList) *listView {
	v := &listView{Name: list.Name, Empty: list.Empty, Total: list.Total}
	v.Columns = []string{list.GroupName, g.catalog.Text("column.urls"), g.catalog.Text("column.pages")}
	kind := slices.IndexFunc(groupKinds, func(k groupKind) bool { return k.section == section })
	for _, group := range list.Groups[:min(len(list.Groups), maxStaticRows)] {
		var pages []pageLink
		shared := ""
		for _, at := range group[1:min(len(group), 1+maxShownSources)] {
			if at > 0 {
				pages = append(pages, g.linkToRow(&g.rows.rows[at-1], ""))
				shared = groupKinds[kind].shared(&g.rows.rows[at-1])
			}
		}
		v.Rows = append(v.Rows, [][]pageLink{text(shared), pages, g.number(group[0])})
	}
	return v
}

func (g *pageReport) languagesView() *listView {
	found := &g.totals.languages
	v := g.newListView("languages", found.total, "page", "error", "version", "language")
	v.Name = ""
	for _, f := range found.findings[:min(len(found.findings), maxStaticRows)] {
		v.Rows = append(v.Rows, [][]pageLink{
			g.linkTo(f.page), text(f.fault.text(g.catalog)), g.linkTo(f.other),
			text(format.Truncate(format.Plain(f.language), 40)),
		})
	}
	return v
}

func (g *pageReport) treeView() *listView {
	branches := g.totals.tree.branches()
	v := g.newListView("tree", len(branches), "folder", "urls", "listed", "broken-urls")
	v.Name = ""
	var path []string
	for _, b := range branches[:min(len(branches), maxStaticRows)] {
		path = append(path[:b.Level], b.Name)
		v.Rows = append(v.Rows, [][]pageLink{
			text(strings.Join(path, "/") + "/"), g.number(b.Total), g.number(b.Listed), g.number(b.Broken),
		})
	}
	return v
}

// markGroups sets want for the members of the groups that the report shows.
func markGroups(want []bool, lists ...[]pageGroup) {
	for _, groups := range lists {
		for _, group := range groups[:min(len(groups), maxGroups)] {
			for _, id := range group.members {
				want[id] = true
			}
		}
	}
}

// folders returns the folders of the first levels, for the filter of the list of all URLs.
func (g *pageReport) folders() []string {
	const most = 200
	names := []string{}
	var path []string
	for _, b := range g.totals.tree.branches() {
		path = append(path[:b.Level], b.Name)
		if b.Level <= 3 && len(names) < most {
			names = append(names, strings.Join(path, "/")+"/")
		}
	}
	return names
}
