package report

import (
	"fmt"
	"slices"
	"strconv"
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
	Facts    []panelFact
	Path     []pageLink // from the start to the URL; empty for an orphan page
	In       panelLinks
	Out      panelLinks
}

// panelFact is a fact of a panel. One without a value is not shown.
type panelFact struct {
	Key, Name, Value string
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

// panelFacts are the facts of a panel in their order. The names are the texts
// "fact.<key>" of the catalogue.
var panelFacts = []struct {
	key   string
	value func(g *pageReport, r *row) string
}{
	{"decision", func(g *pageReport, r *row) string {
		return joinNonEmpty(": ", g.explain(r.reason).Name, r.detail)
	}},
	{"target", func(g *pageReport, r *row) string { return g.urlOf(r.target) }},
	{"conflict", func(_ *pageReport, r *row) string { return r.conflict }},
	{"status", func(g *pageReport, r *row) string {
		if r.reused {
			return StatusName(int(r.status)) + ", " + g.catalog.Text("script.not-modified")
		}
		return StatusName(int(r.status))
	}},
	{"time", func(g *pageReport, r *row) string {
		if r.time == 0 {
			return ""
		}
		return g.catalog.Time(time.Unix(r.time, 0))
	}},
	{"lastmod", func(_ *pageReport, r *row) string {
		if r.lastMod == "" {
			return ""
		}
		return r.lastMod + " (" + r.lastModSource + ")"
	}},
	{"took", func(g *pageReport, r *row) string {
		if r.status == 0 {
			return ""
		}
		return g.catalog.Duration(r.took)
	}},
	{"size", func(g *pageReport, r *row) string {
		if r.size == 0 {
			return ""
		}
		return g.catalog.Bytes(r.size)
	}},
	{"type", func(_ *pageReport, r *row) string { return r.mediaType }},
	{"modified", func(_ *pageReport, r *row) string { return r.lastModified }},
	{"etag", func(_ *pageReport, r *row) string { return r.etag }},
	{"depth", func(_ *pageReport, r *row) string {
		if r.depth == crawl.Unreached {
			return ""
		}
		return strconv.Itoa(int(r.depth))
	}},
	{"named", func(g *pageReport, r *row) string { return g.namedBy(r) }},
	{"title", func(g *pageReport, r *row) string { return g.withLength(r.title, r.titleLength) }},
	{"description", func(g *pageReport, r *row) string { return g.withLength(r.facts.Description, r.descriptionLength) }},
	{"heading", func(_ *pageReport, r *row) string { return r.facts.H1 }},
	{"language", func(_ *pageReport, r *row) string { return r.language }},
	{"words", func(g *pageReport, r *row) string {
		if !r.hasFacts {
			return ""
		}
		return g.count(int(r.words))
	}},
	{"images", func(g *pageReport, r *row) string {
		if !r.hasFacts {
			return ""
		}
		return g.count(r.facts.ImagesWithoutAlt)
	}},
	{"open-graph", func(_ *pageReport, r *row) string {
		return openGraphText(&r.facts)
	}},
	{"json-ld", func(_ *pageReport, r *row) string { return r.facts.JSONLD }},
}

// fillPanel fills the panel of a URL with all but its links.
func (g *pageReport) fillPanel(p *panel, r *row) {
	p.URL, p.Link, p.Title = r.url, format.IsURL(r.url), r.title
	p.In.Total, p.Out.Total = int(r.linked), int(r.links)
	for _, fact := range panelFacts {
		p.Facts = append(p.Facts, panelFact{fact.key, g.catalog.Text("fact." + fact.key), fact.value(g, r)})
	}
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
	p := &panel{}
	for _, fact := range panelFacts {
		p.Facts = append(p.Facts, panelFact{Key: fact.key, Name: g.catalog.Text("fact." + fact.key), Value: " "})
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

// openGraphText returns the names of Open Graph properties, with the value of og:type.
func openGraphText(f *crawl.Facts) string {
	names := f.OpenGraph.Names()
	if i := slices.Index(names, "type"); i >= 0 && f.OpenGraphType != "" {
		names[i] += " (" + f.OpenGraphType + ")"
	}
	return strings.Join(names, ", ")
}

func (g *pageReport) urlOf(id crawl.ID) string {
	if number := g.rows.number(id); number > 0 {
		return g.rows.rows[number-1].url
	}
	return ""
}

func joinNonEmpty(separator string, texts ...string) string {
	var kept []string
	for _, text := range texts {
		if text != "" {
			kept = append(kept, text)
		}
	}
	return strings.Join(kept, separator)
}

// withLength returns a text with its length in characters.
func (g *pageReport) withLength(text string, length int32) string {
	if text == "" {
		return ""
	}
	return text + " (" + g.count(int(length)) + ")"
}
