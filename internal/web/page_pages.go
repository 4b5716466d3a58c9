package web

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/mapatools/mapa/internal/app/results"
)

type pagesView struct {
	resultFrame
	Name, Text string
	Lists      []partLink
	Filters    []filterView
	Kept       []choice // fields of the query that the form keeps
	Search     string
	Found      string
	Exports    []fileLink
	Table      table
	First      string
	Next       string

	query url.Values
	list  string
}

// A filterView is a field of the filter with its values.
type filterView struct {
	Field, Name string
	Choices     []choice
}

// rowsOfPage is the number of rows that a page of a list shows.
const rowsOfPage = 100

// pagePages shows a list of a result, and the form to filter it.
func (s *Server) pagePages(w http.ResponseWriter, r *http.Request) error {
	filter, err := filterOf(r)
	if err != nil {
		return err
	}
	part := sectionOf(filter.List)
	frame, release, err := s.openResult(r, part.id)
	defer release()
	if err != nil {
		return err
	}
	v := pagesView{resultFrame: frame, query: r.URL.Query(), list: filter.List, Search: filter.Text}
	v.Name, v.Text = v.texts.Text("section."+part.id), v.texts.Text("section."+part.id+".text")
	v.Title = v.Name + " · " + v.Crawl.Site
	v.addLists(part)
	cursor := v.query.Get("cursor")
	switch {
	case filter.List == anchorsList:
		err = v.addAnchors(r.Context(), cursor)
	case filter.List == languagesList:
		err = v.addFaults(r.Context(), cursor)
	case isGroups(filter.List) && filter.Group == "":
		err = v.addGroups(r.Context(), cursor)
	default:
		err = v.addPages(r.Context(), filter, cursor)
	}
	if err != nil {
		return err
	}
	v.Exports = exportLinks("/crawls/"+v.Crawl.ID+"/export", v.query)
	if cursor != "" {
		v.First = v.with("cursor", "")
	}
	return s.render(w, http.StatusOK, "pages", &v.frame, &v)
}

// with returns the address of the list with another value of a field. Other fields than
// the cursor begin at the first page.
func (v *pagesView) with(field, value string) string {
	query := url.Values{}
	for name, values := range v.query {
		if name != "cursor" && name != field && values[0] != "" {
			query[name] = values
		}
	}
	if value != "" {
		query.Set(field, value)
	}
	return v.listHref(query)
}

// addLists adds the links to the lists of a section.
func (v *pagesView) addLists(s *section) {
	if len(s.lists) < 2 {
		return
	}
	for _, id := range s.lists {
		list := s.id + "." + id
		v.Lists = append(v.Lists, partLink{
			Href: v.listHref(url.Values{"list": {list}}), Name: listName(v.texts, list), Count: countOf(v.Overview, list),
			Current: list == v.list,
		})
	}
}

// addPages adds the pages that the filter selects.
func (v *pagesView) addPages(ctx context.Context, filter results.PageFilter, cursor string) error {
	if filter.Sort == "" {
		filter.Sort = sortOf(filter.List)
	}
	list, err := v.result.Pages(ctx, filter, cursor, rowsOfPage)
	if err != nil {
		return err
	}
	v.Table = v.pageTable(filter.List, list.Pages)
	if countOf(v.Overview, filter.List) == 0 && v.list != "" && v.Search == "" {
		v.Table.Empty = v.emptyText()
	}
	v.Found = v.texts.Plural("web.found", list.Total)
	if list.Next != "" {
		v.Next = v.with("cursor", list.Next)
	}
	v.addFilters()
	return nil
}

// emptyText says that a list of the report is empty.
func (v *pagesView) emptyText() string {
	switch v.list {
	case "listed", "broken", "broken.broken-urls", "speed.slow", "speed.large":
		return v.texts.Text("script.no-matches")
	}
	return v.texts.Text("list." + v.list + ".empty")
}

// sortOf returns the order of a list: what matters most first.
func sortOf(list string) string {
	switch list {
	case "broken.broken-urls", "redirects.redirects":
		return "-linked"
	case "speed.slow":
		return "-time"
	case "speed.large":
		return "-size"
	}
	return ""
}

// addFilters adds the form. It offers only values that occur.
func (v *pagesView) addFilters() {
	c, o := v.texts, v.Overview
	v.Kept = []choice{}
	for _, name := range []string{"list", "group", "folder", "sort"} {
		if value := v.query.Get(name); value != "" {
			v.Kept = append(v.Kept, choice{Value: value, Name: name})
		}
	}
	decisions := filterView{"reason", c.Text("column.decision"), []choice{{Name: c.Text("script.all-decisions")}}}
	for _, d := range o.Decisions {
		explanation, _ := results.ExplainDecision(c, d.Name)
		decisions.Choices = append(decisions.Choices, choice{Value: d.Name, Name: explanation.Name})
	}
	statuses := filterView{"status", c.Text("column.status"), []choice{{Name: c.Text("script.all-statuses")}}}
	for _, s := range o.Statuses {
		status := choice{Value: strconv.Itoa(s.From), Name: strconv.Itoa(s.From)}
		if s.From == 0 {
			status = choice{Value: "none", Name: c.Text("script.no-response")}
		}
		statuses.Choices = append(statuses.Choices, status)
	}
	depths := filterView{"depth", c.Text("column.depth"), []choice{{Name: c.Text("script.all-depths")}}}
	for _, d := range o.Depths {
		for depth := d.From; depth <= min(d.To, d.From+maxDepthChoices); depth++ {
			depths.Choices = append(depths.Choices, choice{Value: strconv.Itoa(depth), Name: strconv.Itoa(depth)})
		}
	}
	if o.Orphans > 0 {
		depths.Choices = append(depths.Choices, choice{Value: "none", Name: c.Text("script.orphan")})
	}
	types := filterView{"type", c.Text("column.type"), []choice{{Name: c.Text("script.all-types")}}}
	for _, t := range o.Types[:min(len(o.Types), maxTypeChoices)] {
		types.Choices = append(types.Choices, choice{Value: t.Name, Name: t.Name})
	}
	for _, f := range []filterView{decisions, statuses, depths, types} {
		chosen := v.query.Get(f.Field)
		i := slices.IndexFunc(f.Choices, func(o choice) bool { return o.Value == chosen })
		if i < 0 { // from a link
			f.Choices = append(f.Choices, choice{Value: chosen, Name: chosen})
			i = len(f.Choices) - 1
		}
		f.Choices[i].Checked = true
		if len(f.Choices) > 2 || i > 0 {
			v.Filters = append(v.Filters, f)
		}
	}
}

// The number of values that a filter offers.
const (
	maxDepthChoices = 20
	maxTypeChoices  = 30
)

// addAnchors adds the missing anchors.
func (v *pagesView) addAnchors(ctx context.Context, cursor string) error {
	list, err := v.result.MissingAnchors(ctx, cursor, rowsOfPage)
	if err != nil {
		return err
	}
	c := v.texts
	v.Table = table{Columns: []column{{Name: c.Text("column.broken")}, {Name: c.Text("column.on")},
		{Name: c.Text("column.links"), Class: "figure"}}, Empty: c.Text("script.no-matches")}
	for i := range list.Anchors {
		a := &list.Anchors[i]
		page := v.refLink(&a.Page)
		page.URL += "#" + a.Fragment
		v.Table.Rows = append(v.Table.Rows, []cell{
			{Class: "half", Links: []pageLink{page}}, {Class: "half", Links: v.links(a.First)},
			{Class: "figure", Text: c.Count(int64(a.Links)), Label: c.Text("column.links")},
		})
	}
	v.Found = c.Plural("web.found", int64(v.Overview.MissingAnchors))
	v.setNext(list.Next)
	return nil
}

func (v *pagesView) setNext(cursor string) {
	if cursor != "" {
		v.Next = v.with("cursor", cursor)
	}
}

// addFaults adds the errors of links between language versions.
func (v *pagesView) addFaults(ctx context.Context, cursor string) error {
	list, err := v.result.Languages(ctx, cursor, rowsOfPage)
	if err != nil {
		return err
	}
	c := v.texts
	v.Table = table{Columns: []column{{Name: c.Text("column.page")}, {Name: c.Text("column.error")},
		{Name: c.Text("column.version")}, {Name: c.Text("column.language")}}, Empty: c.Text("list.languages.empty")}
	for i := range list.Faults {
		f := &list.Faults[i]
		row := []cell{
			{Class: "half", Links: []pageLink{v.refLink(&f.Page)}},
			{Class: "half", Tags: []tag{{Name: c.Text("fault." + f.Fault), Kind: "warn"}},
				Note: c.Text("fault." + f.Fault + ".text")},
			{Class: "half"}, {Text: f.Language},
		}
		if f.Version != nil {
			row[2].Links = []pageLink{v.refLink(f.Version)}
		}
		v.Table.Rows = append(v.Table.Rows, row)
	}
	v.Found = c.Plural("web.found", int64(countOf(v.Overview, languagesList)))
	v.setNext(list.Next)
	return nil
}

// addGroups adds groups of pages that share something.
func (v *pagesView) addGroups(ctx context.Context, cursor string) error {
	list, err := v.result.Groups(ctx, v.list, cursor, rowsOfPage)
	if err != nil {
		return err
	}
	c := v.texts
	v.Table = table{Columns: []column{{Name: c.Text("list." + v.list + ".shared")}, {Name: c.Text("column.urls")},
		{Name: c.Text("column.pages"), Class: "figure"}}, Empty: c.Text("list." + v.list + ".empty")}
	for i := range list.Groups {
		g := &list.Groups[i]
		var links []pageLink
		for j := range g.First {
			links = append(links, v.refLink(&g.First[j]))
		}
		if g.Total > len(g.First) {
			all := v.listHref(url.Values{"list": {v.list}, "group": {strconv.FormatInt(g.Number, 10)}})
			links = append(links, pageLink{Href: all, URL: c.Text("web.links.all")})
		}
		shared := g.Shared
		if shared == "" {
			shared = c.Text("script.no-title")
		}
		v.Table.Rows = append(v.Table.Rows, []cell{
			{Class: "half", Text: shared}, {Class: "half", Links: links},
			{Class: "figure", Text: c.Count(int64(g.Total)), Label: c.Text("column.pages")},
		})
	}
	v.setNext(list.Next)
	return nil
}

// links returns links with their texts.
func (v *resultFrame) links(of []results.PageLink) []pageLink {
	links := make([]pageLink, len(of))
	for i := range of {
		links[i] = v.refLink(&of[i].Ref)
		links[i].Text = of[i].Text
	}
	return links
}
