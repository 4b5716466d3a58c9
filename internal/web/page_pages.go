package web

import (
	"cmp"
	"net/http"
	"slices"

	"github.com/mapatools/mapa/internal/page"
	"github.com/mapatools/mapa/internal/result"
)

type pagesView struct {
	resultFrame
	Filters []filterView
	Kept    []choice // fields of the query that the form keeps
	Search  string
	Orders  []partLink // presets, and facts that become a column
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
	v := pagesView{resultFrame: frame, at: listAddress{frame.listHref(nil), r.URL.Query()}, Search: filter["text"]}
	v.Title = v.texts.Text("section.addresses") + " · " + v.Crawl.Site
	filter["sort"] = cmp.Or(filter["sort"], "url") // the order of the report
	list, err := v.result.Pages(r.Context(), filter, v.at.query.Get("cursor"), rowsOfPage)
	if err != nil {
		return err
	}
	facts := v.listFacts(filter["sort"])
	v.Table = v.pageTable(list.Pages, facts)
	v.at.sort(&v.Table, filter["sort"], sortKeys(facts)...)
	v.addOrders()
	v.Pager = v.at.pager(v.texts, list.Part, len(list.Pages), int(list.Total))
	v.Found = v.texts.Plural("web.found", list.Total)
	v.addFilters()
	v.Exports = exportLinks("/crawls/"+v.Crawl.ID+"/export", v.at.query)
	return s.render(w, http.StatusOK, "pages", &v.frame, &v)
}

// orders are the orders of the list that have a link: presets, and facts that are no column otherwise.
var orders = []struct{ sort, text string }{
	{"-duration_ms", "web.order.slow"}, {"-size", "web.order.large"}, {"-depth", "web.order.deep"},
	{"linked_from", "web.order.few-links"}, {"-status", "fact.status"}, {"words", "fact.words"},
	{"-title_length", "fact.title_length"}, {"-time", "fact.time"},
}

// addOrders adds the links to other orders of the list.
func (v *pagesView) addOrders() {
	for _, o := range orders {
		v.Orders = append(v.Orders, partLink{
			Href: v.at.with("sort", o.sort), Name: v.texts.Text(o.text), Current: v.at.query.Get("sort") == o.sort,
		})
	}
}

// addFilters adds the form. It offers only values that occur.
func (v *pagesView) addFilters() {
	c := v.texts
	v.Kept = []choice{}
	for _, name := range []string{"folder", "sort"} {
		if value := v.at.query.Get(name); value != "" {
			v.Kept = append(v.Kept, choice{Value: value, Name: name})
		}
	}
	for _, f := range page.In(page.Choice) {
		filter := filterView{f.Key, f.Name(c), []choice{{Name: c.Text("filter." + f.Key)}}}
		for _, one := range v.result.Choices(f.Key) {
			filter.Choices = append(filter.Choices, choice{Value: one.Value, Name: f.Choice(c, one.Value)})
		}
		least := 2
		if f.Kind == page.Set || f.IsFigure() { // one value does not select all
			least = 1
		}
		v.addFilter(filter, least)
	}
	rules := filterView{"rule", c.Text("script.rule"), []choice{{Name: c.Text("filter.rule")}}}
	for _, section := range v.RuleSections {
		for _, rule := range section.Rules {
			isNew := !slices.ContainsFunc(rules.Choices, func(o choice) bool { return o.Value == rule.ID })
			hasPages := slices.ContainsFunc(v.result.Choices("rule"), func(o result.Choice) bool { return o.Value == rule.ID })
			if isNew && hasPages {
				rules.Choices = append(rules.Choices, choice{Value: rule.ID, Name: rule.Title})
			}
		}
	}
	v.addFilter(rules, 2)
}

// addFilter adds a field of the form, unless it has less than some values.
func (v *pagesView) addFilter(f filterView, least int) {
	chosen := v.at.query.Get(f.Field)
	i := slices.IndexFunc(f.Choices, func(o choice) bool { return o.Value == chosen })
	if i < 0 { // from a link
		f.Choices = append(f.Choices, choice{Value: chosen, Name: chosen})
		i = len(f.Choices) - 1
	}
	f.Choices[i].Checked = true
	if len(f.Choices) > least || i > 0 {
		v.Filters = append(v.Filters, f)
	}
}

// links returns links with their texts.
func (v *resultFrame) links(of []result.Link) []pageLink {
	links := make([]pageLink, len(of))
	for i := range of {
		links[i] = v.refLink(&of[i].Ref)
		links[i].Text = of[i].Text
	}
	return links
}
