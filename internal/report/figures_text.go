package report

import (
	"fmt"
	"strings"

	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/figures"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/page"
)

// FiguresText says what exports say of the pages of a crawl, for people: a paragraph for each.
func FiguresText(c *catalog.Catalog, about *figures.About, exports []figures.Export) string {
	t := figuresText{c: c, about: about}
	for i := range exports {
		t.export(&exports[i])
	}
	return t.String()
}

// A figuresText is a text about exports in the language of a catalog.
type figuresText struct {
	strings.Builder
	c     *catalog.Catalog
	about *figures.About
}

// export adds a paragraph about an export.
func (t *figuresText) export(e *figures.Export) {
	t.WriteString(format.Printable(t.title(e)+" ("+e.Name+")") + "\n")
	if e.Kind == figures.KindIndex && !e.Older {
		for _, reason := range t.about.Reasons {
			if reason.Scope == e.Scope && reason.Pages > 0 {
				fmt.Fprintf(t, "  %9s %s\n", t.c.Count(reason.Pages), format.Printable(page.IndexReasonText(t.c, reason.Reason)))
			}
		}
	}
	for _, note := range t.notes(e) {
		t.WriteString("  " + format.Printable(note) + "\n")
	}
	if n := e.Rows - e.Matched; n > 0 && len(e.Unmatched) > 0 {
		t.WriteString("  ")
		t.WriteString(t.c.Plural("figures.unmatched", int64(n)) + "\n")
		for _, url := range e.Unmatched {
			t.WriteString("    " + format.Printable(url) + "\n")
		}
	}
}

// title says what an export is about.
func (t *figuresText) title(e *figures.Export) string {
	switch e.Kind {
	case figures.KindIndex:
		scope := scopeName(t.c, e.Scope)
		if e.Indexed+e.NotIndexed == 0 {
			return t.c.Text("figures.index.reasons", scope, e.Until)
		}
		return t.c.Text("figures.index", scope, e.Until, t.c.Count(e.Indexed), t.c.Count(e.NotIndexed))
	case figures.KindReason:
		switch {
		case e.NoReason:
			return t.c.Text("figures.reason.none", e.Until)
		case e.Reason == "":
			return t.c.Text("figures.reason.indexed", e.Until)
		}
		return t.c.Text("figures.reason", page.IndexReasonText(t.c, e.Reason), e.Until)
	case figures.KindSearch:
		engine := map[string]string{figures.Google: "Google", figures.Bing: "Bing"}[e.Engine]
		return t.c.Text("figures.search", engine, e.Period(), t.c.Count(e.Clicks), t.c.Count(e.Impressions))
	}
	return t.c.Text("figures.table")
}

// scopeName returns what an index covers.
func scopeName(c *catalog.Catalog, scope string) string {
	switch scope {
	case "":
		return c.Text("figures.index.scope.none")
	case figures.ScopeAll:
		return c.Text("figures.index.scope.all")
	case figures.ScopeSubmitted:
		return c.Text("figures.index.scope.submitted")
	}
	return scope
}

// notes say how much of an export was used.
func (t *figuresText) notes(e *figures.Export) (notes []string) {
	add := func(is bool, key string, arguments ...any) {
		if is {
			notes = append(notes, t.c.Text(key, arguments...))
		}
	}
	isIndex := e.Kind == figures.KindIndex
	add(e.Older && isIndex, "figures.older.days")
	add(e.Older && !isIndex, "figures.older")
	add(!e.Older && !isIndex, "figures.rows", t.c.Count(int64(e.Matched)), t.c.Count(int64(e.Rows)))
	add(!e.Older && e.Rows > 0 && e.Matched == 0, "figures.no-match")
	if e.Skipped > 0 {
		notes = append(notes, t.c.Plural("figures.skipped", int64(e.Skipped)))
	}
	add(e.FileDate && e.Kind != figures.KindTable, "figures.file-date")
	add(e.ByShape, "figures.by-shape")
	add(e.Filtered != "", "figures.filtered", e.Filtered)
	isListed := e.Pages > int64(e.Rows)
	add(e.Cut && isListed, "figures.cut.pages", t.c.Count(e.Pages), t.c.Count(int64(e.Rows)))
	add(e.Cut && !isListed, "figures.cut")
	return notes
}
