package web

import (
	"cmp"
	"context"

	"github.com/mapatools/mapa/internal/insight"
	"github.com/mapatools/mapa/internal/report"
	"github.com/mapatools/mapa/internal/result"
)

// ruleBroken is the rule whose findings are listed by what is broken, or by the page to edit.
const ruleBroken = "link-broken"

// brokenLinks is a part of the broken links. Groupings lead to both ways to list them.
type brokenLinks struct {
	Groupings []partLink
	Entries   []brokenEntry
	Empty     string
}

// A brokenEntry is a URL that is broken with the pages that link to it, or a page with the broken links on it.
type brokenEntry struct {
	Tag      *tag // the answer of a URL that is broken
	Name     string
	Link     pageLink // instead of a name
	Redirect string   // where the URL leads to
	Where    string   // who links to it, or how many links the page has
	Text     string   // of a link that is in the template
	Rows     []brokenRow
	Rest     int    // rows that are not shown
	All      string // the address of all rows
	Ignore   string // the address of the form that ignores a URL that is broken, or empty
}

// A brokenRow is a page with a link, or a broken link with its answer.
type brokenRow struct {
	Tag  *tag
	Link pageLink
}

// newBrokenLinks returns a list without entries, by page or else by what is broken.
func (v *resultFrame) newBrokenLinks(at listAddress, byPage bool) *brokenLinks {
	return &brokenLinks{Empty: v.texts.Text("script.no-matches"), Groupings: []partLink{
		{Href: at.with("by", ""), Name: v.texts.Text("web.broken.by-target"), Current: !byPage},
		{Href: at.with("by", "page"), Name: v.texts.Text("web.broken.by-page"), Current: byPage},
	}}
}

// brokenTarget returns the entry of a URL that is broken.
func (v *resultFrame) brokenTarget(f *insight.Finding) brokenEntry {
	link, answer := v.brokenLink(f), v.answerTag(f)
	e := brokenEntry{Tag: &answer, Link: link, Redirect: v.redirectText(f), Ignore: v.ignoreHref(f, f.Other > 0)}
	if f.Other == 0 {
		e.Where = v.texts.Text("web.broken.unlinked")
		return e
	}
	e.All = v.href(int64(f.Other)) + "/links?direction=in"
	if f.InTemplate(v.Overview.Pages) {
		e.Where = v.texts.Plural("web.broken.template", int64(f.Places))
		e.Text = v.quote(f.Place().Text)
		return e
	}
	e.Where = v.texts.Plural("web.broken.pages", int64(f.Places))
	for _, place := range f.First {
		page := v.linkTo(place.ID, place.URL)
		page.Text = v.quote(place.Text)
		e.Rows = append(e.Rows, brokenRow{Link: page})
	}
	e.Rest = f.Places - len(e.Rows)
	return e
}

// addBrokenPages adds a part of the pages with broken links, after the template of the pages.
func (v *findingsView) addBrokenPages(
	ctx context.Context, at listAddress, by result.FindingFilter, cursor string,
) error {
	list, err := v.result.FindingsByPage(ctx, by, cursor, rowsOfPage)
	if err != nil {
		return err
	}
	v.Broken = v.newBrokenLinks(at, true)
	add := func(e brokenEntry, findings []insight.Finding, total int) {
		for i := range findings {
			e.Rows = append(e.Rows, v.brokenRow(&findings[i]))
		}
		e.Where = v.texts.Plural("web.broken.links", int64(total))
		e.Rest = total - len(findings)
		v.Broken.Entries = append(v.Broken.Entries, e)
	}
	if list.TemplateTotal > 0 {
		e := brokenEntry{Name: v.texts.Text("web.broken.template-page"), All: at.with("by", "")}
		add(e, list.Template, list.TemplateTotal)
	}
	for i := range list.Pages {
		page := &list.Pages[i]
		add(brokenEntry{Link: v.linkTo(page.ID, page.URL), All: v.href(int64(page.ID))}, page.Findings, page.Total)
	}
	at.query.Set("by", "page")
	v.Pager = at.pager(v.texts, list.Part, len(list.Pages), list.Total)
	return nil
}

// brokenRow returns the row of a link on a page.
func (v *resultFrame) brokenRow(f *insight.Finding) brokenRow {
	answer := v.answerTag(f)
	if f.Other == 0 {
		return brokenRow{&answer, pageLink{Text: v.texts.Text("web.broken.unlinked")}}
	}
	link := v.brokenLink(f)
	link.Text = v.quote(f.Place().Text)
	return brokenRow{&answer, link}
}

// brokenLink returns the link to what is known of a URL that is broken.
func (v *resultFrame) brokenLink(f *insight.Finding) pageLink {
	return v.linkTo(cmp.Or(f.Other, f.Page), cmp.Or(f.OtherURL, f.URL))
}

// answerTag returns the answer of a URL that is broken: the status, or why there was none.
func (v *resultFrame) answerTag(f *insight.Finding) tag {
	return tag{Name: f.Why().In(v.texts), Kind: report.SeverityTone(f.Severity)}
}

// redirectText says where a URL leads to that is a redirect to one that is broken.
func (v *resultFrame) redirectText(f *insight.Finding) string {
	end, is := f.RedirectEnd()
	if !is {
		return ""
	}
	return v.texts.Text("web.broken.redirect", v.short(end))
}

// quote returns the text of a link in quotation marks.
func (v *resultFrame) quote(text string) string {
	if text == "" {
		return v.texts.Text("web.broken.no-text")
	}
	return v.texts.Text("web.broken.quote", text)
}
