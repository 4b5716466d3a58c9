package cli_test

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/insight"
	"github.com/mapatools/mapa/internal/page"
	"github.com/mapatools/mapa/internal/report"
	"github.com/mapatools/mapa/internal/store"
	"golang.org/x/net/html"
)

// A judgedCrawl has what the crawl file says, which all that is shown is compared with.
type judgedCrawl struct {
	pages, listed, waiting int
	decisions              map[string]string // by URL
	single, findings       []insight.Finding // each, and those that are alike as one
	verdict                *insight.Verdict
	losses                 []store.LossCount
	origin                 string
}

// readJudged reads the crawl in the folder with a name somewhere below the folder of a service.
func readJudged(t *testing.T, folder, id string) *judgedCrawl {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(folder, "*", id, "crawl.sqlite"))
	if err != nil || len(names) != 1 {
		t.Fatalf("%q, %v", names, err)
	}
	file, err := store.OpenReader(names[0])
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	c := &judgedCrawl{decisions: map[string]string{}}
	meta := file.Meta()
	c.origin = strings.TrimSuffix(meta.Start, "/")
	if c.losses, err = file.CountLosses(t.Context()); err != nil {
		t.Fatal(err)
	}
	for record, err := range file.Pages(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		c.decisions[record.Link.URL] = page.DecisionName(page.DecisionOf(&record))
		switch page.DecisionOf(&record) {
		case crawl.ReasonListed, crawl.ReasonAdded:
			c.listed++
		case page.Waiting:
			c.waiting++
		}
		if record.Requested() {
			c.pages++
		}
	}
	found := insight.Read(context.Background(), file, insight.Filter{})
	for f, err := range found {
		if err != nil {
			t.Fatal(err)
		}
		c.single = append(c.single, f)
	}
	for f, err := range insight.Group(found) {
		if err != nil {
			t.Fatal(err)
		}
		c.findings = append(c.findings, f)
	}
	if c.verdict, err = insight.ReadVerdict(file); err != nil {
		t.Fatal(err)
	}
	return c
}

// aboutTargets are the rules that count URLs that are linked to, and not the pages with the links.
var aboutTargets = []string{
	"link-broken", "link-inconclusive", "link-localhost", "link-no-text", "link-vague", "anchor-missing",
}

// count returns the problems that a rule found, of all rules for an empty one, with a severity, or with any for
// an empty one.
func (c *judgedCrawl) count(rule, severity string) (n int) {
	for _, f := range c.findings {
		switch {
		case rule != "" && f.Rule.ID != rule || severity != "" && f.Severity.String() != severity:
		case slices.Contains(aboutTargets, f.Rule.ID):
			n++
		default:
			n += f.Places
		}
	}
	return n
}

// counts returns the problems by the rules that found something with a severity.
func (c *judgedCrawl) counts(severity string) map[string]int {
	counts := map[string]int{}
	for _, f := range c.findings {
		if f.Severity.String() == severity {
			counts[f.Rule.ID] = c.count(f.Rule.ID, severity)
		}
	}
	return counts
}

// passed returns how many rules were applied and found nothing.
func (c *judgedCrawl) passed() (n int) {
	for rule := range c.verdict.Rules {
		if c.count(rule, "") == 0 {
			n++
		}
	}
	return n
}

// short returns a URL as pages show it.
func (c *judgedCrawl) short(url string) string {
	if rest, is := strings.CutPrefix(url, c.origin); is && strings.HasPrefix(rest, "/") {
		url = rest
	}
	return format.ReadableURL(url)
}

// rows returns what a rule found with a severity as the rows of a table: page, finding, other URL, pages.
func (c *judgedCrawl) rows(texts *catalog.Catalog, rule, severity string) (rows [][]string) {
	hasOther := slices.ContainsFunc(c.findings, func(f insight.Finding) bool {
		return f.Rule.ID == rule && f.Severity.String() == severity && f.HasOther()
	})
	for _, f := range c.findings {
		if f.Rule.ID != rule || f.Severity.String() != severity {
			continue
		}
		var pages []string
		for _, place := range f.First {
			if place.ID > 0 {
				pages = append(pages, c.short(place.URL), place.Text)
			}
		}
		if pages = append(pages, f.File); f.InTemplate(c.pages) {
			pages = append(pages, texts.Text("script.in-template"))
		}
		shown, other := f, ""
		if shown.OtherURL = c.short(f.OtherURL); f.HasOther() {
			other = shown.OtherURL
		}
		row := []string{strings.Join(pages, " "), shown.Text(texts)}
		if hasOther {
			row = append(row, other)
		}
		rows = append(rows, append(row, texts.Count(int64(f.Places))))
	}
	return plainRows(rows)
}

// brokenRows returns the broken links with a severity as the entries of a list of the web application.
func (c *judgedCrawl) brokenRows(texts *catalog.Catalog, severity string) (rows [][]string) {
	for _, f := range c.findings {
		if f.Rule.ID == "link-broken" && f.Severity.String() == severity {
			rows = append(rows, c.brokenRow(texts, &f))
		}
	}
	return plainRows(rows)
}

// brokenRow returns a broken link as such an entry: its answer and URL, who links to it, the first pages.
func (c *judgedCrawl) brokenRow(texts *catalog.Catalog, f *insight.Finding) []string {
	quote := func(text string) string {
		if text == "" {
			return texts.Text("web.broken.no-text")
		}
		return texts.Text("web.broken.quote", text)
	}
	where, pages := texts.Text("web.broken.unlinked"), ""
	switch {
	case f.Other == 0:
	case f.InTemplate(c.pages):
		where = texts.Plural("web.broken.template", int64(f.Places)) + " " + quote(f.First[0].Text)
	default:
		where = texts.Plural("web.broken.pages", int64(f.Places))
		for _, place := range f.First {
			pages += " " + c.short(place.URL) + " " + quote(place.Text)
		}
		if rest := f.Places - len(f.First); rest > 0 {
			pages += " " + texts.Plural("panel.rest", int64(rest))
		}
	}
	where += " · " + texts.Text("web.ignore.open")
	if end, is := f.RedirectEnd(); is {
		where = texts.Text("web.broken.redirect", c.short(end)) + " · " + where
	}
	return []string{f.Why().In(texts) + " " + c.short(cmp.Or(f.OtherURL, f.URL)), where, pages}
}

// findingsOf returns the texts of what the rules found on a page, whose address is as people read it.
func (c *judgedCrawl) findingsOf(texts *catalog.Catalog, address string) (found []string) {
	for _, f := range c.single {
		if format.ReadableURL(f.URL) == address {
			f.OtherURL = c.short(f.OtherURL)
			found = append(found, f.Text(texts))
		}
	}
	slices.Sort(found)
	return found
}

// allRows returns what a rule found with any severity.
func (c *judgedCrawl) allRows(rule string) (found []insight.Finding) {
	for _, f := range c.findings {
		if f.Rule.ID == rule {
			found = append(found, f)
		}
	}
	return found
}

// pagesWith returns the number of URLs on which a rule found something.
func (c *judgedCrawl) pagesWith(rule string) int {
	pages := map[string]bool{}
	for _, f := range c.single {
		if f.Rule.ID == rule && f.Page > 0 {
			pages[f.URL] = true
		}
	}
	return len(pages)
}

// plainRows returns rows in an order of their own, with single spaces.
func plainRows(rows [][]string) [][]string {
	for _, row := range rows {
		for i := range row {
			row[i] = strings.Join(strings.Fields(row[i]), " ")
		}
	}
	slices.SortFunc(rows, slices.Compare)
	return rows
}

// sectionSeverities are the severities of the findings in each section.
var sectionSeverities = map[string]string{"fix": "error", "improve": "warning", "look": "info"}

// titles returns the titles of rules with their numbers.
func titles(texts *catalog.Catalog, counts map[string]int) (lines []string) {
	for rule, n := range counts {
		lines = append(lines, report.NewRuleText(texts, rule).Title+" "+texts.Count(int64(n)))
	}
	slices.Sort(lines)
	return lines
}

// An element is a part of a page.
type element struct{ *html.Node }

func parsePage(t *testing.T, page string) element {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	return element{root}
}

// all returns the elements in an element with a name and a class; an empty class is any.
func (e element) all(name, class string) (found []element) {
	for n := range e.Descendants() {
		one := element{n}
		hasClass := class == "" || slices.Contains(strings.Fields(one.attr("class")), class)
		if n.Type == html.ElementNode && n.Data == name && hasClass {
			found = append(found, one)
		}
	}
	return found
}

// first returns the first such element, or an empty one.
func (e element) first(name, class string) element {
	if found := e.all(name, class); len(found) > 0 {
		return found[0]
	}
	return element{&html.Node{}}
}

func (e element) attr(key string) string {
	for _, a := range e.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

// text returns what people read, with single spaces.
func (e element) text() string {
	var words []string
	for n := range e.Descendants() {
		if n.Type == html.TextNode {
			words = append(words, strings.Fields(n.Data)...)
		}
	}
	return strings.Join(words, " ")
}

// found returns how many URLs a list says that it has.
func (e element) found() string {
	for _, p := range e.all("p", "") {
		if p.attr("role") == "status" {
			return p.text()
		}
	}
	return ""
}

// textsOf returns the texts of elements.
func textsOf(elements []element) (texts []string) {
	for _, e := range elements {
		texts = append(texts, e.text())
	}
	return texts
}

// table returns the cells of the list in a page, or the lines of broken links.
func (e element) table() (rows [][]string) {
	for _, list := range e.all("ol", "broken") {
		for _, title := range list.all("h4", "") {
			entry := element{title.Parent}
			rows = append(rows, []string{title.text(), entry.first("p", "").text(), entry.first("ul", "").text()})
		}
	}
	for _, body := range e.first("table", "list").all("tbody", "") {
		for _, row := range body.all("tr", "") {
			rows = append(rows, textsOf(row.all("td", "")))
		}
	}
	return rows
}

// definitions returns the numbers of a list of figures by their names.
func (e element) definitions() map[string]string {
	found := map[string]string{}
	for _, one := range e.all("div", "") {
		found[one.first("dt", "").text()] = one.first("dd", "").text()
	}
	return found
}
