package report

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/compare"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/insight"
	"github.com/mapatools/mapa/internal/page"
	"github.com/mapatools/mapa/internal/view"
	"github.com/mapatools/mapa/lint"
)

// OverviewTexts is an [Overview] in one language.
type OverviewTexts struct {
	Sign        SignText
	Headline    string // the verdict
	Advice      string // what would help
	Code        string // line to copy, or empty
	Figures     []Figure
	Rendered    []string // what was rendered, and why
	Changes     []Figure // since the previous crawl
	Since       string   // when that was
	NotCompared string   // which options keep the crawl from being compared; mostly empty
	Sections    []Section
	Passed      []string // titles of the rules that found nothing
	Depths      []ChartBar
	Statuses    []ChartBar
	Reasons     []ReasonBar
	Treemap     *view.Treemap   // of the folders; nil when there is only one
	Indexed     *view.TimeChart // listed and indexed pages; nil without figures of the index
}

// A Section has the rules that found something with one severity.
type Section struct {
	ID       string // fix, improve or look
	Name     string
	Kind     string // style: bad, warn or empty
	Severity lint.Severity
	Count    int // problems
	Rules    []RuleText
}

// A RuleText is a rule that found something. Href leads to its findings.
type RuleText struct {
	ID, Title, Why, Fix string
	Count               int
	Share               string // of the pages that answered; empty for a rule that is not about pages
	Href                string
}

// A Figure is a number with a name. Kind is its style: good, bad, warn or empty. Href leads to what it counts, if that
// is not empty.
type Figure struct {
	Count            int
	Name, Kind, Href string
}

// A ChartBar is a bar of a chart with its share of the longest bar in percent.
type ChartBar struct {
	Name  string
	Count int
	Share float64
	Kind  string
}

// A ReasonBar is the bar of a decision. Href leads to the URLs.
type ReasonBar struct {
	page.Explanation
	Count int
	Share float64
	Href  string
}

// Texts returns an overview in the language of a catalog. href returns the address of the findings of a
// rule in a section of [OverviewTexts], that of the URLs with a decision in the section "addresses", and that
// of the URLs in a folder in the section "tree", where no folder is all of them.
func (o *Overview) Texts(c *catalog.Catalog, href func(section, choice string) string) *OverviewTexts {
	outcome := Outcome{o.Verdict, o.Losses, o.Changes}
	t := &OverviewTexts{
		Sign:     NewSignText(c, o.Sign),
		Headline: outcome.Headline(c), Advice: outcome.Advice(c), Sections: o.SectionTexts(c, href), Depths: o.depthBars(c),
		Statuses: o.statusBars(c), Reasons: o.reasonBars(c, href), Treemap: o.Treemap(c, href),
		Rendered: o.renderedTexts(c), Indexed: IndexChart(c, o.Figures, o.Crawls),
		Figures: []Figure{{o.Pages, c.Text("figure.pages"), "", ""}, {o.Listed, c.Text("figure.listed"), "good", ""}},
	}
	if o.Verdict != nil {
		t.Figures = append(t.Figures,
			Figure{o.Verdict.Errors, c.Text("figure.errors"), kindIf(o.Verdict.Errors > 0, "bad"), ""},
			Figure{o.Verdict.Warnings, c.Text("figure.warnings"), kindIf(o.Verdict.Warnings > 0, "warn"), ""})
	}
	if o.Ignored > 0 {
		t.Figures = append(t.Figures, Figure{o.Ignored, c.Text("figure.ignored"), "", href("ignored", "")})
	}
	if o.Sitemap != "" {
		t.Code = "Sitemap: " + o.Sitemap
	}
	for _, id := range o.Passed {
		t.Passed = append(t.Passed, NewRuleText(c, id).Title)
	}
	t.Since = c.Time(o.Previous)
	if o.NotCompared == insight.NotComparedOptions {
		t.NotCompared = c.Text("comparison.other-options", t.Since, o.Flags())
	}
	if n := o.Changes; n != nil {
		t.Changes = ChangeFigures(c, n, func(kind string) string { return href("changes", kind) })
	}
	return t
}

// ChangeFigures returns how many URLs changed, by kind, and how many did not. href returns the address of a list of
// those of a kind.
func ChangeFigures(c *catalog.Catalog, n *compare.Counts, href func(kind string) string) (figures []Figure) {
	for _, kind := range compare.Kinds {
		count, tone, list := *n.Of(kind), "", ""
		if count > 0 {
			tone = ChangeTone(kind)
		}
		if count > 0 && href != nil {
			list = href(string(kind))
		}
		figures = append(figures, Figure{count, c.Text("change." + string(kind)), tone, list})
	}
	return append(figures, Figure{n.Unchanged, c.Text("change.unchanged"), "", ""})
}

// ChangeTone returns the style of a kind of change, see Figure.
func ChangeTone(kind compare.Kind) string {
	switch {
	case kind.IsLoss():
		return "bad"
	case kind == compare.KindFixed:
		return "good"
	}
	return ""
}

// SectionTexts returns the sections that have rules, see Texts.
func (o *Overview) SectionTexts(c *catalog.Catalog, href func(section, choice string) string) (sections []Section) {
	for _, one := range []struct {
		id       string
		severity lint.Severity
		rules    []insight.RuleCount
	}{
		{"fix", lint.SeverityError, o.Fix}, {"improve", lint.SeverityWarning, o.Improve}, {"look", lint.SeverityInfo, o.Look},
	} {
		section := Section{
			ID: one.id, Name: c.Text("section." + one.id), Kind: SeverityTone(one.severity), Severity: one.severity,
		}
		for _, rule := range one.rules {
			section.Count += rule.Count
			text := NewRuleText(c, rule.Rule)
			text.Count, text.Share, text.Href = rule.Count, o.share(c, rule.Pages), href(one.id, rule.Rule)
			section.Rules = append(section.Rules, text)
		}
		if len(section.Rules) > 0 {
			sections = append(sections, section)
		}
	}
	return sections
}

// share returns the share of some of the pages that answered.
func (o *Overview) share(c *catalog.Catalog, pages int) string {
	answered := 0
	for _, status := range o.Statuses {
		if status.From/100 == 2 {
			answered += status.Count
		}
	}
	switch percent := pages * 100 / max(answered, 1); {
	case pages == 0:
		return ""
	case percent >= 100:
		return c.Text("share.all")
	case percent == 0:
		return c.Text("share.least")
	default:
		return c.Text("share.some", c.Count(int64(percent)))
	}
}

// NewRuleText returns the texts of a rule by its ID.
func NewRuleText(c *catalog.Catalog, id string) RuleText {
	rule, err := lint.LookupRule(id)
	if err != nil {
		return RuleText{ID: id, Title: id} // of a later version
	}
	language := string(c.Language())
	return RuleText{
		ID: id, Title: format.Capitalize(rule.Title().In(language)), Why: rule.Why().In(language),
		Fix: rule.Fix().In(language),
	}
}

// SeverityTone returns the style of a severity: bad, warn or empty.
func SeverityTone(severity lint.Severity) string {
	switch severity {
	case lint.SeverityError:
		return "bad"
	case lint.SeverityWarning:
		return "warn"
	}
	return ""
}

func kindIf(is bool, kind string) string {
	if is {
		return kind
	}
	return ""
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
		bar.Explanation = page.Explain(c, page.DecisionNamed(d.Name))
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
	if o.Unreached > 0 {
		bars = append(bars, ChartBar{Name: c.Text("filter.depth.none"), Count: o.Unreached, Kind: "warn"})
	}
	return withShares(bars)
}

func (o *Overview) statusBars(c *catalog.Catalog) (bars []ChartBar) {
	for _, status := range o.Statuses {
		bar := ChartBar{Name: page.StatusName(c, status.From), Count: status.Count}
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
