package report

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/format"
)

// Limits of the panels that are readable without JavaScript: those of the URLs that the
// crawl found first.
const (
	maxSamples     = 40
	maxSampleLinks = 10 // to the page, and from it
)

// panel is what the report shows about one URL. All texts are for display.
type panel struct {
	ID    string // of the element
	URL   string
	Link  bool // URL is an http or https URL
	Title string
	Facts []panelFact
	Path  []pageLink // from the start to the URL; empty for an orphan page
	In    panelLinks
	Out   panelLinks
}

// panelFact is a fact of a panel. One without a value is not shown.
type panelFact struct {
	Key, Name, Value string
}

// panelLinks are links to a page or from it.
type panelLinks struct {
	Total int // number of pages
	Shown []pageLink
}

// Rest returns the number of links that are not shown.
func (l *panelLinks) Rest() int { return l.Total - len(l.Shown) }

// pageLink is a link to a URL of the report, or only a text.
type pageLink struct {
	URL, Text string
	// Href is the panel of the URL, or the URL itself when it has none and is one of
	// http or https; otherwise it is empty.
	Href string
}

func (l *panelLinks) add(link pageLink) {
	if len(l.Shown) < maxSampleLinks {
		l.Shown = append(l.Shown, link)
	}
}

// linkToRow returns a link to the URL of a row.
func (g *pageReport) linkToRow(r *row, text string) pageLink {
	link := pageLink{URL: g.shortURL(r.url), Text: text}
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
	{"decision", func(_ *pageReport, r *row) string {
		return joinNonEmpty(": ", Explain(r.reason).Name, r.detail)
	}},
	{"target", func(g *pageReport, r *row) string { return g.urlOf(r.target) }},
	{"conflict", func(_ *pageReport, r *row) string { return r.conflict }},
	{"status", func(g *pageReport, r *row) string {
		if r.reused {
			return statusText(int(r.status)) + ", " + g.catalog.text("script.not-modified")
		}
		return statusText(int(r.status))
	}},
	{"time", func(_ *pageReport, r *row) string { return requestTime(r.time) }},
	{"lastmod", func(_ *pageReport, r *row) string {
		if r.lastMod == "" {
			return ""
		}
		return r.lastMod + " (" + r.lastModSource + ")"
	}},
	{"took", func(_ *pageReport, r *row) string {
		if r.status == 0 {
			return ""
		}
		return duration(r.took)
	}},
	{"size", func(_ *pageReport, r *row) string {
		if r.size == 0 {
			return ""
		}
		return byteCount(r.size)
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
	{"named", func(_ *pageReport, r *row) string { return strings.Join(seedNames(r.given&seedSources), ", ") }},
	{"title", func(_ *pageReport, r *row) string { return withLength(r.title, r.titleLength) }},
	{"description", func(_ *pageReport, r *row) string { return withLength(r.facts.Description, r.descriptionLength) }},
	{"heading", func(_ *pageReport, r *row) string { return r.facts.H1 }},
	{"language", func(_ *pageReport, r *row) string { return r.language }},
	{"words", func(_ *pageReport, r *row) string {
		if !r.hasFacts {
			return ""
		}
		return format.Count(int(r.words))
	}},
	{"images", func(_ *pageReport, r *row) string {
		if !r.hasFacts {
			return ""
		}
		return format.Count(r.facts.ImagesWithoutAlt)
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
		p.Facts = append(p.Facts, panelFact{fact.key, g.catalog.text("fact." + fact.key), fact.value(g, r)})
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
		p.Facts = append(p.Facts, panelFact{Key: fact.key, Name: g.catalog.text("fact." + fact.key), Value: " "})
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
	for id, p := range g.samples {
		g.fillPanel(p, &g.rows.rows[g.rows.number(id)-1])
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
func withLength(text string, length int32) string {
	if text == "" {
		return ""
	}
	return fmt.Sprintf("%s (%d)", text, length)
}

// statusText returns a status with its text, or nothing for 0.
func statusText(status int) string {
	if status == 0 {
		return ""
	}
	return strings.TrimSpace(strconv.Itoa(status) + " " + http.StatusText(status))
}

// requestTime returns a time in seconds since 1970 for display, or nothing for 0.
func requestTime(seconds int64) string {
	if seconds == 0 {
		return ""
	}
	return time.Unix(seconds, 0).UTC().Format(timeLayout)
}

// timeLayout is how the report shows times.
const timeLayout = "2 January 2006, 15:04 UTC"

// duration returns a response time for display.
func duration(d time.Duration) string {
	if d >= time.Second {
		return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) + " s"
	}
	return strconv.FormatInt(d.Milliseconds(), 10) + " ms"
}

// byteCount returns a number of bytes for display.
func byteCount(n int64) string {
	switch {
	case n >= 1e6:
		return strconv.FormatFloat(float64(n)/1e6, 'f', 1, 64) + " MB"
	case n >= 1000:
		return strconv.FormatInt((n+500)/1000, 10) + " KB"
	}
	return strconv.FormatInt(n, 10) + " B"
}
