package report

import (
	"bufio"
	"context"
	_ "embed"
	"html/template"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/compare"
	"github.com/mapatools/mapa/internal/format"
)

//go:embed page.css
var crawlStyle string

//go:embed page.js
var crawlScript string

//go:embed page.html
var crawlPage string

var crawlTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("crawl").Funcs(format.PageFunctions()).
		Funcs(template.FuncMap{"percent": percent}).Parse(crawlPage))
})

// crawlPolicy lets the page run its own script as well.
var crawlPolicy = format.StylePolicy(crawlStyle) + "; script-src " + format.HashSource(crawlScript)

// HTMLOptions names the files that the report refers to. The zero value is ready to
// use.
type HTMLOptions struct {
	// Sitemap is the file name of the sitemap in the folder of the report, or empty.
	Sitemap string
	// Broken is the file name of the list that WriteBroken wrote there, or empty.
	Broken string
	// Changes since the previous crawl, which began at Previous; nil without one.
	Changes  *compare.Counts
	Previous time.Time
	// Found is the result of FindBroken. If it is nil, WriteHTML calls FindBroken.
	Found *BrokenLinks
}

// WriteHTML writes the whole report as one self-contained page. Nil options are the
// defaults. For a very large
// crawl the page shows the URLs that a browser can handle and says so. Its counts
// cover all URLs.
func WriteHTML(ctx context.Context, file crawl.Reader, w io.Writer, options *HTMLOptions) error {
	if options == nil {
		options = &HTMLOptions{}
	}
	r, err := newPageReport(ctx, file, options)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(w, 64<<10)
	if err := crawlTemplate().ExecuteTemplate(out, "page", r.view()); err != nil {
		return err
	}
	out.WriteString("<script type=\"application/json\" id=\"data\">")
	if err := r.writeData(&dataWriter{out: out}); err != nil {
		return err
	}
	out.WriteString("</script>\n<script>" + crawlScript + "</script>\n</body>\n</html>\n")
	return out.Flush()
}

// pageReport holds the contents of the page.
type pageReport struct {
	meta       crawl.Meta
	finished   bool
	options    *HTMLOptions
	totals     totals
	broken     *brokenTargets
	titles     []pageGroup
	contents   []pageGroup
	duplicates struct{ titles, contents int } // pages in groups
	rows       *rowTable
}

func newPageReport(ctx context.Context, file crawl.Reader, options *HTMLOptions) (*pageReport, error) {
	g := &pageReport{meta: file.Meta(), finished: file.Finished(), options: options}
	web, err := readLinkGraph(ctx, file)
	if err != nil {
		return nil, err
	}
	want := make([]bool, len(web.depth)) // by ID: the report refers to the URL
	broken := options.Found
	if broken == nil {
		if broken, err = FindBrokenLinks(ctx, file); err != nil {
			return nil, err
		}
	}
	if g.broken, err = findBrokenTargets(ctx, broken); err != nil {
		return nil, err
	}
	g.broken.mark(want)
	if err := g.totals.count(ctx, file, web, want); err != nil {
		return nil, err
	}
	g.titles, g.duplicates.titles = g.totals.titleIndex.groups()
	g.contents, g.duplicates.contents = g.totals.contentIndex.groups()
	for _, groups := range [][]pageGroup{g.titles, g.contents} {
		for _, group := range groups[:min(len(groups), maxGroups)] {
			for _, id := range group.members {
				want[id] = true
			}
		}
	}
	g.rows, err = newRowTable(ctx, file, web, &g.totals, want)
	return g, err
}

// writeData writes the data of the script.
func (g *pageReport) writeData(d *dataWriter) error {
	reasons, names := []crawl.Reason{}, [][4]string{}
	for _, line := range g.reasons() {
		reasons = append(reasons, line.Reason)
		names = append(names, [4]string{decisionName(line.Reason), line.Name, line.Plural, line.Kind})
	}
	d.out.WriteByte('{')
	if err := d.value("reasons", names); err != nil {
		return err
	}
	if err := d.value("origin", g.origin()); err != nil {
		return err
	}
	if err := d.value("totals", g.listLengths()); err != nil {
		return err
	}
	d.rows(g.rows, reasons)
	for _, part := range []func() error{
		func() error { return d.brokenTargets("broken", g.broken.urls, g.rows) },
		func() error { return d.brokenTargets("anchors", g.broken.anchors, g.rows) },
		func() error { return d.groups("sameTitle", g.titles, g.rows) },
		func() error { return d.groups("sameContent", g.contents, g.rows) },
		func() error { return d.hreflang("languages", g.totals.languages.findings, g.rows) },
		func() error { return d.tree("tree", g.totals.tree.branches()) },
	} {
		if err := part(); err != nil {
			return err
		}
	}
	d.out.WriteByte('}')
	return nil
}

// origin returns the scheme and host of the start. The report leaves them out of URLs.
func (g *pageReport) origin() string {
	scheme, rest, _ := strings.Cut(format.Plain(g.meta.Start), "://")
	host, _, _ := strings.Cut(rest, "/")
	return scheme + "://" + host
}

// listLengths returns the full lengths of the lists that may be cut.
func (g *pageReport) listLengths() map[string]int {
	return map[string]int{
		"broken": g.broken.linkedURLs, "anchors": g.broken.anchorCount,
		"sameTitle": len(g.titles), "sameContent": len(g.contents),
	}
}
