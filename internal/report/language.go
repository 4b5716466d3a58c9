package report

// count returns a number in the language of the report.
func (g *pageReport) count(n int) string { return g.catalog.Count(int64(n)) }

// scriptTexts returns the texts of the script by their keys without "script.", and the
// names of columns by their full keys.
func (g *pageReport) scriptTexts() map[string]string {
	texts := g.catalog.WithPrefix("script.")
	for key, name := range g.catalog.WithPrefix("column.") {
		texts["column."+key] = name
	}
	return texts
}
