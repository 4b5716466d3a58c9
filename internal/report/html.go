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

//go:embed script/main.js
var mainScript string

// crawlScript is the script of the page. Each of its parts uses those before it.
func crawlScript() string {
	return "(() => {\n\"use strict\";\n" + dataScript + elementsScript + listScript + panelScript + partsScript +
		mainScript + "})();\n"
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

// HTMLOptions is how to write the report. The zero value is ready to use.
type HTMLOptions struct {
	// Language is the language of the report, English if empty.
	Language catalog.Language
	// Sitemap is the file name of the sitemap, or empty.
	Sitemap string
	// Changes since the previous crawl, which began at Previous; nil without one.
	Changes  *compare.Counts
	Previous time.Time
	// Brief leaves out all that grows with the number of URLs, which takes a sixth of
	// the time of a large crawl, and says so.
	Brief bool
}

// WriteHTML writes the whole report as one self-contained page. Nil options are the
// defaults. For a very large
// crawl the page shows the URLs that a browser can handle and says so. Its counts
// cover all URLs.
func WriteHTML(ctx context.Context, file *store.File, w io.Writer, options *HTMLOptions) error {
	if options == nil {
		options = &HTMLOptions{}
	}
	g, err := newPageReport(ctx, file, options)
	if err != nil {
		return err
	}
	var panels []*panel
	g.samples, panels = g.newSamples()
	g.fillSamples()
	out := bufio.NewWriterSize(w, 64<<10)
	v := g.pageData()
	v.Panels = panels
	page := crawlTemplate(g.catalog)
	if err := page.ExecuteTemplate(out, "page", v); err != nil {
		return err
	}
	out.WriteString("<script type=\"application/json\" id=\"data\">")
	if err := g.writeData(ctx, file, &dataWriter{out: out}); err != nil {
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
	Analysis
	overview *Overview
	catalog  *catalog.Catalog
	brief    bool // most of what grows with the site is left out
	lists    map[ruleKey]*ruleList
	rows     *rowTable
	parts    []part
	folders  []string
	samples  map[crawl.ID]*panel // those that are readable without JavaScript
}

func newPageReport(ctx context.Context, file *store.File, options *HTMLOptions) (*pageReport, error) {
	g := &pageReport{Analysis: Analysis{file: file}, catalog: catalog.For(options.Language), brief: options.Brief}
	if err := g.readFindings(ctx); err != nil {
		return nil, err
	}
	readRows := g.readRows
	if g.brief {
		readRows = g.readBriefRows
	}
	err := readRows(ctx)
	if err != nil {
		return nil, err
	}
	if g.overview, err = g.Overview(ctx, options); err != nil {
		return nil, err
	}
	g.parts, g.folders = g.findingParts(), g.findFolders()
	return g, nil
}

// readRows reads the whole crawl, and as many URLs as fit.
func (g *pageReport) readRows(ctx context.Context) error {
	err := g.read(ctx, func(pagePair) error { return nil }, func(*Entry) error { return nil })
	if err != nil {
		return err
	}
	want := make([]bool, len(g.web.depth)) // by ID: the report refers to the URL
	g.wanted(func(id crawl.ID) {
		if id > 0 && int(id) < len(want) {
			want[id] = true
		}
	})
	g.rows, err = newRowTable(ctx, &g.Analysis, want, g.catalog)
	return err
}

// writeData writes the data of the script, and adds links to the samples.
func (g *pageReport) writeData(ctx context.Context, file *store.File, d *dataWriter) error {
	reasons, names := []crawl.Reason{}, [][4]string{}
	for _, line := range sortReasons(g.totals.reasons) {
		reasons = append(reasons, line.Reason)
		tag := DecisionTag(g.catalog, DecisionName(line.Reason), 0)
		names = append(names, [4]string{DecisionName(line.Reason), tag.Name, tag.Text, tag.Kind})
	}
	d.out.WriteByte('{')
	for _, value := range []struct {
		name  string
		value any
	}{
		{"texts", g.scriptTexts()}, {"reasons", names}, {"statuses", g.statusNames()}, {"origin", g.origin()},
		{"separator", string(g.catalog.ListSeparator())},
		{"parts", g.parts}, {"hasLinks", !g.brief}, {"addressColumns", g.addressColumns()}, {"folders", g.folders},
	} {
		if err := d.value(value.name, value.value); err != nil {
			return err
		}
	}
	d.rows(g.rows, reasons)
	if err := d.tree("tree", g.totals.tree.branches()); err != nil {
		return err
	}
	if err := d.pageLinks(ctx, file, g); err != nil {
		return err
	}
	d.out.WriteByte('}')
	return nil
}

// statusNames returns the names of the statuses of all rows, and whether a name takes the place of that of a
// decision.
func (g *pageReport) statusNames() map[int]statusName {
	names := map[int]statusName{}
	for i := range g.rows.rows {
		status := int(g.rows.rows[i].status)
		names[status] = statusName{StatusName(status), saysMore(status)}
	}
	return names
}

// A statusName is the name of a status, for the script.
type statusName struct {
	Name     string `json:"name"`
	SaysMore bool   `json:"saysMore"`
}

// origin returns the scheme and host of the start. The report leaves them out of URLs.
func (a *Analysis) origin() string {
	return urlnorm.Origin(format.Plain(a.file.Meta().Start))
}
