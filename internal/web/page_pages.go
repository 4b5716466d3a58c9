package web

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"

	"github.com/mapatools/mapa/internal/report"
	"github.com/mapatools/mapa/internal/result"
)

type pagesView struct {
	resultFrame
	Filters []filterView
	Kept    []choice // fields of the query that the form keeps
	Search  string
	Found   string
	Exports []fileLink
	Table   table
	Pager   pager

	at listAddress
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
	frame, release, err := s.openResult(r, "addresses")
	defer release()
	if err != nil {
		return err
	}
	v := pagesView{resultFrame: frame, at: listAddress{frame.listHref(nil), r.URL.Query()}, Search: filter.Text}
	v.Title = v.texts.Text("section.addresses") + " · " + v.Crawl.Site
	filter.Sort = cmp.Or(filter.Sort, "url") // the order of the report
	list, err := v.result.Pages(r.Context(), filter, v.at.query.Get("cursor"), rowsOfPage)
	if err != nil {
		return err
	}
	v.Table = v.pageTable(list.Pages)
	v.at.sort(&v.Table, filter.Sort, "url", "decision", "depth", "-linked")
	v.Pager = v.at.pager(v.texts, list.Part, len(list.Pages), int(list.Total))
	v.Found = v.texts.Plural("web.found", list.Total)
	v.addFilters()
	v.Exports = exportLinks("/crawls/"+v.Crawl.ID+"/export", v.at.query)
	return s.render(w, http.StatusOK, "pages", &v.frame, &v)
}

// addFilters adds the form. It offers only values that occur.
func (v *pagesView) addFilters() {
	c, o := v.texts, v.Overview
	v.Kept = []choice{}
	for _, name := range []string{"folder", "sort"} {
		if value := v.at.query.Get(name); value != "" {
			v.Kept = append(v.Kept, choice{Value: value, Name: name})
		}
	}
	decisions := filterView{"reason", c.Text("column.decision"), []choice{{Name: c.Text("script.all-decisions")}}}
	for _, d := range o.Decisions {
		explanation, _ := report.ExplainDecision(c, d.Name)
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
	rules := filterView{"rule", c.Text("script.rule"), []choice{{Name: c.Text("script.all-rules")}}}
	for _, section := range v.RuleSections {
		for _, rule := range section.Rules {
			if !slices.ContainsFunc(rules.Choices, func(o choice) bool { return o.Value == rule.ID }) {
				rules.Choices = append(rules.Choices, choice{Value: rule.ID, Name: rule.Title})
			}
		}
	}
	named := filterView{"named", c.Text("column.named"), []choice{
		{Name: c.Text("script.all-named")}, {Value: "sitemap", Name: c.Text("script.named-sitemap")},
		{Value: "list", Name: c.Text("script.named-list")}, {Value: "log", Name: c.Text("script.named-log")},
	}}
	for _, f := range []filterView{decisions, statuses, depths, types, rules, named} {
		chosen := v.at.query.Get(f.Field)
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

// links returns links with their texts.
func (v *resultFrame) links(of []result.Link) []pageLink {
	links := make([]pageLink, len(of))
	for i := range of {
		links[i] = v.refLink(&of[i].Ref)
		links[i].Text = of[i].Text
	}
	return links
}
