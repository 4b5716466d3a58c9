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
	"github.com/mapatools/mapa/internal/urlnorm"
)

// pageStyle styles the parts of a page about a crawl, whatever their layout.
//
//go:embed page.css
var pageStyle string

//go:embed layout.css
var layoutStyle string

func crawlStyle() string { return pageStyle + layoutStyle }

// Style returns the style sheet of the parts of a page about a crawl: colors, tables,
// charts, lists and fields. Other pages about a crawl look like the report with it.
func Style() string { return pageStyle }

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
	return template.Must(Blocks(c).Parse(crawlPage))
}

// crawlPolicy lets the page run its own script as well.
func crawlPolicy() string {
	return format.StylePolicy(crawlStyle()) + "; script-src " + format.HashSource(crawlScript())
}

// HTMLOptions is how to write the report, and the files that it refers to. The zero value
// is ready to use.
type HTMLOptions struct {
	// Language is the language of the report, English if empty.
	Language catalog.Language
	// Sitemap is the file name of the sitemap in the folder of the report, or empty.
	Sitemap string
	// Broken is the file name of the list that WriteBroken wrote there, or empty.
	Broken string
	// Changes since the previous crawl, which began at Previous; nil without one.
	Changes  *compare.Counts
	Previous time.Time
	// Found is the result of FindBrokenLinks. If it is nil, WriteHTML calls it.
	Found *BrokenLinks
	// Brief leaves out all that grows with the number of URLs, which takes a sixth of
	// the time of a large crawl, and says so.
	Brief bool
}

// WriteHTML writes the whole report as one self-contained page. Nil options are the
// defaults. For a very large
// crawl the page shows the URLs that a browser can handle and says so. Its counts
// cover all URLs.
func WriteHTML(ctx context.Context, file crawl.Reader, w io.Writer, options *HTMLOptions) error {
	if options == nil {
		options = &HTMLOptions{}
	}
	read := newPageReport
	if options.Brief {
		read = newBriefReport
	}
	g, err := read(ctx, file, options)
	if err != nil {
		return err
	}
	var panels []*panel
	g.samples, panels = g.newSamples()
	g.fillSamples()
	out := bufio.NewWriterSize(w, 64<<10)
	view := g.view()
	view.Panels = panels
	page := crawlTemplate(g.catalog)
	if err := page.ExecuteTemplate(out, "page", view); err != nil {
		return err
	}
	out.WriteString("<script type=\"application/json\" id=\"data\">")
	if err := g.writeData(ctx, file, &dataWriter{out: out}); err != nil {
		return err
	}
	out.WriteString("</script>\n")
	if err := page.ExecuteTemplate(out, "panels", view); err != nil {
		return err
	}
	out.WriteString("<script>" + crawlScript() + "</script>\n</body>\n</html>\n")
	return out.Flush()
}

// pageReport holds the contents of the page.
type pageReport struct {
	Analysis
	options      *HTMLOptions
	catalog      *catalog.Catalog
	brief        bool // most of what grows with the site is left out
	titles       []pageGroup
	contents     []pageGroup
	descriptions []pageGroup
	headings     []pageGroup
	rows         *rowTable
	parts        []part
	samples      map[crawl.ID]*panel // those that are readable without JavaScript
}

func newPageReport(ctx context.Context, file crawl.Reader, options *HTMLOptions) (*pageReport, error) {
	g := &pageReport{Analysis: Analysis{file: file}, options: options, catalog: catalog.For(options.Language)}
	err := g.read(ctx, options.Found, func(pagePair) error { return nil }, func(*Entry) error { return nil })
	if err != nil {
		return nil, err
	}
	want := make([]bool, len(g.web.depth)) // by ID: the report refers to the URL
	g.broken.mark(want)
	g.totals.languages.mark(want)
	for i, groups := range []*[]pageGroup{&g.contents, &g.titles, &g.descriptions, &g.headings} {
		*groups = firstMembers(g.groups[i])
	}
	markGroups(want, g.titles, g.contents, g.descriptions, g.headings)
	if g.rows, err = newRowTable(ctx, &g.Analysis, want, g.catalog); err != nil {
		return nil, err
	}
	g.parts = g.newParts()
	return g, nil
}

// writeData writes the data of the script, and adds links to the samples.
func (g *pageReport) writeData(ctx context.Context, file crawl.Reader, d *dataWriter) error {
	reasons, names := []crawl.Reason{}, [][4]string{}
	for _, line := range sortReasons(g.totals.reasons) {
		reasons = append(reasons, line.Reason)
		e := g.explain(line.Reason)
		names = append(names, [4]string{DecisionName(line.Reason), e.Name, e.Plural, reasonTone(line.Reason)})
	}
	d.out.WriteByte('{')
	for _, value := range []struct {
		name  string
		value any
	}{
		{"texts", g.scriptTexts()}, {"reasons", names}, {"origin", g.origin()}, {"totals", g.listLengths()},
		{"parts", g.parts}, {"hasLinks", !g.brief}, {"addressColumns", g.addressColumns()}, {"folders", g.folders()},
		{"faults", g.faults()}, {"slow", slowThreshold.Milliseconds()}, {"large", largeThreshold},
	} {
		if err := d.value(value.name, value.value); err != nil {
			return err
		}
	}
	d.rows(g.rows, reasons)
	for _, part := range []func() error{
		func() error { return d.brokenTargets("broken", g.broken.urls, g) },
		func() error { return d.brokenTargets("anchors", g.broken.anchors, g) },
		func() error { return d.hreflang("languages", g.totals.languages.findings, g.rows) },
		func() error { return d.tree("tree", g.totals.tree.branches()) },
		func() error { return d.pageLinks(ctx, file, g) },
	} {
		if err := part(); err != nil {
			return err
		}
	}
	d.out.WriteByte('}')
	return nil
}

// origin returns the scheme and host of the start. The report leaves them out of URLs.
func (a *Analysis) origin() string {
	return urlnorm.Origin(format.Plain(a.file.Meta().Start))
}

// listLengths returns the full lengths of the lists that may be cut.
func (g *pageReport) listLengths() map[string]int {
	return map[string]int{
		"broken": g.broken.linkedURLs, "anchors": g.broken.anchorCount,
	}
}
