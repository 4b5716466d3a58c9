package report

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/compare"
)

// WriteDiffText writes the totals, then one line for each change.
func WriteDiffText(ctx context.Context, w io.Writer, d *Diff) error {
	c := d.Texts
	lines := ChangeSummary(c, &d.Counts)
	if d.Counts.Total() > 0 {
		lines = append(lines, "")
	}
	for _, line := range lines {
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	for change, err := range d.Rows(ctx) {
		if err == nil {
			_, err = fmt.Fprintln(w, changeLine(c, change))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// changeLine returns a change as one line.
func changeLine(c *catalog.Catalog, change *compare.Change) string {
	kind := c.Text("change.kind." + string(change.Kind))
	line := kind + " " + visibleURL(change.URL)
	if change.Pages > 0 {
		line = fmt.Sprintf("%s %s %s", kind, visibleURL(change.Template),
			c.Text("change.share", c.Count(int64(change.Pages)), c.Count(int64(change.Of))))
	}
	if text := ChangeText(c, change, "->"); text != "" {
		line += ": " + text
	}
	if len(change.Examples) > 0 {
		line += c.Text("change.examples", visibleURLs(change.Examples))
	}
	return line
}

func visibleURLs(urls []string) string {
	shown := make([]string, len(urls))
	for i := range urls {
		shown[i] = visibleURL(urls[i])
	}
	return strings.Join(shown, " ")
}

// ChangeSummary says in a few sentences how many URLs changed, and how.
func ChangeSummary(c *catalog.Catalog, n *compare.Counts) []string {
	sentence := c.Text("change.nothing")
	var parts []string
	for _, kind := range compare.Kinds {
		if count := *n.Of(kind); count > 0 {
			parts = append(parts, c.Count(int64(count))+" "+c.Text("change."+string(kind)))
		}
	}
	if len(parts) > 0 {
		sentence = strings.Join(parts, ", ")
	}
	return append([]string{sentence}, LeftOutTexts(c, n)...)
}

// LeftOutTexts says how many pages options leave out, and by which decisions.
func LeftOutTexts(c *catalog.Catalog, n *compare.Counts) (texts []string) {
	for _, decision := range slices.Sorted(maps.Keys(n.LeftOut)) {
		texts = append(texts, c.Text("change.left-out", c.Count(int64(n.LeftOut[decision])), DecisionName(c, decision)))
	}
	return texts
}
