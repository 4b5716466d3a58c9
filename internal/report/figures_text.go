package report

import (
	"fmt"
	"slices"
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
	t.WriteString(format.Printable(t.title(e)) + "\n")
	if e.Kind == figures.KindIndex {
		for _, reason := range t.about.Reasons {
			if reason.Scope == e.Scope && reason.Pages > 0 && !e.Older {
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

// exportTitle says what an export is about.
func (t *figuresText) title(e *figures.Export) string {
	switch e.Kind {
	case figures.KindIndex:
		scope := scopeName(t.c, e.Scope)
		day := slices.IndexFunc(t.about.Days, func(d figures.Day) bool { return d.Scope == e.Scope && d.Day == e.Until })
		if day < 0 {
			return t.c.Text("figures.index.reasons", scope, e.Until)
		}
		d := &t.about.Days[day]
		return t.c.Text("figures.index", scope, e.Until, t.c.Count(d.Indexed), t.c.Count(d.NotIndexed))
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
	return t.c.Text("figures.table", e.Name)
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

// exportNotes say how much of an export was used.
func (t *figuresText) notes(e *figures.Export) (notes []string) {
	if e.Older {
		notes = append(notes, t.c.Text("figures.older"))
	} else if e.Kind != figures.KindIndex {
		notes = append(notes, t.c.Plural("figures.rows", int64(e.Rows), t.c.Count(int64(e.Matched))))
	}
	if e.Rows > 0 && e.Matched == 0 && !e.Older {
		notes = append(notes, t.c.Text("figures.no-match"))
	}
	if e.Skipped > 0 {
		notes = append(notes, t.c.Plural("figures.skipped", int64(e.Skipped)))
	}
	if e.ByShape {
		notes = append(notes, t.c.Text("figures.by-shape"))
	}
	if e.Filtered != "" {
		notes = append(notes, t.c.Text("figures.filtered", e.Filtered))
	}
	if e.Cut {
		notes = append(notes, t.c.Text("figures.cut"))
	}
	return notes
}
