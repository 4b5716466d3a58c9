package report

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/format"
)

// In returns the explanation as lines for a terminal, in the language of a catalog. The decision
// is named as --reason of mapa report takes it.
func (w *Why) In(c *catalog.Catalog) string {
	var t strings.Builder
	fmt.Fprintln(&t, format.Printable(w.URL))
	if w.Orphan {
		fmt.Fprintf(&t, "  %s\n", c.Text("why.orphan"))
		return t.String()
	}
	if !w.Found {
		fmt.Fprintf(&t, "  %s\n", c.Text("why.unknown"))
		return t.String()
	}
	switch {
	case w.Listed:
		fmt.Fprintf(&t, "  %s\n", c.Text("why.listed"))
	case w.Decision == string(Waiting) && w.detail != "":
		fmt.Fprintf(&t, "  %s\n", c.Text("why.waiting.again"))
	case w.Decision == string(Waiting):
		fmt.Fprintf(&t, "  %s\n", c.Text("why.waiting"))
	default:
		fmt.Fprintf(&t, "  %s\n", c.Text("why.not-listed", format.Printable(w.Decision)))
	}
	for _, line := range w.lines(c) {
		if line.value != "" {
			fmt.Fprintf(&t, "  %-10s %s\n", c.Text(line.key), format.Printable(line.value))
		}
	}
	w.writePath(&t, c)
	return t.String()
}

type whyLine struct{ key, value string }

// lines returns the names of facts and their values. An unknown value is empty.
func (w *Why) lines(c *catalog.Catalog) []whyLine {
	detail, target, status, lastmod := c.Detail(w.detail.Split()), w.Target, "", ""
	switch {
	case w.ended:
		detail = c.Text("why.ended")
	case w.Detail == w.Target:
		detail = ""
	}
	if w.failure != nil {
		target = c.Text("why.broken", w.Target, w.failure.In(c))
	}
	if w.Status > 0 {
		status = strings.TrimSpace(strconv.Itoa(w.Status) + " " + w.MediaType)
	}
	if w.LastMod != "" {
		lastmod = fmt.Sprintf("%s (%s)", w.LastMod, w.LastModSource)
	} else if w.LastModSource == crawl.LastModResponseTime {
		lastmod = c.Text("why.lastmod.none")
	}
	return []whyLine{
		{"why.meaning", ExplainIn(c, w.reason).Singular}, {"why.because", detail}, {"why.target", target},
		{"why.conflict", c.Detail(w.conflict.Split())}, {"why.status", status},
		{"why.rendered", RenderedText(c, w.RenderReason, w.rendered)}, {"why.title", w.Title},
		{"why.lastmod", lastmod}, {"why.named", strings.Join(w.Sources, ", ")},
		{"why.linked", c.Plural("verdict.pages", int64(w.Links))},
	}
}

// writePath writes the path from the start.
func (w *Why) writePath(t *strings.Builder, c *catalog.Catalog) {
	if len(w.Path) == 0 {
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
