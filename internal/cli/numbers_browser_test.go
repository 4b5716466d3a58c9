package cli_test

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/programtest"
)

// compareReport compares report.html of a crawl, as a browser shows it, with the result pages of the web
// application: the parts, and of each list the columns and the cells.
func (w *walk) compareReport(t *testing.T, id string) {
	english := catalog.For(catalog.English)
	name := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(name, []byte(w.get(t, "/crawls/"+id+"/files/report.html", "")), 0o600); err != nil {
		t.Fatal(err)
	}
	open := func(fragment string) element {
		document, console := programtest.Browse(t, name, fragment)
		if console != "" {
			t.Errorf("%s: the console says %s", fragment, console)
		}
		return parsePage(t, document)
	}
	overview, page := open(""), w.page(t, english, "/crawls/"+id)
	shared := textsOf(page.first("nav", "parts").all("a", ""))
	same(t, "parts", textsOf(overview.first("nav", "").all("a", "")), shared[:len(shared)-1]) // without changes
	for _, of := range [][2]string{
		{"h2", "headline"}, {"ol", "rules"}, {"ol", "tasks"}, {"details", "passed"}, {"table", "reasons"},
		{"figure", "treemap"},
	} {
		same(t, of[1], textsOf(overview.all(of[0], of[1])), textsOf(page.all(of[0], of[1])))
	}
	figures, numbers := overview.first("dl", "figures").definitions(), page.all("dl", "numbers")
	maps.DeleteFunc(figures, func(_, n string) bool { return n == "0" }) // which the web application leaves out
	same(t, "figures", figures, numbers[len(numbers)-1].definitions())
	for i, link := range page.all("a", "go") {
		fragment := overview.all("a", "go")[i].attr("href")
		w.compareLists(t, english, fragment, open(fragment[1:]), link.attr("href"))
	}
	w.comparePanels(t, english, overview, open, id)
	w.compareLists(t, english, "addresses", open("addresses"), "/crawls/"+id+"/pages")
}

// compareLists compares a list of the report with the first part of one of the web application: of broken links, the
// URLs that are broken.
func (w *walk) compareLists(t *testing.T, texts *catalog.Catalog, part string, report element, address string) {
	page := w.page(t, texts, address)
	for _, section := range report.all("section", "") {
		if section.first("table", "list").Data == "" || hidden(section) {
			continue
		}
		if page.first("ol", "broken").Data != "" { // not in columns there
			rows, entries := section.table(), page.table()
			same(t, "number of "+part, len(rows), len(entries))
			for i := range min(len(rows), len(entries)) {
				if !strings.HasSuffix(entries[i][0], " "+rows[i][2]) {
					t.Errorf("%s: %s in the web application, %s in the report", part, entries[i][0], rows[i][2])
				}
			}
			return
		}
		same(t, "columns of "+part, textsOf(section.first("table", "list").all("th", "")),
			textsOf(page.first("table", "list").all("th", "")))
		same(t, "rows of "+part, section.table(), page.table())
		return
	}
	t.Errorf("%s is not shown", part)
}

// hidden reports whether an element is not shown.
func hidden(e element) bool {
	for _, a := range e.Attr {
		if a.Key == "hidden" {
			return true
		}
	}
	return false
}

// comparePanels compares the panels of URLs in the report, those that are readable without JavaScript and some
// that the script fills, with their pages.
func (w *walk) comparePanels(
	t *testing.T, texts *catalog.Catalog, report element, open func(fragment string) element, id string,
) {
	pages := map[string]element{}
	for _, row := range w.page(t, texts, "/crawls/"+id+"/pages").first("table", "list").first("tbody", "").all("tr", "") {
		one := w.page(t, texts, row.first("a", "address").attr("href"))
		pages[one.first("article", "panel").attr("data-title")] = one
	}
	panels := report.all("article", "")
	same(t, "panels", len(panels), len(pages))
	for i, panel := range panels {
		page := pages[panel.first("bdi", "address").text()]
		same(t, "panel of "+page.first("h2", "").text(), facts(panel), facts(page))
		if i == 2 {
			filled := open(strings.Replace(panel.attr("id"), "page-", "page/", 1)).first("dialog", "")
			same(t, "filled panel of "+page.first("h2", "").text(), facts(filled), facts(page))
			same(t, "findings in it", textsOf(filled.first("ul", "findings").all("li", "")),
				textsOf(page.first("ul", "findings").all("li", "")))
		}
	}
}

// facts returns the facts about a URL with their names.
func facts(page element) (lines []string) {
	for _, one := range page.first("dl", "facts").all("div", "") {
		if hidden(one) {
			continue
		}
		lines = append(lines, one.first("dt", "").text()+": "+one.first("dd", "").text())
	}
	return lines
}
