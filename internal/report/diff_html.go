package report

import (
	"context"
	_ "embed"
	"html/template"
	"io"

	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/compare"
	"github.com/mapatools/mapa/internal/format"
)

//go:embed diff.css
var diffStyle string

//go:embed diff.html
var diffPage string

// diffTemplate returns the page in the language of a catalog.
func diffTemplate(c *catalog.Catalog) *template.Template {
	return template.Must(template.New("diff").Funcs(c.Functions()).Funcs(template.FuncMap{
		"shown":  visibleURL,
		"words":  func(change *compare.Change) string { return ChangeText(c, change, "→") },
		"linked": format.IsURL,
		"link":   format.Link,
	}).Parse(diffPage))
}

// maxDiffChanges is the number of changes of a kind that the page shows. It counts the
// rest.
const maxDiffChanges = 2000

// diffSection is the part of the page for one kind of change.
type diffSection struct {
	Kind    compare.Kind
	Title   string
	Count   int
	Rows    int // changes: one may be that of many URLs
	Changes []*compare.Change
}

// More returns the number of changes that are not shown.
func (s *diffSection) More() int { return s.Rows - len(s.Changes) }

// WriteDiffHTML writes a self-contained page with the first 2,000 changes of each kind.
func WriteDiffHTML(ctx context.Context, w io.Writer, d *Diff) error {
	c := d.Texts
	sections := make([]*diffSection, len(compare.Kinds))
	byKind := make(map[compare.Kind]*diffSection)
	for i, kind := range compare.Kinds {
		sections[i] = &diffSection{Kind: kind, Title: c.Text("change." + string(kind)), Count: *d.Counts.Of(kind)}
		byKind[kind] = sections[i]
	}
	for change, err := range d.Rows(ctx) {
		if err != nil {
			return err
		}
		section := byKind[change.Kind]
		section.Rows++
		if len(section.Changes) < maxDiffChanges {
			section.Changes = append(section.Changes, change)
		}
	}
	return diffTemplate(c).Execute(w, map[string]any{
		"Language": c.Language(),
		"Policy":   format.StylePolicy(diffStyle),
		"Style":    template.CSS(diffStyle),
		"Old":      d.Old,
		"New":      d.New,
		"Sections": sections,
		"Summary":  ChangeSummary(c, &d.Counts),
		"Total":    d.Counts.Total(),
		"Unseen":   d.Counts.Unseen,
	})
}
