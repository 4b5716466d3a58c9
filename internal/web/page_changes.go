package web

import (
	"cmp"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/mapatools/mapa/internal/app/service"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/insight"
	"github.com/mapatools/mapa/internal/report"
	"github.com/mapatools/mapa/internal/result"
)

// A changeList shows what differs between two crawls.
type changeList struct {
	Text    template.HTML
	Notes   []string // which URLs are missing
	Lists   []partLink
	Exports []fileLink
	Table   table
	Pager   pager
}

type changesView struct {
	resultFrame
	changeList
}

// pageChanges shows what changed since the crawl before.
func (s *Server) pageChanges(w http.ResponseWriter, r *http.Request) error {
	frame, release, err := s.openResult(r, "changes")
	defer release()
	if err != nil {
		return err
	}
	v := changesView{resultFrame: frame}
	v.Title = v.texts.Text("web.changes.title") + " · " + v.Crawl.Site
	if v.Overview.Changes == nil {
		if reason := v.Overview.NotCompared; reason != insight.NotComparedOptions {
			v.Table.Empty = v.texts.Text("web.changes." + string(cmp.Or(reason, insight.NotComparedFirst)))
		}
		return s.render(w, http.StatusOK, "changes", &v.frame, &v)
	}
	kind, cursor := r.URL.Query().Get("kind"), r.URL.Query().Get("cursor")
	list, err := v.result.Changes(r.Context(), kind, cursor, rowsOfPage)
	if err != nil {
		return err
	}
	v.changeList = newChangeList(&v.frame, list, r.URL, func(c *result.Change) pageLink {
		link := pageLink{URL: v.short(c.URL)}
		if c.ID > 0 {
			link.Href, link.Panel = v.href(c.ID), true
		}
		return link
	})
	v.Exports = exportLinks("/crawls/"+v.Crawl.ID+"/export", url.Values{"list": {exportChanges}, "kind": {kind}})
	v.Text = markup(v.texts, "web.changes.text", v.Overview.Previous)
	return s.render(w, http.StatusOK, "changes", &v.frame, &v)
}

// A comparisonNote says that a crawl is not compared with the one before, which has other options, and
// links to the comparison.
type comparisonNote struct {
	Text template.HTML
	Href string // empty for those who may not open it
}

// Comparison returns why the crawl is not compared with the one before, or nil.
func (v *resultFrame) Comparison() *comparisonNote {
	o := v.Overview
	if o == nil || o.NotCompared != insight.NotComparedOptions {
		return nil
	}
	note := &comparisonNote{Text: markup(v.texts, "comparison.other-options", o.Previous, o.Flags())}
	if v.caller.role >= roleReader && v.Crawl.Previous != "" {
		note.Href = "/compare?" + url.Values{"old": {v.Crawl.Previous}, "new": {v.Crawl.ID}}.Encode()
	}
	return note
}

// newChangeList returns a part of the changes, with the addresses of the others.
func newChangeList(
	f *frame, list *result.ChangeList, at *url.URL, link func(*result.Change) pageLink,
) changeList {
	c := f.texts
	address := listAddress{at.Path, at.Query()}
	kind, shown := at.Query().Get("kind"), 0
	v := changeList{Table: changeTable(c, list, link), Notes: report.LeftOutTexts(c, &list.Counts)}
	all := 0
	for _, k := range list.Kinds {
		all += k.Count
		current := kind == string(k.Kind)
		if current || kind == "" {
			shown += k.Rows
		}
		v.Lists = append(v.Lists, partLink{Href: address.with("kind", string(k.Kind)),
			Name: format.Capitalize(c.Text("change." + string(k.Kind))), Count: k.Count, Current: current})
	}
	if all > 0 {
		every := partLink{Href: address.with("kind", ""), Name: c.Text("web.changes.all"), Count: all, Current: kind == ""}
		v.Lists = slices.Insert(v.Lists, 0, every)
	}
	if n := list.Counts.Unseen; n > 0 {
		v.Notes = append(v.Notes, c.Text("web.changes.unseen", c.Count(int64(n))))
	}
	v.Pager = address.pager(c, list.Part, len(list.Changes), shown)
	return v
}

func changeTable(c *catalog.Catalog, list *result.ChangeList, link func(*result.Change) pageLink) table {
	t := table{Columns: []column{{Name: c.Text("fact.url")}, {Name: c.Text("web.changes.kind")},
		{Name: c.Text("web.changes.facts")}}, Empty: c.Text("web.changes.none")}
	for i := range list.Changes {
		change := &list.Changes[i]
		address := cell{Class: "half"}
		if change.Pages > 0 {
			address.Text = change.Template
			address.Note = c.Text("change.share", c.Count(int64(change.Pages)), c.Count(int64(change.Of))) +
				c.Text("change.examples", strings.Join(change.Examples, " "))
		} else {
			address.Links = []pageLink{link(change)}
		}
		name := format.Capitalize(c.Text("change." + string(change.Kind)))
		t.Rows = append(t.Rows, []cell{address,
			{Tags: []tag{{Name: name, Kind: report.ChangeTone(change.Kind)}}},
			{Label: c.Text("web.changes.facts"), Text: report.ChangeText(c, &change.Change, "→")}})
	}
	return t
}

type compareView struct {
	frame
	changeList
	Site     string
	Old, New *service.Crawl
}

// pageCompare shows what differs between any two crawls.
func (s *Server) pageCompare(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	v := compareView{frame: s.newFrame(r, "sites")}
	if query.Get("old") == query.Get("new") {
		return badRequest("%s", v.texts.Text("web.compare.choose"))
	}
	var err error
	if v.Old, err = s.options.Service.Crawl(r.Context(), query.Get("old")); err != nil {
		return err
	}
	if v.New, err = s.options.Service.Crawl(r.Context(), query.Get("new")); err != nil {
		return err
	}
	if v.New.Created.Before(v.Old.Created) {
		v.Old, v.New = v.New, v.Old
	}
	v.Site, v.Title = v.New.Site, v.texts.Text("web.compare.title")+" · "+v.New.Site
	comparison, err := s.options.Service.OpenComparison(r.Context(), v.Old.ID, v.New.ID)
	if err != nil {
		return err
	}
	defer comparison.Close()
	list, err := comparison.Changes(r.Context(), query.Get("kind"), query.Get("cursor"), rowsOfPage)
	if err != nil {
		return err
	}
	v.changeList = newChangeList(&v.frame, list, r.URL, func(c *result.Change) pageLink {
		link := pageLink{URL: c.URL}
		if c.ID > 0 {
			link.Href, link.Panel = "/crawls/"+v.New.ID+"/pages/"+strconv.FormatInt(c.ID, 10), true
		}
		return link
	})
	v.Exports = exportLinks("/compare/export", url.Values{
		"old": {v.Old.ID}, "new": {v.New.ID}, "kind": {query.Get("kind")},
	})
	v.Text, v.Table.Empty = markup(v.texts, "web.compare.text"), v.texts.Text("web.compare.none")
	return s.render(w, http.StatusOK, "compare", &v.frame, &v)
}

// exportCompare sends what differs between two crawls as a table or as JSON.
func (s *Server) exportCompare(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	comparison, err := s.options.Service.OpenComparison(r.Context(), query.Get("old"), query.Get("new"))
	if err != nil {
		return err
	}
	defer comparison.Close()
	list := changeRows(catalogOf(r), func(cursor string) (*result.ChangeList, error) {
		return comparison.Changes(r.Context(), query.Get("kind"), cursor, rowsOfExport)
	})
	return s.sendExport(w, r, list.name, list.write)
}
