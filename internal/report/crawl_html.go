package report

import (
	"bufio"
	"context"
	_ "embed"
	"html/template"
	"io"
	"strings"
	"sync"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/format"
)

//go:embed crawl.css
var crawlStyle string

//go:embed crawl.js
var crawlScript string

//go:embed crawl.html
var crawlPage string

var crawlTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("crawl").Funcs(format.PageFunctions()).
		Funcs(template.FuncMap{"percent": percent}).Parse(crawlPage))
})

// crawlPolicy lets the page run its own script too.
var crawlPolicy = format.StylePolicy(crawlStyle) + "; script-src " + format.HashSource(crawlScript)

// HTMLOptions say what else the report can point at. The zero value is ready.
type HTMLOptions struct {
	// Sitemap is the file name of the sitemap that lies beside the report;
	// empty is none.
	Sitemap string
	// Broken is the file name of the list that WriteBroken wrote beside it.
	Broken string
	// Found is what FindBroken gave for the crawl; nil has it found again.
	Found *Broken
}

// WriteHTML writes a page that holds the whole report and needs nothing else.
// Of a very large crawl it shows what fits into a page that a browser can work
// with, and says so; its figures are those of all addresses.
func WriteHTML(ctx context.Context, file crawl.Reader, w io.Writer, options HTMLOptions) error {
	r, err := gather(ctx, file, options)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(w, 64<<10)
	if err := crawlTemplate().ExecuteTemplate(out, "page", r.view()); err != nil {
		return err
	}
	out.WriteString("<script type=\"application/json\" id=\"data\">")
	if err := r.data(&dataWriter{out: out}); err != nil {
		return err
	}
	out.WriteString("</script>\n<script>" + crawlScript + "</script>\n</body>\n</html>\n")
	return out.Flush()
}

// A gathering is all that the page shows.
type gathering struct {
	meta     crawl.Meta
	finished bool
	options  HTMLOptions
	census   census
	ends     *deadEnds
	dead     int // addresses, linked or not
	titles   []group
	contents []group
	alike    struct{ titles, contents int } // pages in groups
	shelf    *shelf
}

func gather(ctx context.Context, file crawl.Reader, options HTMLOptions) (*gathering, error) {
	g := &gathering{meta: file.Meta(), finished: file.Finished(), options: options}
	web, err := weave(ctx, file)
	if err != nil {
		return nil, err
	}
	want := make([]bool, len(web.depth)) // addresses that the report points at
	broken := options.Found
	if broken == nil {
		if broken, err = FindBroken(ctx, file); err != nil {
			return nil, err
		}
	}
	g.dead = broken.Addresses()
	if g.ends, err = findDeadEnds(ctx, broken); err != nil {
		return nil, err
	}
	g.ends.mark(want)
	if err := g.census.count(ctx, file, web, want); err != nil {
		return nil, err
	}
	g.titles, g.alike.titles = g.census.titles.groups()
	g.contents, g.alike.contents = g.census.contents.groups()
	for _, groups := range [][]group{g.titles, g.contents} {
		for _, group := range groups[:min(len(groups), mostGroups)] {
			for _, id := range group.members {
				want[id] = true
			}
		}
	}
	g.shelf, err = collect(ctx, file, web, &g.census, want)
	return g, err
}

// data writes what the script shows.
func (g *gathering) data(d *dataWriter) error {
	reasons, names := []crawl.Reason{}, [][4]string{}
	for _, line := range g.reasons() {
		reasons = append(reasons, line.Reason)
		names = append(names, [4]string{decision(line.Reason), line.Name, line.Text, line.Kind})
	}
	d.out.WriteByte('{')
	if err := d.value("reasons", names); err != nil {
		return err
	}
	if err := d.value("origin", g.origin()); err != nil {
		return err
	}
	if err := d.value("totals", g.totals()); err != nil {
		return err
	}
	d.rows(g.shelf, reasons)
	for _, part := range []func() error{
		func() error { return d.ends("broken", g.ends.addresses, g.shelf) },
		func() error { return d.ends("anchors", g.ends.places, g.shelf) },
		func() error { return d.groups("sameTitle", g.titles, g.shelf) },
		func() error { return d.groups("sameContent", g.contents, g.shelf) },
		func() error { return d.languages("languages", g.census.languages.findings, g.shelf) },
		func() error { return d.tree("tree", g.census.tree.branches()) },
	} {
		if err := part(); err != nil {
			return err
		}
	}
	d.out.WriteByte('}')
	return nil
}

// origin is scheme and host of the start, which need not be said with every
// address.
func (g *gathering) origin() string {
	scheme, rest, _ := strings.Cut(format.Plain(g.meta.Start), "://")
	host, _, _ := strings.Cut(rest, "/")
	return scheme + "://" + host
}

// totals are how long the lists would be that may be cut.
func (g *gathering) totals() map[string]int {
	return map[string]int{
		"broken": g.ends.dead, "anchors": g.ends.missing,
		"sameTitle": len(g.titles), "sameContent": len(g.contents),
	}
}
