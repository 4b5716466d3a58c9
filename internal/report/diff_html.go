package report

import (
	"context"
	_ "embed"
	"html/template"
	"io"
	"sync"

	"github.com/mapatools/mapa/internal/compare"
	"github.com/mapatools/mapa/internal/format"
)

//go:embed diff.css
var diffStyle string

//go:embed diff.html
var diffPage string

var diffTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("diff").Funcs(template.FuncMap{
		"shown":  visibleURL,
		"words":  func(c compare.Change) string { return changeWords(&c, "→") },
		"linked": format.IsURL,
		"link":   format.Link,
	}).Parse(diffPage))
})

// maxDiffChanges is the number of changes of a kind that the page shows. It counts the
// rest.
const maxDiffChanges = 2000

// diffSection is the part of the page for one kind of change.
type diffSection struct {
	Kind    compare.Kind
	Title   string
	Count   int
	Changes []compare.Change
}

// More returns the number of changes that are not shown.
func (s *diffSection) More() int { return s.Count - len(s.Changes) }

// WriteDiffHTML writes a self-contained page with the first 2,000 changes of each kind.
func WriteDiffHTML(ctx context.Context, w io.Writer, c *compare.Comparison) (bool, error) {
	sections := make([]*diffSection, len(compare.Kinds))
	byKind := make(map[compare.Kind]*diffSection)
	for i, kind := range compare.Kinds {
		sections[i] = &diffSection{Kind: kind, Title: kindNames[kind]}
		byKind[kind] = sections[i]
	}
	total := 0
	for change, err := range c.Changes(ctx) {
		if err != nil {
			return false, err
		}
		total++
		section := byKind[change.Kind]
		section.Count++
		if len(section.Changes) < maxDiffChanges {
			section.Changes = append(section.Changes, change)
		}
	}
	return total > 0, diffTemplate().Execute(w, map[string]any{
		"Policy":   format.StylePolicy(diffStyle),
		"Style":    template.CSS(diffStyle),
		"Old":      c.Old.Location,
		"New":      c.New.Location,
		"Sections": sections,
		"Total":    total,
		"Unseen":   c.Unseen,
	})
}
