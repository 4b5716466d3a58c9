package web

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/report"
	"github.com/mapatools/mapa/internal/result"
	"github.com/mapatools/mapa/internal/view"
)

type urlView struct {
	resultFrame
	Page     *result.PageDetails
	Tags     []tag
	Verdict  string
	Outside  string // the address of the page itself, if a browser can open it
	Findings []pageFinding
	Facts    []view.Fact
	Path     []pageLink
	History  []pastRow // nil unless there are several crawls
	In, Out  linkList
}

// A pageFinding is what a rule found on a page.
type pageFinding struct{ Kind, Title, Text, Why, Fix string }

// A pastRow is what a crawl says of a page. Href leads to what it knows, or is empty.
type pastRow struct {
	When time.Time
	Href string
	Tag  tag
}

// A linkList is the beginning of the links of a page.
type linkList struct {
	Name  string
	Total int
	Links []pageLink
	Next  string
}

// shownLinks is the number of links that the page of a URL shows.
const shownLinks = 50

// pageURL shows all that a crawl knows about a URL.
func (s *Server) pageURL(w http.ResponseWriter, r *http.Request) error {
	frame, release, err := s.openResult(r, "addresses")
	defer release()
	if err != nil {
		return err
	}
	id, err := pageID(r)
	if err != nil {
		return err
	}
	v := urlView{resultFrame: frame}
	if v.Page, err = v.result.Page(r.Context(), id); err != nil {
		return err
	}
	v.Title = format.ReadableURL(v.Page.URL)
	v.Tags = []tag{v.decisionTag(v.Page.Decision, v.Page.Status)}
	explanation, _ := report.ExplainDecision(v.texts, v.Page.Decision)
	v.Verdict = explanation.Singular
	if format.IsURL(v.Page.URL) {
		v.Outside = format.Link(v.Page.URL)
	}
	if err := s.addHistory(r.Context(), &v); err != nil {
		return err
	}
	for i := range v.Page.Findings {
		f := &v.Page.Findings[i]
		rule := report.NewRuleText(v.texts, f.Rule.ID)
		kind := report.SeverityTone(f.Severity)
		v.Findings = append(v.Findings, pageFinding{kind, rule.Title, f.Text(v.texts, v.short), rule.Why, rule.Fix})
	}
	v.Facts = v.facts()
	for i := range v.Page.Path {
		step := &v.Page.Path[i]
		link := v.refLink(&step.Ref)
		link.Text = step.Text
		v.Path = append(v.Path, link)
	}
	for _, d := range []struct {
		of    result.Direction
		into  *linkList
		name  string
		query string
	}{{result.In, &v.In, "panel.in", "in"}, {result.Out, &v.Out, "panel.out", "out"}} {
		list, err := v.result.Links(r.Context(), id, d.of, "", shownLinks)
		if err != nil {
			return err
		}
		*d.into = linkList{Name: v.texts.Text(d.name), Total: list.Total, Links: v.links(list.Links)}
		if list.Next != "" {
			d.into.Next = v.href(id) + "/links?direction=" + d.query
		}
	}
	return s.render(w, http.StatusOK, "page", &v.frame, &v)
}

// addHistory adds what the kept crawls of the site say of the page. To a visitor the crawls
// of others are private.
func (s *Server) addHistory(ctx context.Context, v *urlView) error {
	if v.Public {
		return nil
	}
	history, err := s.options.Service.PageHistory(ctx, v.Crawl.Site, v.Page.URL)
	if err != nil || len(history) < 2 {
		return err
	}
	for i := range history {
		past := &history[i]
		row := pastRow{When: past.Crawl.Created, Tag: tag{Name: v.texts.Text("web.history.absent")}}
		if past.Page != nil {
			row.Tag = v.decisionTag(past.Page.Decision, past.Page.Status)
			if past.Crawl.ID != v.Crawl.ID {
				of := resultFrame{Crawl: &past.Crawl}
				row.Href = of.href(past.Page.ID)
			}
		}
		v.History = append(v.History, row)
	}
	return nil
}

// pageID reads the number of a URL.
func pageID(r *http.Request) (int64, error) {
	return readPageID(r.PathValue("page"))
}

func readPageID(text string) (int64, error) {
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil || id < 1 {
		return 0, errNoPage
	}
	return id, nil
}

// facts returns what is known about the page, and what the crawl before knew if there is no history.
func (v *urlView) facts() []view.Fact {
	c, p := v.texts, v.Page
	f := view.Facts{
		Decision: v.decisionTag(p.Decision, p.Status), Conflict: c.Detail(p.Conflict.Split()),
		Status: report.StatusName(p.Status), Reused: p.Reused, Time: p.Time, LastMod: p.LastMod,
		LastModFrom: p.LastModSource, Took: p.Duration, Size: p.Size, MediaType: p.MediaType,
		Rendered:     report.RenderedText(c, p.RenderReason, p.Rendered),
		LastModified: p.LastModified, ETag: p.ETag, Depth: p.Depth, Named: p.Sources,
		Title: p.Title, TitleLength: p.TitleLength, Language: p.Language, Words: p.Words,
	}
	if p.Target != nil {
		target := v.refLink(p.Target)
		target.Tags = []tag{v.decisionTag(p.Target.Decision, p.Target.Status)}
		f.Target = &target
	}
	if p.Decision != string(crawl.ReasonRedirect) || p.Target == nil { // the target is enough
		f.Detail = c.Detail(p.Detail.Split())
	}
	if page := p.Facts; page != nil {
		f.HasPage, f.H1, f.ImagesWithoutAlt = true, page.H1, page.ImagesWithoutAlt
		f.Description, f.DescriptionLength = page.Description, page.DescriptionLength
		f.OpenGraph, f.OpenGraphType, f.JSONLD = page.OpenGraph, page.OpenGraphType, page.JSONLD
	}
	facts := f.List(c)
	if before := p.Previous; before != nil && v.History == nil {
		facts = append(facts, view.Fact{Name: c.Text("web.fact.previous"), Value: c.Date(before.Time),
			Tags: []tag{v.decisionTag(before.Decision, before.Status)}})
	}
	return facts
}

type linksView struct {
	resultFrame
	Name, Back string
	Page       *result.PageDetails
	Exports    []fileLink
	Table      table
	Pager      pager
}

// directionOf returns the direction of links that a query asks for.
func directionOf(query url.Values) result.Direction {
	if query.Get("direction") == "out" {
		return result.Out
	}
	return result.In
}

// pageLinks shows all links to a URL, or all links of it.
func (s *Server) pageLinks(w http.ResponseWriter, r *http.Request) error {
	frame, release, err := s.openResult(r, "addresses")
	defer release()
	if err != nil {
		return err
	}
	id, err := pageID(r)
	if err != nil {
		return err
	}
	v := linksView{resultFrame: frame, Back: frame.href(id)}
	if v.Page, err = v.result.Page(r.Context(), id); err != nil {
		return err
	}
	direction, name := directionOf(r.URL.Query()), "panel.in"
	query := url.Values{"direction": {"in"}}
	if direction == result.Out {
		name, query = "panel.out", url.Values{"direction": {"out"}}
	}
	v.Exports = exportLinks("/crawls/"+v.Crawl.ID+"/export", url.Values{
		"list": {exportLinksOf}, "page": {r.PathValue("page")}, "direction": query["direction"],
	})
	list, err := v.result.Links(r.Context(), id, direction, r.URL.Query().Get("cursor"), rowsOfPage)
	if err != nil {
		return err
	}
	c := v.texts
	v.Name = c.Text(name)
	v.Title = v.Name + " " + format.ReadableURL(v.Page.URL)
	v.Table = table{
		Columns: []column{{Name: c.Text("column.url")}, {Name: c.Text("column.text")}}, Empty: c.Text("script.no-links-here"),
	}
	for i := range list.Links {
		link := &list.Links[i]
		to := v.refLink(&link.Ref)
		to.Tags = []tag{v.decisionTag(link.Decision, link.Status)}
		v.Table.Rows = append(v.Table.Rows, []cell{{Class: "wide", Links: []pageLink{to}}, {Text: link.Text}})
	}
	v.Pager = listAddress{v.Back + "/links", query}.pager(c, list.Part, len(list.Links), list.Total)
	return s.render(w, http.StatusOK, "links", &v.frame, &v)
}
