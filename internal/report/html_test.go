package report_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/programtest"
	"github.com/mapatools/mapa/internal/report"
	"github.com/mapatools/mapa/internal/store"
	"golang.org/x/net/html"
)

func writeHTML(ctx context.Context, file *store.File, w io.Writer) error {
	return report.WriteHTML(ctx, file, w, nil)
}

func writeBrief(ctx context.Context, file *store.File, w io.Writer) error {
	return report.WriteHTML(ctx, file, w, &report.HTMLOptions{Brief: true})
}

func save(t *testing.T, text []byte) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(name, text, 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestBrowserSeesAttacks checks that Browse detects an attack that works.
func TestBrowserSeesAttacks(t *testing.T) {
	page := "<!doctype html><title>" + attackScript + "</title></title>" + attackScript +
		"<script>console.error('seen')</script>"
	document, console := programtest.Browse(t, save(t, []byte(page)), "")
	if !strings.Contains(document, owned+`="1"`) || !strings.Contains(console, "seen") {
		t.Errorf("the attack left %s and %q", document, console)
	}
}

// TestBrowser opens every part of a report on hostile texts and checks that no script
// runs except its own.
func TestBrowser(t *testing.T) {
	page := save(t, format(t, writeHTML, sample(t)))
	shown := regexp.MustCompile(`<section id="\w+">`)
	for part, shows := range map[string]string{
		"":                        "The sitemap is incomplete",
		"overview":                "checks passed",
		"fix":                     "the old page",
		"fix/link-broken":         "/gone is broken (404 Not Found)",
		"improve":                 "Improve",
		"improve/anchor-missing":  "/about-us#team",
		"look":                    "Look",
		"addresses":               "disallowed by line 3: Disallow: /private/",
		"addresses/client-error":  "/gone",
		"tree":                    "private/",
		"page/99":                 "All URLs",
		"no-such-part":            "The sitemap is incomplete",
		"addresses/%3Cimg%20src=": "/gone",
	} {
		t.Run(part, func(t *testing.T) {
			document, console := programtest.Browse(t, page, part)
			if console != "" {
				t.Errorf("the console says %s", console)
			}
			if text := inspect(t, document); !strings.Contains(text, shows) {
				t.Errorf("%q is not shown in:\n%s", shows, text)
			}
			if parts := shown.FindAllString(document, -1); len(parts) != 1 {
				t.Errorf("the page shows %s", parts)
			}
		})
	}
}

// TestPanels opens panels of hostile and other URLs and checks that no script runs
// except that of the page.
func TestPanels(t *testing.T) {
	page := save(t, format(t, writeHTML, sample(t)))
	seen := ""
	for _, number := range []int{2, 3, 8, 13, 19} {
		document, console := programtest.Browse(t, page, fmt.Sprintf("page/%d", number))
		if console != "" {
			t.Errorf("the console says %s", console)
		}
		seen += inspect(t, document)
	}
	for _, want := range []string{attackScript, attackImage, "About About", "5 ms", "redirects here", "the old page",
		"Open Graph", "404", "What to change", "Page without a viewport for phones"} {
		if !strings.Contains(seen, want) {
			t.Errorf("no panel shows %q", want)
		}
	}
}

// TestSpanish opens a report in Spanish. Its script writes numbers and dates as Go does.
func TestSpanish(t *testing.T) {
	page := save(t, format(t, func(ctx context.Context, file *store.File, w io.Writer) error {
		return report.WriteHTML(ctx, file, w, &report.HTMLOptions{Language: "es"})
	}, sample(t)))
	for part, shows := range map[string][]string{
		"overview":               {"comprobaciones superadas", "4 de marzo de 2026, 05:06 UTC"},
		"improve/anchor-missing": {"Enlace a un ancla que no existe", "our team"},
		"addresses":              {"Bloqueada por robots.txt", "Todas las carpetas", "Todas las reglas"},
		"tree":                   {"rotas: 1"},
		"page/17":                {"4 de marzo de 2026, 05:06 UTC", "Ruta desde", "Qué cambiar"},
	} {
		document, console := programtest.Browse(t, page, part)
		shown := inspect(t, document)
		for _, want := range shows {
			if console != "" || !strings.Contains(shown, want) {
				t.Errorf("%s: %q is not shown in:\n%s%s", part, want, shown, console)
			}
		}
	}
}

// useList is a script that searches, filters, sorts and turns the list of all URLs. What the list shows after each step
// is in the title of the page.
const useList = `(async () => {
	const found = [], part = document.querySelector("#addresses");
	const see = async () => {
		await new Promise((done) => setTimeout(done, 200));
		const urls = [...part.querySelectorAll("tbody tr")].map((row) => row.querySelector("a").textContent);
		found.push(part.querySelector(".found").textContent + ": " + urls[0] + " to " + urls.at(-1));
	};
	const pick = (label, text) => {
		const select = part.querySelector('select[aria-label="' + label + '"]');
		select.value = [...select.options].find((option) => option.textContent === text).value;
		select.dispatchEvent(new Event("change", { bubbles: true }));
		return see();
	};
	const press = (text) => {
		[...part.querySelectorAll("button")].find((button) => button.textContent === text).click();
		return see();
	};
	await see();
	await press("Next");
	await press("Linked from");
	await press("Linked from");
	await press("Decision");
	await pick("Decision", "Not found");
	await pick("Decision", "All decisions");
	await pick("Crawl depth", "no path");
	await pick("Crawl depth", "All depths");
	await pick("Named by", "sitemap");
	await pick("Named by", "All sources");
	await pick("Folder", "/b/");
	await pick("Folder", "All folders");
	await pick("Rule", "Broken link");
	await pick("Rule", "All rules");
	const field = part.querySelector("input");
	field.value = "PAGE 17";
	field.dispatchEvent(new Event("input"));
	await see();
	document.title = found.join("|");
})();`

// TestLists uses the list of all URLs.
func TestLists(t *testing.T) {
	site := []made{{url: "/", given: crawl.SeedStart, page: classListed("Home")}}
	for i := range 150 {
		m := made{url: fmt.Sprintf("/%c/%03d", "ab"[i%2], i), page: classListed(fmt.Sprintf("Page %d.", i))}
		if i == 40 {
			m.page = refused(404, crawl.ReasonClientError, notFound, 0)
		}
		if i == 149 {
			m.given = crawl.SeedSitemap // without a link
		} else {
			site[0].page.Links = append(site[0].page.Links, anchor(crawl.ID(i+2), "x"))
		}
		if i == 30 {
			m.page.Links = []crawl.Edge{anchor(19, "most")}
		}
		site = append(site, m)
	}
	page := policy.ReplaceAllString(string(format(t, writeHTML, judged(t, crawlFile(t, site)))), "")
	page = strings.Replace(page, "</body>", "<script>"+useList+"</script></body>", 1)
	document, console := programtest.Browse(t, save(t, []byte(page)), "addresses")
	_, title, _ := strings.Cut(document, "<title>")
	title, _, _ = strings.Cut(title, "</title>")
	want := []string{
		"151: / to /b/047", "151: /b/049 to /b/149", "151: /b/017 to /b/049", "151: / to /b/047", "151: / to /b/049",
		"1 of 151: /a/040 to /a/040", "151: / to /b/049", "1 of 151: /b/149 to /b/149", "151: / to /b/049",
		"1 of 151: /b/149 to /b/149", "151: / to /b/049", "75 of 151: /b/001 to /b/149", "151: / to /b/049",
		"1 of 151: / to /", "151: / to /b/049", "1 of 151: /b/017 to /b/017",
	}
	if got := strings.Split(title, "|"); console != "" || !slices.Equal(got, want) {
		t.Errorf("%s\n%q, want\n%q", console, got, want)
	}
}

// TestExports checks that copies and CSV files of lists have no formulas.
func TestExports(t *testing.T) {
	script, err := os.ReadFile("script/list.js")
	if err != nil {
		t.Fatal(err)
	}
	page := `<!doctype html><title>x</title><pre></pre><script>` + string(script) + `
const columns = [{ values: [["a", (item) => item], ["b", () => -1]] }];
const items = ["=1+1", "@x", "-2", "+3", "\t=4", "plain", 'a "b", c', "::set", "＝5"];
document.querySelector("pre").textContent = tableOf(items, columns, csvCell, ",", "\r\n") + "|" +
	tableOf(["=1\t2"], columns, tabCell, "\t", "\n");
</script>`
	document, _ := programtest.Browse(t, save(t, []byte(page)), "")
	want := "a,b\n'=1+1,-1\n'@x,-1\n'-2,-1\n'+3,-1\n\"'\t=4\",-1\nplain,-1\n\"a \"\"b\"\", c\",-1\n'::set,-1\n'＝5,-1\n|a\tb\n'=1 2\t-1\n"
	if shown := strings.ReplaceAll(inspect(t, document), "\r", ""); !strings.Contains(shown, want) {
		t.Errorf("got %q, want %q in it", shown, want)
	}
}

// TestWithoutScript checks that the parts of the report can be read without JavaScript.
func TestWithoutScript(t *testing.T) {
	shown := inspect(t, string(format(t, writeHTML, sample(t))))
	for _, want := range []string{"the old page", "/older", "disallowed by line 3: Disallow: /private/", "2.5 s", "link element",
		"/private/", "About Home", "Path from the start", "/gone is broken (404 Not Found)", "Visitors get an error",
		"checks passed"} {
		if !strings.Contains(shown, want) {
			t.Errorf("%q is not shown", want)
		}
	}
}

// inspect returns the visible text of a document. It reports an error for attributes
// and elements of an attack and for links to anything but pages.
func inspect(t *testing.T, document string) string {
	t.Helper()
	root, err := html.Parse(strings.NewReader(document))
	if err != nil {
		t.Fatal(err)
	}
	var shown strings.Builder
	var visit func(*html.Node)
	visit = func(n *html.Node) {
		if n.Type == html.TextNode && n.Parent.Data != "script" && n.Parent.Data != "style" {
			shown.WriteString(n.Data + "\n")
		}
		if n.Type == html.ElementNode && n.Data == "img" {
			t.Error("an image came into the page")
		}
		hidden := n.Data == "dialog" // unless it is open
		for _, a := range n.Attr {
			hidden = a.Key != "open" && (hidden || a.Key == "hidden")
			switch {
			case a.Key == owned, strings.HasPrefix(a.Key, "on"), a.Key == "style":
				t.Errorf("<%s %s=%q>", n.Data, a.Key, a.Val)
			case a.Key == "href" || a.Key == "src":
				if target, err := url.Parse(a.Val); err != nil || target.Scheme != "http" && target.Scheme != "https" &&
					!strings.HasPrefix(a.Val, "#") {
					t.Errorf("<%s %s=%q>", n.Data, a.Key, a.Val)
				}
			}
		}
		for child := n.FirstChild; child != nil && !hidden; child = child.NextSibling {
			visit(child)
		}
	}
	visit(root)
	return shown.String()
}

// TestHTMLValid checks the syntax of the page: closed elements, unique IDs and
// attributes, links to existing parts
// (https://html.spec.whatwg.org/multipage/syntax.html).
func TestHTMLValid(t *testing.T) {
	text := format(t, writeHTML, sample(t))
	tokens := html.NewTokenizer(bytes.NewReader(text))
	void := map[string]bool{"meta": true, "link": true, "br": true, "input": true}
	var open, refers []string
	ids := map[string]bool{}
	for tokens.Next() != html.ErrorToken {
		token := tokens.Token()
		names := map[string]bool{}
		for _, a := range token.Attr {
			if names[a.Key] {
				t.Errorf("<%s> has two attributes %s", token.Data, a.Key)
			}
			names[a.Key] = true
			if a.Key == "id" && ids[a.Val] {
				t.Errorf("two elements have the id %s", a.Val)
			}
			if a.Key == "id" {
				ids[a.Val] = true
			}
			if fragment, inside := strings.CutPrefix(a.Val, "#"); a.Key == "href" && inside {
				refers = append(refers, fragment)
			}
		}
		switch token.Type {
		case html.StartTagToken:
			if !void[token.Data] {
				open = append(open, token.Data)
			}
		case html.EndTagToken:
			if last := len(open) - 1; last < 0 || open[last] != token.Data {
				t.Fatalf("</%s> closes %v", token.Data, open)
			}
			open = open[:len(open)-1]
		}
	}
	if tokens.Err() != io.EOF || len(open) > 0 {
		t.Errorf("%v, open: %v", tokens.Err(), open)
	}
	for _, fragment := range refers {
		if part, _, _ := strings.Cut(fragment, "/"); !ids[part] {
			t.Errorf("#%s is nowhere", fragment)
		}
	}
	if bytes.Count(text, []byte("<script")) != 2 || !bytes.Contains(text, []byte("script-src &#39;sha256-")) {
		t.Error("the page has other scripts than its data and its own")
	}
}

// TestHTMLOfManyTargets writes a site where half of the URLs redirect to the rest.
func TestHTMLOfManyTargets(t *testing.T) {
	site := []made{{url: "/", page: classListed("Home")}}
	const pairs = 5_000
	long := strings.Repeat("x", 1900)
	for i := range pairs {
		site = append(site, made{url: fmt.Sprintf("/%d/%s", i, long),
			page: refused(200, crawl.ReasonCanonical, crawl.DetailLinkElement, crawl.ID(pairs+i+2))})
	}
	for i := range pairs {
		site = append(site, made{url: fmt.Sprintf("/to/%d/%s", i, long), page: classListed(fmt.Sprint(i))})
	}
	text := format(t, writeHTML, judged(t, crawlFile(t, site)))
	if len(text) > 15<<20 {
		t.Errorf("%d bytes", len(text))
	}
}

// TestHTMLOfManyLinks checks the limits of the links of each page, and that the page
// says how many there are.
func TestHTMLOfManyLinks(t *testing.T) {
	const pages = 120
	var links []crawl.Edge
	for id := range pages {
		links = append(links, anchor(crawl.ID(id+1), fmt.Sprint("link ", id)))
	}
	var site []made
	for i := range pages {
		site = append(site, made{url: fmt.Sprintf("/%03d", i), page: classListed(fmt.Sprint(i), links...)})
	}
	document, console := programtest.Browse(t, save(t, format(t, writeHTML, judged(t, crawlFile(t, site)))), "page/7")
	shown := inspect(t, document)
	_, panel, _ := strings.Cut(shown, "Links to this page, from")
	if console != "" || strings.Count(panel, "and 69 more") != 2 || strings.Count(panel, "\nlink ") != 100 {
		t.Errorf("%s%s", console, panel)
	}
}

// TestOtherSitesLast checks that the list of all URLs begins with those of the site, with
// the script and without.
func TestOtherSitesLast(t *testing.T) {
	site := []made{{url: "/", page: classListed("Home", anchor(2, "A"), anchor(3, "Z"))}, {url: "http://a.example/",
		link: crawl.Link{Role: crawl.RoleExternal, Reason: crawl.ReasonOutOfScope}}, {url: "/z", page: classListed("Last")}}
	text := format(t, writeHTML, judged(t, crawlFile(t, site)))
	scripted, _ := programtest.Browse(t, save(t, text), "addresses")
	for name, page := range map[string]string{"without the script": string(text), "with it": scripted} {
		_, list, _ := strings.Cut(page, `<section id="addresses"`)
		list, _, _ = strings.Cut(list, "</section>")
		if own, other := strings.Index(list, "/z"), strings.Index(list, "a.example"); own < 0 || other < own {
			t.Errorf("%s, the site is at %d and the other one at %d:\n%s", name, own, other, list)
		}
	}
}

// TestHTMLOfManyLinkedPages checks the size of the page of a site with many links.
func TestHTMLOfManyLinkedPages(t *testing.T) {
	const pages = 20_000
	site := make([]made, pages)
	for i := range site {
		page := classListed(fmt.Sprintf("The page about thing number %d", i))
		page.Facts.Description = fmt.Sprintf("What there is to know about thing number %d, %s", i, strings.Repeat("and more ", 12))
		for j := range 60 {
			page.Links = append(page.Links, anchor(crawl.ID((i*60+j*7919)%pages+1), fmt.Sprintf("thing %d of the shop", i+j)))
		}
		site[i] = made{url: fmt.Sprintf("/section-%d/page-%d.html", i%97, i), page: page}
	}
	if text := format(t, writeHTML, judged(t, crawlFile(t, site))); len(text) > 20<<20 || len(text) < 5<<20 {
		t.Errorf("%d bytes", len(text))
	}
}

// TestBriefHTML checks the report of a large crawl.
func TestBriefHTML(t *testing.T) {
	page := save(t, format(t, writeBrief, sample(t)))
	for part, shows := range map[string]string{
		"titles": "leaves out", "fix": "/gone", "addresses/robots": "by line 3", "page/3": "404",
		"overview": "4 March 2026, 05:06 UTC", "addresses": "URLs do not fit on this page",
	} {
		document, console := programtest.Browse(t, page, part)
		if shown := inspect(t, document); console != "" || !strings.Contains(shown, shows) {
			t.Errorf("%s: %q is not shown in:\n%s%s", part, shows, shown, console)
		}
	}
	if err := writeBrief(t.Context(), crawlFile(t, nil), io.Discard); err != nil {
		t.Error(err)
	}
}

// TestHTMLOfMany checks that a crawl too large for a page is cut, that the counts are
// exact, and that the page says so.
func TestHTMLOfMany(t *testing.T) {
	site := []made{{url: "/", page: classListed("Home")}}
	long := strings.Repeat("x", 3000)
	for i := range 7_000 {
		site = append(site, made{url: fmt.Sprintf("/%d/%s", i, long), page: classListed(fmt.Sprint(i))})
	}
	text := format(t, writeHTML, judged(t, crawlFile(t, site)))
	if len(text) > 15<<20 {
		t.Errorf("%d bytes", len(text))
	}
	for _, want := range []string{"7,001", "do not fit on this page"} {
		if !bytes.Contains(text, []byte(want)) {
			t.Errorf("the page does not say %q", want)
		}
	}
}
