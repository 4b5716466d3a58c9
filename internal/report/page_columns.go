package report

import (
	"cmp"
	"net/http"
	"slices"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/page"
	"github.com/mapatools/mapa/internal/view"
)

// A column has a fact of all URLs of the report, with what the script needs to show it. It stores texts or numbers by
// row, because a name for every value would double the size of the report.
type column struct {
	Key  string `json:"key"`
	Kind string `json:"kind"` // text, url, row, tag, or a number: number, bytes, milliseconds, time or set
	Name string `json:"name,omitempty"`
	// With is the column that is shown in parentheses after this one. Lists show the first known note after this column,
	// and panels show those that are no row of the panel.
	With  string   `json:"with,omitempty"`
	Notes []string `json:"notes,omitempty"`
	List  bool     `json:"list,omitempty"`
	Panel bool     `json:"panel,omitempty"`
	Down  bool     `json:"down,omitempty"` // lists are sorted from the largest value first
	// Filter names the filter that selects all URLs, or is empty, and None the value for those without the fact.
	Filter string   `json:"filter,omitempty"`
	None   string   `json:"none,omitempty"`
	Names  []string `json:"names,omitempty"` // of the bits of a set

	Tags map[int64]tag `json:"tags,omitempty"` // by number

	// texts or numbers are the values by row. Until arrange they are those of the URLs as they were read, and numbers
	// of rows are IDs.
	texts   []string
	numbers []int64
	read    func(p *page.Page, r *row) // adds the value of a URL
}

// arrange puts the values into the order of rows.
func (c *column) arrange(table *rowTable) {
	texts, numbers := c.texts, c.numbers
	if c.texts, c.numbers = nil, nil; texts != nil {
		c.texts = []string{}
	}
	for i := range table.rows {
		switch at := table.rows[i].at; {
		case texts != nil:
			c.texts = append(c.texts, texts[at])
		case c.Kind == "row":
			c.numbers = append(c.numbers, int64(table.number(crawl.ID(numbers[at]))))
		default:
			c.numbers = append(c.numbers, numbers[at])
		}
	}
}

// A tag is the tag of URLs with a decision, which is the value of the filter.
type tag struct {
	Value string `json:"value"`
	Word  string `json:"word"` // for the filter
	Name  string `json:"name"`
	Kind  string `json:"kind"`
	Text  string `json:"text"`
}

// maxText is the number of characters of a text in a column, and maxTexts that of some facts.
const maxText = 100

var maxTexts = map[string]int{
	"title": 120, "h1": 120, "description": 200, "detail": 200, "conflict": 200, "rendered": 200,
}

// longFacts are the facts whose texts few URLs share, so that they take most of the room.
var longFacts = []*page.Fact{
	page.Named("title"), page.Named("description"), page.Named("h1"), page.Named("conflict"), page.Named("etag"),
}

// factText returns a fact as a column has it.
func factText(f *page.Fact, c *catalog.Catalog, p *page.Page) string {
	switch {
	case f.Word != nil:
		return columnText(f.Key, f.Word(c, p))
	case f.With != "": // which is in a column of its own
		return columnText(f.Key, f.Text(p))
	}
	return columnText(f.Key, f.Words(c, p))
}

func columnText(key, text string) string {
	return format.Truncate(format.Plain(text), cmp.Or(maxTexts[key], maxText))
}

// newColumns returns the columns of the facts of lists and panels, and those that the script needs for its lists,
// without values.
func (g *pageReport) newColumns() []*column {
	with := map[string]bool{"links": true, "detail": true}
	for i := range page.Facts {
		with[page.Facts[i].With] = true
	}
	all := []*column{}
	for i := range page.Facts {
		f := &page.Facts[i]
		if f.IsFigure() && g.overview.Figures == nil {
			continue
		}
		if f.In&(page.List|page.Panel) != 0 || with[f.Key] {
			all = append(all, g.newColumn(f))
		}
	}
	previous, other := &column{Key: "previous"}, &column{Key: "other"}
	previous.readNumbers("row", func(p *page.Page) int64 { return int64(p.Before) })
	other.readNumbers("number", func(p *page.Page) int64 {
		if p.Link.Role == crawl.RoleExternal || p.Decision() == crawl.ReasonOutOfScope {
			return 1
		}
		return 0
	})
	return append(all, previous, other)
}

// newColumn returns the column of a fact.
func (g *pageReport) newColumn(f *page.Fact) *column {
	c := &column{
		Key: f.Key, Name: f.Name(g.catalog), With: f.With, List: f.In&page.List != 0, Panel: f.In&page.Panel != 0,
		Down: f.Down,
	}
	if f.In&page.Choice != 0 {
		c.Filter = g.catalog.Text("filter." + f.Key)
		if f.Word == nil {
			c.None = g.catalog.WithPrefix("filter.")[f.Key+".none"]
		}
	}
	switch f.Key {
	case "url":
		c.Notes = []string{"title"}
		c.readTexts("url", func(_ *page.Page, r *row) string { return r.url })
		return c
	case "decision":
		c.Notes = []string{"target", "detail"}
		g.readTags(c)
		return c
	case "target":
		c.readNumbers("row", func(p *page.Page) int64 { return int64(p.Page.Target) })
		return c
	case "detail":
		c.readTexts("text", func(p *page.Page, _ *row) string { return columnText(f.Key, view.Evidence(g.catalog, p)) })
		return c
	}
	at := slices.Index(longFacts, f)
	switch {
	case at >= 0:
		c.readTexts("text", func(_ *page.Page, r *row) string { return r.texts[at] })
	case f.Number == nil || f.Word != nil || f.Kind == page.Flag || f.Kind == page.Decimal:
		c.readTexts("text", func(p *page.Page, _ *row) string { return factText(f, g.catalog, p) })
	default:
		g.readNumbers(c, f)
	}
	return c
}

func (c *column) readTexts(kind string, text func(*page.Page, *row) string) {
	c.Kind, c.texts = kind, []string{}
	c.read = func(p *page.Page, r *row) { c.texts = append(c.texts, text(p, r)) }
}

func (c *column) readNumbers(kind string, number func(*page.Page) int64) {
	c.Kind = kind
	c.read = func(p *page.Page, _ *row) { c.numbers = append(c.numbers, number(p)) }
}

// readNumbers reads numbers, where -1 is not known.
func (g *pageReport) readNumbers(c *column, f *page.Fact) {
	kind, unit := "number", int64(1)
	switch f.Kind {
	case page.Bytes:
		kind = "bytes"
	case page.Milliseconds:
		kind, unit = "milliseconds", 1000
	case page.Time:
		kind, unit = "time", 1000
	case page.Set:
		kind = "set"
		for _, name := range f.Names {
			c.Names = append(c.Names, f.Choice(g.catalog, name))
		}
	}
	c.readNumbers(kind, func(p *page.Page) int64 {
		if n, known := f.Number(p); known {
			return n / unit
		}
		return -1
	})
}

// readTags reads the tags of URLs by numbers that are in the order of decisions and statuses.
func (g *pageReport) readTags(c *column) {
	const statuses = 1000
	decisions := page.Decisions()
	c.Tags = map[int64]tag{}
	c.readNumbers("tag", func(p *page.Page) int64 {
		decision, status := p.Decision(), p.Page.Status
		rank := slices.Index(decisions, decision)
		if rank < 0 { // of another program
			rank = len(decisions)
			decisions = append(decisions, decision)
		}
		if status < http.StatusBadRequest || status >= statuses {
			status = 0
		}
		number := int64(rank*statuses + status)
		if _, known := c.Tags[number]; !known {
			shown := view.DecisionTag(g.catalog, decision, status)
			c.Tags[number] = tag{
				page.DecisionName(decision), page.Explain(g.catalog, decision).Name, shown.Name, shown.Kind, shown.Text,
			}
		}
		return number
	})
}
