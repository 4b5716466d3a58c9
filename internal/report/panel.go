package report

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/page"
	"github.com/mapatools/mapa/internal/view"
)

// Limits of the panels that are readable without JavaScript: those of the URLs that the crawl found first.
const (
	maxSamples     = 40
	maxSampleLinks = 10 // to the page, and from it
)

// panel is what the report shows about one URL. All texts are for display.
type panel struct {
	ID       string // of the element
	URL      string
	Link     bool // URL is an http or https URL
	Findings []view.PageFinding
	Facts    []view.Fact
	Path     []view.Link // from the start to the URL; empty for an orphan page
	In, Out  *view.Links

	page page.Page
}

// linkToRow returns a link to the URL of a row: to its panel, or to the URL itself when it has none and is one of http
// or https.
func (g *pageReport) linkToRow(number int, text string) view.Link {
	r := &g.rows.rows[number-1]
	link := view.Link{URL: format.ReadableURL(g.shortURL(r.url)), Text: text}
	switch panel := g.samples[r.id]; {
	case panel != nil:
		link.Href = "#" + panel.ID
	case format.IsURL(r.url):
		link.Href = r.url
	}
	return link
}

// linkTo returns a link to a URL, or nil when the report does not have it.
func (g *pageReport) linkTo(id crawl.ID) *view.Link {
	number := g.rows.number(id)
	if number == 0 {
		return nil
	}
	link := g.linkToRow(number, "")
	return &link
}

// linkOrName returns a link to a URL, which may have a fragment, or its name when the report does not have it.
func (g *pageReport) linkOrName(id crawl.ID, url string) view.Link {
	link := view.Link{URL: format.ReadableURL(g.shortURL(format.Plain(url)))}
	if known := g.linkTo(id); known != nil {
		link.Href = known.Href
	}
	return link
}

// shortURL returns a URL without the origin of the start.
func (g *pageReport) shortURL(url string) string {
	if path, inside := strings.CutPrefix(url, g.origin()); inside && strings.HasPrefix(path, "/") {
		return path
	}
	return url
}

// readSamples reads the panels that are readable without JavaScript, all but their links, and returns them in order.
func (g *pageReport) readSamples(ctx context.Context) (inOrder []*panel, err error) {
	g.samples = map[crawl.ID]*panel{}
	if g.brief {
		return nil, nil
	}
	for _, id := range slices.Sorted(maps.Keys(g.rows.rowByID)) {
		p, _, err := g.file.ReadPage(ctx, id)
		if err != nil {
			return nil, err
		}
		if !page.IsOnSite(&p.Record) {
			continue
		}
		sample := &panel{ID: fmt.Sprintf("page-%d", g.rows.number(id)), page: p}
		g.samples[id], inOrder = sample, append(inOrder, sample)
		if len(inOrder) == maxSamples {
			break
		}
	}
	for _, sample := range inOrder {
		if err := g.fillPanel(ctx, sample); err != nil {
			return nil, err
		}
	}
	g.addFindings()
	return inOrder, nil
}

// fillPanel fills a panel with all but its findings and links.
func (g *pageReport) fillPanel(ctx context.Context, p *panel) error {
	p.URL = g.rows.rows[g.rows.number(p.page.Link.ID)-1].url
	p.Link = format.IsURL(p.URL)
	p.In, p.Out = newLinks(int(p.page.Linked), int(p.page.Links))
	target := g.linkTo(p.page.Page.Target)
	if target != nil {
		of, _, err := g.file.ReadPage(ctx, p.page.Page.Target)
		if err != nil {
			return err
		}
		target.Tags = []view.Tag{view.DecisionTag(g.catalog, of.Decision(), of.Page.Status)}
	}
	p.Facts = view.Facts(g.catalog, &p.page, target)
	path, err := g.file.PathTo(ctx, &p.page, len(g.rows.rows))
	for _, id := range path {
		if link := g.linkTo(id); link != nil {
			p.Path = append(p.Path, *link)
		}
	}
	return err
}

// newLinks returns links to and from a page, which are not shown yet.
func newLinks(in, out int) (to, from *view.Links) {
	return &view.Links{Slot: "in", Total: in}, &view.Links{Slot: "out", Total: out}
}

// addLink adds a link while there is room.
func addLink(l *view.Links, link view.Link) {
	if len(l.Shown) < maxSampleLinks {
		l.Shown = append(l.Shown, link)
	}
}

// addFindings adds what the rules found to the panels.
func (g *pageReport) addFindings() {
	for _, part := range g.parts {
		for _, rule := range part.Rules {
			for _, row := range rule.Rows {
				for _, number := range row.Pages {
					if p := g.samples[g.rows.rows[number-1].id]; p != nil {
						p.Findings = append(p.Findings, view.PageFinding{
							Kind: part.Kind, Title: rule.Name, Text: row.Message, Why: rule.Why, Fix: rule.Fix,
						})
					}
				}
			}
		}
	}
}
