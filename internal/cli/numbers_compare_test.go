package cli_test

import (
	"encoding/csv"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/app/service"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/page"
	"github.com/mapatools/mapa/internal/report"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// compare compares everything that is shown of the newest crawl of a site with its crawl file.
func (w *walk) compare(t *testing.T, s *numberedSite) {
	shown := w.results[w.sites[s.name]]
	c := readJudged(t, w.folder, shown.ID)
	for rule := range strings.FieldsSeq(s.rules) {
		if c.count(rule, "") == 0 {
			t.Errorf("%s finds nothing", rule)
		}
	}
	same(t, "verdict", []int{c.verdict.Listed, c.verdict.Errors, c.verdict.Warnings, c.verdict.Infos},
		[]int{c.listed, c.count("", "error"), c.count("", "warning"), c.count("", "info")})
	w.comparePrograms(t, c, shown.ID)
	for _, language := range catalog.Languages() {
		texts := catalog.For(language)
		w.compareOverview(t, c, texts, shown.ID)
		w.comparePages(t, c, texts, shown.ID)
		w.compareSites(t, c, texts, &shown)
	}
	w.compareNotice(t, c, s, &shown)
}

func same[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// get returns what the server answers.
func (w *walk) get(t *testing.T, address, language string) string {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, address, nil)
	r.Host = "localhost:8700"
	r.Header.Set("Accept-Language", language)
	answer := httptest.NewRecorder()
	w.pages.ServeHTTP(answer, r)
	if answer.Code != http.StatusOK {
		t.Fatalf("%s: %d %s", address, answer.Code, answer.Body)
	}
	return answer.Body.String()
}

func (w *walk) page(t *testing.T, texts *catalog.Catalog, address string) element {
	t.Helper()
	return parsePage(t, w.get(t, address, string(texts.Language())))
}

// compareOverview compares the overview, the navigation, and the lists that both lead to.
func (w *walk) compareOverview(t *testing.T, c *judgedCrawl, texts *catalog.Catalog, id string) {
	page := w.page(t, texts, "/crawls/"+id)
	outcome := report.Outcome{Verdict: c.verdict, Losses: c.losses}
	number := func(n int) string { return texts.Count(int64(n)) }
	figures := map[string]string{} // without those that are 0
	for name, n := range map[string]int{
		"pages": c.pages, "listed": c.listed, "errors": c.count("", "error"), "warnings": c.count("", "warning"),
	} {
		if n > 0 {
			figures[texts.Text("figure."+name)] = number(n)
		}
	}
	lists := page.all("dl", "numbers") // the first is what changed, if the crawl is compared
	same(t, "figures", lists[len(lists)-1].definitions(), figures)
	same(t, "headline", page.first("h2", "headline").text(), outcome.Headline(texts))
	same(t, "passed", page.first("details", "passed").first("summary", "").text(),
		texts.Plural("section.passed", int64(c.passed())))
	same(t, "titles of passed", len(page.first("details", "passed").all("li", "")), c.passed())
	parts, headings := textsOf(page.first("nav", "parts").all("a", "")), textsOf(page.all("h3", ""))
	sections := page.all("ol", "rules")
	for section, severity := range sectionSeverities {
		if len(c.counts(severity)) == 0 {
			continue
		}
		name := texts.Text("section."+section) + " " + number(c.count("", severity))
		if !slices.Contains(parts, name) || !slices.Contains(headings, name) {
			t.Errorf("%q is not in %q and %q", name, parts, headings)
			continue
		}
		list := sections[0]
		for _, one := range sections {
			if strings.Contains(one.first("a", "go").attr("href"), "severity="+severity) {
				list = one
			}
		}
		var rules []string
		for _, one := range list.all("li", "") {
			link := one.first("a", "go")
			n := strings.TrimSpace(strings.TrimSuffix(link.text(), link.first("span", "share").text()))
			rules = append(rules, one.first("summary", "rule").text()+" "+n)
		}
		slices.Sort(rules)
		same(t, section, rules, titles(texts, c.counts(severity)))
		for _, link := range list.all("a", "go") {
			w.compareList(t, c, texts, link.attr("href"))
		}
	}
	if all := texts.Text("section.addresses") + " " + number(len(c.decisions)); !slices.Contains(parts, all) {
		t.Errorf("%q is not in %q", all, parts)
	}
	w.compareDecisions(t, c, texts, page)
	w.compareTreemap(t, texts, page, id)
}

// compareTreemap compares the picture of the folders with the lists that its fields lead to, and with the same
// picture on the page of the site.
func (w *walk) compareTreemap(t *testing.T, texts *catalog.Catalog, page element, id string) {
	picture := page.first("figure", "treemap")
	for _, one := range picture.all("li", "") {
		link := one.first("a", "")
		if strings.HasSuffix(link.text(), texts.Text("treemap.others", "")) {
			continue // the list has the folders in it too
		}
		number, _, _ := strings.Cut(strings.TrimPrefix(one.text(), link.text()+" "), ":")
		same(t, "addresses in "+link.text(), number, w.page(t, texts, link.attr("href")).found())
	}
	for _, c := range w.results {
		if c.ID == id {
			site := w.page(t, texts, "/sites/"+c.Site).first("figure", "treemap")
			same(t, "picture of the site", site.text(), picture.text())
		}
	}
}

// compareList compares a list of findings in all its parts, its exports, and its pages.
func (w *walk) compareList(t *testing.T, c *judgedCrawl, texts *catalog.Catalog, address string) {
	at, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	rule, severity := at.Query().Get("rule"), at.Query().Get("severity")
	var rows [][]string
	page, exports := element{}, map[string]string{}
	for next := address; next != ""; next = linkNext(page) {
		page = w.page(t, texts, next)
		rows = append(rows, page.table()...)
	}
	want := c.rows(texts, rule, severity)
	if rule == "link-broken" {
		want = c.brokenRows(texts, severity)
	}
	same(t, "rows of "+rule, plainRows(rows), want)
	for _, link := range page.all("a", "") {
		if link.text() == texts.Text("web.findings.pages") {
			same(t, "URLs with "+rule, w.page(t, texts, link.attr("href")).found(),
				texts.Plural("web.found", int64(c.pagesWith(rule))))
		}
	}
	var pills []string
	for _, pill := range page.first("ul", "pills").all("a", "") {
		pills = append(pills, pill.text())
	}
	slices.Sort(pills)
	same(t, "rules next to "+rule, pills, titles(texts, c.counts(severity)))
	for _, link := range page.first("p", "exports").all("a", "") {
		exports[link.text()] = link.attr("href")
	}
	table, err := csv.NewReader(strings.NewReader(w.get(t, exports["CSV"], ""))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	same(t, "CSV of "+rule, len(table)-1, len(rows))
	var list []json.RawMessage
	readJSON(t, w.get(t, exports["JSON"], ""), &list)
	same(t, "JSON of "+rule, len(list), len(rows))
}

// linkNext returns the address of the next part of a list, or "".
func linkNext(page element) string {
	for _, link := range page.first("nav", "pager").all("a", "") {
		if link.attr("rel") == "next" {
			return link.attr("href")
		}
	}
	return ""
}

// compareDecisions compares the table of decisions with the lists of URLs that it leads to.
func (w *walk) compareDecisions(t *testing.T, c *judgedCrawl, texts *catalog.Catalog, shown element) {
	want := map[string]int{}
	for _, decision := range c.decisions {
		want[page.Explain(texts, page.DecisionNamed(decision)).Name]++
	}
	got := map[string]int{}
	for _, row := range shown.first("table", "reasons").first("tbody", "").all("tr", "") {
		link := row.first("a", "")
		n := int64(want[link.text()])
		got[link.text()] = int(n)
		same(t, "decision "+link.text(), row.all("td", "figure")[0].text(), texts.Count(n))
		same(t, "list of "+link.text(), w.page(t, texts, link.attr("href")).found(), texts.Plural("web.found", n))
	}
	same(t, "decisions", got, want)
}

// comparePages compares the list of all URLs, and the page of each.
func (w *walk) comparePages(t *testing.T, c *judgedCrawl, texts *catalog.Catalog, id string) {
	got := map[string]bool{}
	page := element{}
	for next := "/crawls/" + id + "/pages"; next != ""; next = linkNext(page) {
		page = w.page(t, texts, next)
		for _, link := range page.first("table", "list").first("tbody", "").all("tr", "") {
			link := link.first("a", "address")
			got[link.text()] = true
			one := w.page(t, texts, link.attr("href"))
			address := one.first("article", "panel").attr("data-title")
			found := textsOf(one.first("ul", "findings").all("bdi", ""))
			slices.Sort(found)
			same(t, "findings of "+address, found, c.findingsOf(texts, address))
		}
	}
	want := map[string]bool{}
	for address := range c.decisions {
		want[c.short(address)] = true
	}
	same(t, "URLs", slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
}

// compareSites compares the start page, the list of sites, and the page of the site.
func (w *walk) compareSites(t *testing.T, c *judgedCrawl, texts *catalog.Catalog, shown *service.Crawl) {
	broken := c.count("link-broken", "")
	pages := []string{texts.Plural("web.pages", int64(c.pages))}
	lost := 0
	for i := range c.losses {
		lost += c.losses[i].Count
	}
	for key, count := range map[string]int{"web.lost": lost, "web.broken": broken} {
		if count > 0 {
			pages = append(pages, texts.Plural(key, int64(count)))
		}
	}
	for _, row := range w.page(t, texts, "/").first("ul", "rows").all("li", "") {
		for _, want := range pages {
			if row.first("a", "").attr("href") == "/crawls/"+shown.ID && !strings.Contains(row.text()+" ", want+" ") {
				t.Errorf("the start page: %q, want %q", row.text(), want)
			}
		}
	}
	for _, row := range w.page(t, texts, "/sites").first("table", "sites").first("tbody", "").all("tr", "") {
		cells := row.all("td", "figure")
		if row.first("a", "").attr("href") != "/sites/"+shown.Site || len(cells) == 0 {
			continue
		}
		for i, n := range []int{c.listed, broken, lost} {
			if want := texts.Count(int64(n)); !strings.HasSuffix(" "+cells[i].text(), " "+want) {
				t.Errorf("the list of sites: %q, want %q", cells[i].text(), want)
			}
		}
	}
	page := w.page(t, texts, "/sites/"+shown.Site)
	row := page.table()[0]
	var want []string
	for _, n := range []int{c.pages, c.listed, broken} {
		want = append(want, texts.Count(int64(n)))
	}
	same(t, "history", row[len(row)-4:len(row)-1], want)
	var last []string
	for _, trend := range page.all("figure", "trend") {
		last = append(last, trend.first("strong", "").text())
	}
	same(t, "trends", last, want)
}

// comparePrograms compares what programs receive: by the API and by MCP.
func (w *walk) comparePrograms(t *testing.T, c *judgedCrawl, id string) {
	type counts struct{ Pages, Listed, Broken, Waiting int }
	type overview struct {
		URLs, Pages, Listed, Waiting int
		Verdict                      struct{ Errors, Warnings, Infos int }
		Fix, Improve, Look           []struct {
			Rule  string
			Count int
		}
		Passed any // the rules, or for language models how many they are
	}
	for name, ask := range map[string]func(api, tool string, arguments map[string]any) string{
		"API": func(api, _ string, _ map[string]any) string { return w.get(t, "/api/v1/crawls/"+id+api, "") },
		"MCP": func(_, tool string, arguments map[string]any) string {
			return w.call(t, tool, arguments)
		},
	} {
		one := map[string]any{"id": id}
		var state struct{ Counts counts }
		readJSON(t, ask("", "crawl_status", one), &state)
		same(t, name, state.Counts, counts{c.pages, c.listed, c.count("link-broken", ""), c.waiting})
		var o overview
		readJSON(t, ask("/overview", "overview", one), &o)
		passed := 0
		switch given := o.Passed.(type) {
		case []any:
			passed = len(given)
		case float64:
			passed = int(given)
		}
		same(t, name, []int{o.URLs, o.Pages, o.Listed, o.Waiting, passed},
			[]int{len(c.decisions), c.pages, c.listed, c.waiting, c.passed()})
		same(t, name, []int{o.Verdict.Errors, o.Verdict.Warnings, o.Verdict.Infos},
			[]int{c.count("", "error"), c.count("", "warning"), c.count("", "info")})
		rules := map[string]bool{}
		for severity, section := range map[string][]struct {
			Rule  string
			Count int
		}{"error": o.Fix, "warning": o.Improve, "info": o.Look} {
			found := map[string]int{}
			for _, rule := range section {
				found[rule.Rule], rules[rule.Rule] = rule.Count, true
			}
			same(t, name+" "+severity, found, c.counts(severity))
		}
		for rule := range rules {
			rows := 0
			for cursor, more := "", true; more; more = cursor != "" {
				var list struct {
					Findings []struct{ Rule string }
					Total    int
					Next     string
				}
				query := url.Values{"rule": {rule}, "cursor": {cursor}}.Encode()
				arguments := map[string]any{"id": id, "rule": rule, "cursor": cursor}
				readJSON(t, ask("/findings?"+query, "list_findings", arguments), &list)
				rows += len(list.Findings)
				cursor = list.Next
				same(t, name+" total of "+rule, list.Total, len(c.allRows(rule)))
			}
			same(t, name+" rows of "+rule, rows, len(c.allRows(rule)))
		}
		var list struct{ Total int }
		readJSON(t, ask("/pages", "list_pages", one), &list)
		same(t, name+" pages", list.Total, len(c.decisions))
	}
}

// call returns what a tool of MCP answers.
func (w *walk) call(t *testing.T, tool string, arguments map[string]any) string {
	t.Helper()
	result, err := w.mcp.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil || result.IsError {
		t.Fatalf("%s: %+v, %v", tool, result, err)
	}
	return result.Content[0].(*sdk.TextContent).Text
}

func readJSON(t *testing.T, text string, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
}

// compareNotice compares what the webhook and the mailbox of a site have received.
func (w *walk) compareNotice(t *testing.T, c *judgedCrawl, s *numberedSite, shown *service.Crawl) {
	if s.notice == "" {
		return
	}
	hook, mail := w.hooks[shown.URL], w.mails[shown.URL]
	broken := int64(c.count("link-broken", ""))
	same(t, "webhook", []any{string(hook.Kind), hook.Counts.Pages, hook.Counts.Listed, hook.Counts.Broken},
		[]any{s.notice, int64(c.pages), int64(c.listed), broken})
	english := catalog.For(catalog.English)
	if s.notice != string(service.NoticeChanged) {
		return
	}
	changes := w.page(t, english, "/crawls/"+shown.ID).first("dl", "numbers").definitions()
	for _, change := range hook.Changes {
		name := english.Text("change." + string(change.Kind))
		same(t, name, changes[name], strconv.Itoa(change.Count))
		same(t, "named", len(change.Pages), change.Count)
	}
	for _, page := range hook.Changes[0].Pages {
		if !strings.Contains(mail, page.URL) {
			t.Errorf("the mail has no %s: %s", page.URL, mail)
		}
	}
}
