package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"slices"
	"strconv"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/format"
)

//go:embed blocks.html
var blocks string

// Blocks returns the templates that show the parts of an [OverviewTexts]: figures (of
// Figures or Changes), tasks, charts and reasons. Their style is that of [Style]. They have
// the functions of package format and of the catalog.
func Blocks(c *catalog.Catalog) *template.Template {
	percent := func(share float64) string { return strconv.FormatFloat(share, 'f', 1, 64) }
	return template.Must(template.New("blocks").Funcs(format.PageFunctions).Funcs(c.Functions()).
		Funcs(template.FuncMap{"percent": percent}).Parse(blocks))
}

// OverviewTexts is an [Overview] in one language.
type OverviewTexts struct {
	Headline string
	Figures  []Figure
	Changes  []Figure // since the previous crawl
	Since    string   // when that was
	Tasks    []TaskText
	Depths   []ChartBar
	Statuses []ChartBar
	Reasons  []ReasonBar
}

// A Figure is a number with a name. Kind is its style: good, bad, warn or empty.
type Figure struct {
	Count      int
	Name, Kind string
}

// A TaskText is a task in one language. Href leads to details, or is empty.
type TaskText struct{ Kind, Title, Text, Code, Href string }

// A ChartBar is a bar of a chart with its share of the longest bar in percent.
type ChartBar struct {
	Name  string
	Count int
	Share float64
	Kind  string
}

// A ReasonBar is the bar of a decision. Href leads to the URLs.
type ReasonBar struct {
	Explanation
	Count int
	Share float64
	Kind  string
	Href  string
}

// Texts returns an overview in the language of a catalog. href returns the address of a
// section of the report, see [Task].
func (o *Overview) Texts(c *catalog.Catalog, href func(section, choice string) string) *OverviewTexts {
	t := &OverviewTexts{
		Headline: o.headline(c), Depths: o.depthBars(c), Statuses: o.statusBars(c), Reasons: o.reasonBars(c, href),
		Figures: []Figure{
			{o.Pages, c.Text("figure.pages"), ""}, {o.Listed, c.Text("figure.listed"), "good"},
			{o.BrokenURLs, c.Text("figure.broken"), kindIf(o.BrokenURLs > 0, "bad")},
			{o.Redirects, c.Text("figure.redirects"), kindIf(o.LinkedRedirects > 0, "warn")},
		},
	}
	for i := range o.Tasks {
		t.Tasks = append(t.Tasks, o.Tasks[i].texts(c, href))
	}
	if n := o.Changes; n != nil {
		t.Since = c.Time(o.Previous)
		t.Changes = []Figure{
			{n.New, c.Text("change.new"), ""}, {n.Gone, c.Text("change.gone"), ""}, {n.Changed, c.Text("change.changed"), ""},
			{n.NewlyBroken, c.Text("change.broken"), kindIf(n.NewlyBroken > 0, "bad")},
			{n.Fixed, c.Text("change.fixed"), kindIf(n.Fixed > 0, "good")}, {n.Unchanged, c.Text("change.unchanged"), ""},
		}
	}
	return t
}

func kindIf(is bool, kind string) string {
	if is {
		return kind
	}
	return ""
}

func (o *Overview) headline(c *catalog.Catalog) string {
	pages := c.Plural("headline.pages", int64(o.Listed))
	switch {
	case o.BrokenLinks == 0 && o.AnchorLinks == 0:
		return c.Text("headline.clean", pages)
	case o.BrokenLinks == 0:
		return c.Text("headline.anchors", pages, c.Plural("headline.anchors", int64(o.AnchorLinks)))
	}
	return c.Text("headline.broken", pages, c.Plural("headline.broken", int64(o.BrokenLinks)))
}

// texts returns the texts of a task: "task.<ID>" for its number, and "task.<ID>.text". In
// some, the number is in the second.
func (t *Task) texts(c *catalog.Catalog, href func(section, choice string) string) TaskText {
	key, n := "task."+t.ID, int64(t.Count)
	view := TaskText{Kind: t.Kind, Code: t.Code}
	switch t.ID {
	case "broken":
		view.Title, view.Text = c.Plural(key, n), c.Plural(key+".text", int64(t.URLs))
		if t.File != "" {
			view.Text += " " + c.Text("task.broken.file", t.File)
		}
	case "finish", "limits", "soft-404":
		view.Title, view.Text = c.Text(key), c.Plural(key+".text", n)
	case "upload":
		view.Title, view.Text = c.Text(key, t.File), c.Plural(key+".text", n)
	default:
		view.Title, view.Text = c.Plural(key, n), c.Text(key+".text")
	}
	if t.Section != "" {
		view.Href = href(t.Section, t.Choice)
	}
	return view
}

// reasonTone returns the style of URLs with a decision: good, bad, warn or empty.
func reasonTone(reason crawl.Reason) string {
	switch reason {
	case crawl.ReasonListed, crawl.ReasonAdded:
		return "good"
	case crawl.ReasonClientError, crawl.ReasonServerError, crawl.ReasonUnreachable, crawl.ReasonRedirectLoop,
		crawl.ReasonSoft404:
		return "bad"
	case crawl.ReasonInconclusive, crawl.ReasonRedirect, crawl.ReasonTrap, crawl.ReasonLimit, crawl.ReasonTooLarge,
		crawl.ReasonUnlistable, Waiting:
		return "warn"
	}
	return ""
}

// ExplainDecision returns the explanation of a decision by its name, in the language of a
// catalog, and the style of its URLs: good, bad, warn or empty.
func ExplainDecision(c *catalog.Catalog, decision string) (e Explanation, kind string) {
	reason := crawl.Reason(decision)
	if decision == DecisionName(crawl.ReasonListed) {
		reason = crawl.ReasonListed
	}
	return explainIn(c, reason), reasonTone(reason)
}

// reasonBars returns the chart of decisions. URLs of other sites, which are often most of
// all, have no bar: it would make the others too short to compare.
func (o *Overview) reasonBars(c *catalog.Catalog, href func(section, choice string) string) (bars []ReasonBar) {
	most := 0
	for _, d := range o.Decisions {
		if d.Name != string(crawl.ReasonOutOfScope) {
			most = max(most, d.Count)
		}
	}
	for _, d := range o.Decisions {
		bar := ReasonBar{Count: d.Count, Href: href("addresses", d.Name)}
		bar.Explanation, bar.Kind = ExplainDecision(c, d.Name)
		if d.Name != string(crawl.ReasonOutOfScope) {
			bar.Share = barWidth(d.Count, most)
		}
		bars = append(bars, bar)
	}
	return bars
}

func barWidth(count, most int) float64 {
	if most == 0 {
		return 0
	}
	return max(0.5, 100*float64(count)/float64(most))
}

// depthBars returns the chart of crawl depths.
func (o *Overview) depthBars(c *catalog.Catalog) (bars []ChartBar) {
	for _, depth := range o.Depths {
		name := strconv.Itoa(depth.From)
		switch {
		case depth.To == maxDepth:
			name = c.Text("depth.over", c.Count(int64(depth.From-1)))
		case depth.To > depth.From:
			name = fmt.Sprintf("%d–%d", depth.From, depth.To)
		case depth.From == 0:
			name = c.Text("depth.start")
		}
		bars = append(bars, ChartBar{Name: name, Count: depth.Count})
	}
	if o.Orphans > 0 {
		bars = append(bars, ChartBar{Name: c.Text("depth.orphan"), Count: o.Orphans, Kind: "warn"})
	}
	return withShares(bars)
}

func (o *Overview) statusBars(c *catalog.Catalog) (bars []ChartBar) {
	for _, status := range o.Statuses {
		bar := ChartBar{Name: statusText(status.From), Count: status.Count}
		switch {
		case status.From == 0:
			bar.Name = c.Text("status.none")
		case status.From < 300:
			bar.Kind = "good"
		case status.From < 400:
			bar.Kind = "warn"
		default:
			bar.Kind = "bad"
		}
		bars = append(bars, bar)
	}
	return withShares(bars)
}

// withShares sets the lengths of bars.
func withShares(bars []ChartBar) []ChartBar {
	if len(bars) == 0 {
		return nil
	}
	most := slices.MaxFunc(bars, func(a, b ChartBar) int { return a.Count - b.Count }).Count
	for i := range bars {
		bars[i].Share = barWidth(bars[i].Count, most)
	}
	return bars
}
