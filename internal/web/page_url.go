package web

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/page"
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
	Findings []view.PageFinding
	Facts    []view.Fact
	Steps    []pageLink // from the start
	History  []pastRow  // nil unless there are several crawls
	In, Out  *view.Links
}

// A pastRow is what a crawl says of a page. Href leads to what it knows, or is empty.
type pastRow struct {
	When time.Time
	Href string
	Tag  tag
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
	v.Title = format.ReadableURL(v.Page.Link.URL)
	v.Tags = []tag{view.DecisionTag(v.texts, v.Page.Decision(), v.Page.Page.Page.Status)}
	v.Verdict = page.Explain(v.texts, v.Page.Decision()).Singular
	if format.IsURL(v.Page.Link.URL) {
		v.Outside = format.Link(v.Page.Link.URL)
	}
	if err := s.addHistory(r.Context(), &v); err != nil {
		return err
	}
	for i := range v.Page.Findings {
		f := &v.Page.Findings[i]
		rule := report.NewRuleText(v.texts, f.Rule.ID)
		kind := report.SeverityTone(f.Severity)
		v.Findings = append(v.Findings, view.PageFinding{
			Kind: kind, Title: rule.Title, Text: v.findingText(f), Why: rule.Why, Fix: rule.Fix, Ignore: v.ignoreHref(f, false),
		})
	}
	v.Facts = v.facts()
	for i := range v.Page.Path {
		step := &v.Page.Path[i]
		link := v.linkTo(step.ID, step.URL)
		link.Text = format.Plain(step.Text)
		v.Steps = append(v.Steps, link)
	}
	if v.In, err = v.firstLinks(r.Context(), id, result.In, "in"); err != nil {
		return err
	}
	if v.Out, err = v.firstLinks(r.Context(), id, result.Out, "out"); err != nil {
		return err
	}
	return s.render(w, http.StatusOK, "page", &v.frame, &v)
}

// firstLinks returns the beginning of the links to a page or from it.
func (v *urlView) firstLinks(ctx context.Context, id int64, of result.Direction, slot string) (*view.Links, error) {
	list, err := v.result.Links(ctx, id, of, "", shownLinks)
	if err != nil {
		return nil, err
	}
	links := &view.Links{Slot: slot, Total: list.Total, Shown: v.links(list.Links)}
	if list.Next != "" {
		links.Next = v.href(id) + "/links?direction=" + slot
	}
	return links, nil
}

// addHistory adds what the kept crawls of the site say of the page. To a visitor the crawls
// of others are private.
func (s *Server) addHistory(ctx context.Context, v *urlView) error {
	if v.Public {
		return nil
	}
	history, err := s.options.Service.PageHistory(ctx, v.Crawl.Site, v.Page.Link.URL)
	if err != nil || len(history) < 2 {
		return err
	}
	for i := range history {
		past := &history[i]
		row := pastRow{When: past.Crawl.When(), Tag: tag{Name: v.texts.Text("web.history.absent")}}
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
	c, target := v.texts, (*pageLink)(nil)
	if to := v.Page.Target; to != nil {
		link := v.refLink(to)
		link.Tags = []tag{v.decisionTag(to.Decision, to.Status)}
		target = &link
	}
	facts := view.Facts(c, v.Page.Page, target)
	if before := v.Page.Previous; before != nil && v.History == nil {
		facts = append(facts, view.Fact{Name: c.Text("web.fact.previous"), Value: c.Date(before.Page.Time),
			Tags: []tag{view.DecisionTag(c, before.Decision(), before.Page.Status)}})
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
	v.Title = v.Name + " " + format.ReadableURL(v.Page.Link.URL)
	v.Table = table{
		Columns: []column{{Name: c.Text("fact.url")}, {Name: c.Text("column.text")}}, Empty: c.Text("script.no-links-here"),
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
