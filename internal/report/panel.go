package report

import (
	"fmt"
	"strings"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/view"
)

// Limits of the panels that are readable without JavaScript: those of the URLs that the
// crawl found first.
const (
	maxSamples     = 40
	maxSampleLinks = 10 // to the page, and from it
)

// panel is what the report shows about one URL. All texts are for display.
type panel struct {
	ID       string // of the element
	URL      string
	Link     bool // URL is an http or https URL
	Title    string
	Findings []panelFinding
	Facts    []view.Fact
	Path     []pageLink // from the start to the URL; empty for an orphan page
	In       panelLinks
	Out      panelLinks
}

// panelFinding is what a rule found on a page.
type panelFinding struct{ Kind, Title, Text, Why, Fix string }

// panelLinks are links to a page or from it.
type panelLinks struct {
	Total int // number of pages
	Shown []pageLink
}

// Rest returns the number of links that are not shown.
func (l *panelLinks) Rest() int { return l.Total - len(l.Shown) }

// pageLink is a link to a URL of the report: to its panel, or to the URL itself when it has none and
// is one of http or https.
type pageLink = view.Link

// hasRoom reports whether another link can be shown.
func (l *panelLinks) hasRoom() bool { return len(l.Shown) < maxSampleLinks }

func (l *panelLinks) add(link pageLink) { l.Shown = append(l.Shown, link) }

// linkToRow returns a link to the URL of a row.
func (g *pageReport) linkToRow(r *row, text string) pageLink {
	link := pageLink{URL: format.ReadableURL(g.shortURL(r.url)), Text: text}
	switch panel := g.samples[r.id]; {
	case panel != nil:
		link.Href = "#" + panel.ID
	case format.IsURL(r.url):
		link.Href = r.url
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

// facts returns what the crawl knows about the URL of a row.
func (g *pageReport) facts(r *row) []view.Fact {
	f := view.Facts{
		Decision: g.decisionTag(r), Detail: r.detail, Conflict: r.conflict,
		Status: StatusName(int(r.status)), Reused: r.reused,
		Rendered: r.rendered,
		LastMod:  r.lastMod, LastModFrom: r.lastModSource, Took: r.took, Size: r.size, MediaType: r.mediaType,
		LastModified: r.lastModified, ETag: r.etag, Depth: int(r.depth), Named: SeedNames(r.given),
		Title: r.title, TitleLength: int(r.titleLength),
		Description: r.facts.Description, DescriptionLength: int(r.descriptionLength),
		H1: r.facts.H1, Language: r.language, HasPage: r.hasFacts, Words: int(r.words),
		ImagesWithoutAlt: r.facts.ImagesWithoutAlt, OpenGraph: r.facts.OpenGraph.Names(),
		OpenGraphType: r.facts.OpenGraphType, JSONLD: r.facts.JSONLD,
	}
	if r.time != 0 {
		f.Time = time.Unix(r.time, 0)
	}
	if f.Target = g.targetOf(r); f.Target != nil {
		f.Target.Tags = []view.Tag{g.decisionTag(&g.rows.rows[g.rows.number(r.target)-1])}
	}
	return f.List(g.catalog)
}

func (g *pageReport) decisionTag(r *row) view.Tag {
	return DecisionTag(g.catalog, DecisionName(r.reason), int(r.status))
}

// targetOf links to the target of a redirect, canonical or duplicate, or returns nil.
func (g *pageReport) targetOf(r *row) *view.Link {
	number := g.rows.number(r.target)
	if number == 0 {
		return nil
	}
	link := g.linkToRow(&g.rows.rows[number-1], "")
	return &link
}

// fillPanel fills the panel of a URL with all but its links.
func (g *pageReport) fillPanel(p *panel, r *row) {
	p.URL, p.Link, p.Title = r.url, format.IsURL(r.url), r.title
	p.In.Total, p.Out.Total = int(r.linked), int(r.links)
	p.Facts = g.facts(r)
	if r.depth != crawl.Unreached {
		for _, id := range g.web.path(r.id) {
			if number := g.rows.number(id); number > 0 {
				p.Path = append(p.Path, g.linkToRow(&g.rows.rows[number-1], ""))
			}
		}
	}
}

// emptyPanel returns a panel with all facts, which the script fills.
func (g *pageReport) emptyPanel() *panel {
	p := &panel{Facts: new(view.Facts).List(g.catalog)}
	for i := range p.Facts {
		p.Facts[i].Value = " "
	}
	return p
}

// newSamples returns the panels that are readable without JavaScript, by ID and in
// order. They are empty.
func (g *pageReport) newSamples() (byID map[crawl.ID]*panel, inOrder []*panel) {
	byID = map[crawl.ID]*panel{}
	if g.brief {
		return byID, nil
	}
	for id := crawl.ID(1); int(id) < len(g.rows.rowByID) && len(inOrder) < maxSamples; id++ {
		number := g.rows.number(id)
		if number == 0 || g.rows.rows[number-1].class == classOther {
			continue
		}
		p := &panel{ID: fmt.Sprintf("page-%d", number)}
		byID[id], inOrder = p, append(inOrder, p)
	}
	return byID, inOrder
}

// fillSamples fills the panels with all but their links.
func (g *pageReport) fillSamples() {
	byNumber := map[int]*panel{}
	for id, p := range g.samples {
		byNumber[g.rows.number(id)] = p
		g.fillPanel(p, &g.rows.rows[g.rows.number(id)-1])
	}
	for _, part := range g.parts {
		for _, rule := range part.Rules {
			for _, row := range rule.Rows {
				for _, number := range row.Pages {
					if p := byNumber[number]; p != nil {
						p.Findings = append(p.Findings, panelFinding{part.Kind, rule.Name, row.Message, rule.Why, rule.Fix})
					}
				}
			}
		}
	}
}
