package report

import (
	"fmt"
	"net/http"
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

// pageLink is a link to a URL of the report.
type pageLink struct {
	URL, Text string
	Link      bool // URL is an http or https URL
}

func (l *panelLinks) add(rows *rowTable, number int, text string) {
	if len(l.Shown) < maxSampleLinks {
		l.Shown = append(l.Shown, newPageLink(&rows.rows[number-1], text))
	}
}

func newPageLink(r *row, text string) pageLink {
	return pageLink{URL: r.url, Text: text, Link: format.IsURL(r.url)}
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
	{"status", func(_ *pageReport, r *row) string { return statusText(int(r.status)) }},
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
		return joinNonEmpty("; ", strings.Join(r.facts.OpenGraph.Names(), ", "), r.facts.OpenGraphType)
	}},
	{"json-ld", func(_ *pageReport, r *row) string { return r.facts.JSONLD }},
}

// newPanel returns the panel of a URL without its links.
func (g *pageReport) newPanel(r *row) *panel {
	p := &panel{
		ID: fmt.Sprintf("page-%d", g.rows.number(r.id)), URL: r.url, Link: format.IsURL(r.url), Title: r.title,
		In: panelLinks{Total: int(r.linked)}, Out: panelLinks{Total: int(r.links)},
	}
	for _, fact := range panelFacts {
		p.Facts = append(p.Facts, panelFact{fact.key, g.catalog.text("fact." + fact.key), fact.value(g, r)})
	}
	if r.depth != crawl.Unreached {
		for _, id := range g.web.path(r.id) {
			if number := g.rows.number(id); number > 0 {
				p.Path = append(p.Path, newPageLink(&g.rows.rows[number-1], ""))
			}
		}
	}
	return p
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
// order.
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
		byID[id] = g.newPanel(&g.rows.rows[number-1])
		inOrder = append(inOrder, byID[id])
	}
	return byID, inOrder
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
