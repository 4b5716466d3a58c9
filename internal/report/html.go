package report

import (
	"bufio"
	"context"
	_ "embed"
	"html/template"
	"io"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/compare"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/store"
	"github.com/mapatools/mapa/internal/urlnorm"
	"github.com/mapatools/mapa/internal/view"
)

//go:embed layout.css
var layoutStyle string

func crawlStyle() string { return view.Style() + layoutStyle }

//go:embed script/data.js
var dataScript string

//go:embed script/elements.js
var elementsScript string

//go:embed script/list.js
var listScript string

//go:embed script/panel.js
var panelScript string

//go:embed script/parts.js
var partsScript string

// crawlScript is the script of the page. Each of its parts uses those before it.
func crawlScript() string {
	return "(() => {\n\"use strict\";\n" + dataScript + elementsScript + listScript + panelScript + partsScript + "})();\n"
}

//go:embed page.html
var crawlPage string

// crawlTemplate returns the template of the page with the texts of a language.
func crawlTemplate(c *catalog.Catalog) *template.Template {
	return template.Must(view.Blocks(c).Parse(crawlPage))
}

// crawlPolicy lets the page run its own script as well.
func crawlPolicy() string {
	return format.StylePolicy(crawlStyle()) + "; script-src " + format.HashSource(crawlScript())
}

// english returns the texts of the formats that are written in English only.
func english() *catalog.Catalog { return catalog.For(catalog.English) }

// HTMLOptions is how to write the report. The zero value is ready to use.
type HTMLOptions struct {
	// Language is the language of the report, English if empty.
	Language catalog.Language
	// Sitemap is the file name of the sitemap, or empty.
	Sitemap string
	// Changes since the previous crawl, which began at Previous; nil unless it is compared with one.
	Changes  *compare.Counts
	Previous time.Time
	// Brief leaves out the listed pages and all links, which takes a sixth of the time of a large crawl, and says so.
	Brief bool
}

// WriteHTML writes the whole report as one self-contained page. Nil options are the defaults. For a very large crawl
// the page shows the URLs that a browser can handle and says so. Its counts cover all URLs.
func WriteHTML(ctx context.Context, file *store.File, w io.Writer, options *HTMLOptions) error {
	if options == nil {
		options = &HTMLOptions{}
	}
	g, err := newPageReport(ctx, file, options)
	if err != nil {
		return err
	}
	v, err := g.pageData(ctx)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(w, 64<<10)
	page := crawlTemplate(g.catalog)
	if err := page.ExecuteTemplate(out, "page", v); err != nil {
		return err
	}
	out.WriteString("<script type=\"application/json\" id=\"data\">")
	if err := g.writeData(ctx, &dataWriter{out: out}); err != nil {
		return err
	}
	out.WriteString("</script>\n")
	if err := page.ExecuteTemplate(out, "panels", v); err != nil {
		return err
	}
	out.WriteString("<script>" + crawlScript() + "</script>\n</body>\n</html>\n")
	return out.Flush()
}

// pageReport holds the contents of the page.
type pageReport struct {
	file     *store.File
	overview *Overview
	catalog  *catalog.Catalog
	brief    bool // most of what grows with the site is left out
	lists    map[ruleKey]*ruleList
	rows     *rowTable
	columns  []*column
	added    int // URLs in the columns before they are arranged
	parts    []part
	tree     []store.Folder
	folders  []string            // of the filter
	samples  map[crawl.ID]*panel // those that are readable without JavaScript
}

func newPageReport(ctx context.Context, file *store.File, options *HTMLOptions) (*pageReport, error) {
	g := &pageReport{file: file, catalog: catalog.For(options.Language), brief: options.Brief}
	err := g.readFindings(ctx)
	if err != nil {
		return nil, err
	}
	if g.overview, err = ReadOverview(ctx, file, options); err != nil {
		return nil, err
	}
	if g.tree, err = file.LargestFolders(ctx, maxFolders+1); err != nil {
		return nil, err
	}
	g.tree = g.tree[min(1, len(g.tree)):] // after that of all origins
	g.columns = g.newColumns()
	if g.rows, err = g.chooseRows(ctx); err != nil {
		return nil, err
	}
	g.parts, g.folders = g.findingParts(), g.findFolders()
	return g, nil
}

// writeData writes the data of the script, and adds links to the samples.
func (g *pageReport) writeData(ctx context.Context, d *dataWriter) error {
	d.out.WriteByte('{')
	for _, member := range []struct {
		name  string
		value any
	}{
		{"texts", g.scriptTexts()}, {"origin", g.origin()}, {"separator", string(g.catalog.ListSeparator())},
		{"parts", g.parts}, {"hasLinks", !g.brief}, {"folders", g.folders}, {"tree", g.branches()},
	} {
		if err := d.value(member.name, member.value); err != nil {
			return err
		}
	}
	if err := d.columns(g.columns); err != nil {
		return err
	}
	if err := d.pageLinks(ctx, g); err != nil {
		return err
	}
	d.out.WriteByte('}')
	return nil
}

// scriptTexts returns the texts of the script by their keys without "script.", and others by
// their full keys.
func (g *pageReport) scriptTexts() map[string]string {
	texts := g.catalog.WithPrefix("script.")
	for _, prefix := range []string{"column.", "filter.", "panel."} {
		for key, name := range g.catalog.WithPrefix(prefix) {
			texts[prefix+key] = name
		}
	}
	return texts
}

// branches returns the folders for the script: level, name and numbers.
func (g *pageReport) branches() [][]any {
	branches := [][]any{}
	for _, f := range g.tree {
		branches = append(branches, []any{f.Level - 1, f.Name, f.Total, f.Listed, f.Broken})
	}
	return branches
}

// count returns a number in the language of the report.
func (g *pageReport) count(n int) string { return g.catalog.Count(int64(n)) }

// origin returns the scheme and host of the start. The report leaves them out of URLs.
func (g *pageReport) origin() string { return urlnorm.Origin(format.Plain(g.file.Meta().Start)) }
