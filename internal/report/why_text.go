package report

import (
	"fmt"
	"strings"

	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/page"
)

// In returns the explanation as lines for a terminal, in the language of a catalog. The decision
// is named as --reason of mapa report takes it.
func (w *Why) In(c *catalog.Catalog) string {
	var t strings.Builder
	fmt.Fprintln(&t, format.Printable(format.ReadableURL(w.URL)))
	if w.Orphan {
		fmt.Fprintf(&t, "  %s\n", c.Text("why.orphan"))
		return t.String()
	}
	if !w.Found {
		fmt.Fprintf(&t, "  %s\n", c.Text("why.unknown"))
		return t.String()
	}
	decision := w.page.Decision()
	switch {
	case page.IsListed(&w.page.Record):
		fmt.Fprintf(&t, "  %s\n", c.Text("why.listed"))
	case decision == page.Waiting && w.page.Detail() != "":
		fmt.Fprintf(&t, "  %s\n", c.Text("why.waiting.again"))
	case decision == page.Waiting:
		fmt.Fprintf(&t, "  %s\n", c.Text("why.waiting"))
	default:
		fmt.Fprintf(&t, "  %s\n", c.Text("why.not-listed", format.Printable(string(decision))))
	}
	if w.loss != nil {
		fmt.Fprintf(&t, "  %s\n", c.Text("why.loss", c.Date(w.loss.Since)))
	}
	w.writeFacts(&t, c)
	w.writePath(&t, c)
	return t.String()
}

type whyLine struct{ name, value string }

// writeFacts writes what the decision means, and the facts that are known.
func (w *Why) writeFacts(t *strings.Builder, c *catalog.Catalog) {
	lines := []whyLine{{c.Text("why.meaning"), page.Explain(c, w.page.Decision()).Singular}}
	if w.ended {
		lines = append(lines, whyLine{c.Text("fact.detail"), c.Text("why.ended")})
	}
	for _, f := range page.In(page.Why) {
		value := f.Words(c, &w.page)
		switch {
		case f.Key == "detail" && value == w.page.TargetURL:
			continue
		case f.Key == "target" && w.failure != nil:
			value = c.Text("why.broken", value, w.failure.In(c))
		}
		lines = append(lines, whyLine{f.Name(c), value})
	}
	width := 0
	for _, line := range lines {
		width = max(width, len([]rune(line.name))*min(1, len(line.value)))
	}
	for _, line := range lines {
		if line.value != "" {
			fmt.Fprintf(t, "  %-*s  %s\n", width, line.name, format.Printable(line.value))
		}
	}
}

// writePath writes the path from the start, or who names a URL that no links lead to.
func (w *Why) writePath(t *strings.Builder, c *catalog.Catalog) {
	switch link := &w.page.Link; {
	case link.OnlyEarlier() && link.From == 0:
		fmt.Fprintf(t, "  %s\n", c.Text("why.earlier"))
		return
	case link.OnlyEarlier():
		fmt.Fprintf(t, "  %s\n", c.Text("why.earlier.target"))
		return
	case len(w.Path) == 0:
		fmt.Fprintf(t, "  %s\n", c.Text("why.no-path"))
		return
	}
	fmt.Fprintln(t, c.Text("why.path"))
	for _, step := range w.Path {
		fmt.Fprintf(t, "  %s", format.Printable(step.URL))
		if step.By != "" {
			fmt.Fprintf(t, "  (%s)", format.Printable(step.By))
		}
		if step.Text != "" {
			fmt.Fprintf(t, "  “%s”", format.Printable(step.Text))
		}
		t.WriteByte('\n')
	}
}
