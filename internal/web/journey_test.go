package web_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mapatools/mapa/internal/app/service"
)

// TestStartToDownload makes a sitemap as a new user does, in every way to look at pages.
func TestStartToDownload(t *testing.T) {
	t.Parallel()
	const english, spanish = "The sitemap lists 6 pages. The site has 2 errors", "El sitemap incluye 6 páginas"
	for name, c := range map[string]struct {
		look     look
		headline string
		isFull   bool // only in the full form
	}{
		"english":            {look{}, english, false},
		"spanish":            {look{language: "es-MX", width: phone, dark: true}, spanish, true},
		"no script":          {look{noScript: true}, english, true},
		"spanish, no script": {look{noScript: true, language: "es-MX", width: phone}, spanish, false},
	} {
		if c.isFull && !isTorture {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			site := newTarget(t, false)
			b := openApplication(t, "/", c.look)
			b.crawl(site)
			b.sees("h2.headline", c.headline)
			b.isNarrow()
			sitemap := b.download(".downloads .primary")
			for _, want := range []string{"<urlset", site.URL + "/shop/2</loc>"} {
				if !strings.Contains(sitemap, want) {
					t.Errorf("the sitemap has no %s: %s", want, sitemap)
				}
			}
		})
	}
}

// crawl starts the crawl of a site on the start page, which is open.
func (b *tab) crawl(site *target) {
	b.t.Helper()
	b.fill("#url", site.URL)
	b.follow(".start .primary")
}

// openApplication starts a server with an empty folder and opens a page of it in a tab.
func openApplication(t *testing.T, path string, l look) *tab {
	t.Helper()
	server, _ := newApplication(t, nil)
	return newTab(t, server, path, l)
}

// openResult crawls a site and opens its result in a tab.
func openResult(t *testing.T) (*tab, *target) {
	t.Helper()
	site := newTarget(t, false)
	b := openApplication(t, "/", look{})
	b.crawl(site)
	b.sees("h2.headline", "6 pages")
	return b, site
}

// isNarrow checks that the page needs no horizontal scrolling.
func (b *tab) isNarrow() {
	b.t.Helper()
	if b.number("document.documentElement.scrollWidth") > b.number("innerWidth") {
		b.t.Errorf("%s is wider than its window", b.address())
	}
}

// download gets what a link leads to.
func (b *tab) download(selector string) string {
	b.t.Helper()
	response, err := http.Get(b.text("document.querySelector(" + quote(selector) + ").href"))
	if err != nil {
		b.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || !strings.HasPrefix(response.Header.Get("Content-Disposition"), "attachment") {
		b.t.Errorf("%s is no download: %v", selector, err)
	}
	return string(text)
}

// quote returns a text as a JavaScript string.
func quote(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}

// TestKeyboard makes a sitemap with the keyboard alone. What has the focus is visible.
func TestKeyboard(t *testing.T) {
	t.Parallel()
	site := newTarget(t, false)
	b := openApplication(t, "/", look{})
	b.tabTo("#url")
	b.write(site.URL)
	b.press(enter)
	b.sees("h2.headline", "6 pages")
	b.tabTo(".downloads .primary")
	b.tabTo(".rules .go")
	b.press(enter)
	b.sees(".broken h4", "404 Not Found /gone")
	b.tabTo(".broken .links a[data-panel]")
	b.press(enter)
	b.sees("dialog article h2", site.URL+"/")
	b.sees("dialog .findings", "/gone is broken")
	b.sees("dialog article", "to /gone")
	b.press(escape)
	if b.number("document.querySelectorAll('dialog[open]').length") != 0 {
		t.Error("Escape does not close the panel")
	}
	if b.text("document.activeElement.outerHTML.includes('data-panel') ? 'yes' : document.activeElement.outerHTML") != "yes" {
		t.Error("the focus does not return to the link")
	}
}

// tabTo presses Tab until an element has the focus.
func (b *tab) tabTo(selector string) {
	b.t.Helper()
	const most = 80
	for range most {
		b.press(tabulate)
		if b.number("document.activeElement.matches("+quote(selector)+") ? 1 : 0") == 1 {
			if b.text("getComputedStyle(document.activeElement).outlineStyle") == "none" {
				b.t.Errorf("the focus on %s cannot be seen", selector)
			}
			return
		}
	}
	b.t.Fatalf("Tab does not reach %s", selector)
}

// TestControl pauses, resumes and stops a crawl that waits for its site.
func TestControl(t *testing.T) {
	t.Parallel()
	site := newTarget(t, true)
	b := openApplication(t, "/", look{})
	b.crawl(site)
	b.sees(`[data-count="pages"]`, "8")
	b.sees(".problems", site.URL+"/gone")
	b.sees(".problems .tag", "404")
	if b.number(`document.querySelector('[data-slot="depths"]').rows.length`) < 2 {
		t.Error("the chart of depths has no bars")
	}
	address := b.address()
	b.follow(`form[action$="/pause"] button`)
	b.sees(".state", "paused")
	b.sees(".live .card", "The crawl is paused.")
	b.sees(".problems", site.URL+"/gone")
	if b.number(`document.querySelectorAll('.charts tr').length`) < 2 || b.number(`document.querySelectorAll('.now').length`) > 0 {
		t.Error("the page of a paused crawl has no chart, or a speed")
	}
	b.open("/")
	b.sees(".rows .tag", "paused")
	b.open(address)
	b.follow(`form[action$="/resume"] button`)
	b.sees(".state", "running") // the page of a crawl that waits loads again when it runs, and would lose a click
	b.sees(`[data-count="pages"]`, "8")
	b.follow(`form[action$="/stop"] button`)
	b.sees("h2.headline", "The sitemap is incomplete")
	b.sees(".state", "stopped")
	b.sees(".next .primary", "Continue")
	b.sees(".downloads > .button", "Download the partial sitemap.xml")
	if b.number("document.querySelectorAll('.downloads .primary').length") != 0 {
		t.Error("a sitemap without all pages is to be downloaded")
	}
	if !strings.Contains(b.download(".downloads > .button"), "/shop/2</loc>") {
		t.Error("the sitemap of a crawl that was stopped is empty")
	}
	b.follow(".next .primary")
	b.sees(".state", "running")
}

// TestLost shows that what a page without a connection shows is old.
func TestLost(t *testing.T) {
	t.Parallel()
	site := newTarget(t, true)
	server, crawls := newApplication(t, nil)
	address, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	var down atomic.Bool
	pass := &httputil.ReverseProxy{FlushInterval: -1, Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(address) }}
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if down.Load() {
			http.Error(w, "the server is down", http.StatusBadGateway)
			return
		}
		pass.ServeHTTP(w, r)
	}))
	t.Cleanup(func() { proxy.CloseClientConnections(); proxy.Close() })
	crawl, err := crawls.Start(t.Context(), service.Request{URL: site.URL})
	if err != nil {
		t.Fatal(err)
	}
	b := newTab(t, proxy.URL, "/crawls/"+crawl.ID, look{})
	b.sees(`[data-count="pages"]`, "8")
	b.sees(".step", "addresses found so far.")
	down.Store(true)
	b.down.Store(true)
	proxy.CloseClientConnections()
	b.sees(".live.lost .state", "no connection")
	b.sees("[data-slot=lost]", "the figures are old")
	down.Store(false)
	b.sees(".live:not(.lost) .state", "running")
	site.open()
	b.sees("h2.headline", "6 pages")
}

// TestCompare crawls a site that changes, and shows what changed.
func TestCompare(t *testing.T) {
	t.Parallel()
	b, site := openResult(t)
	site.change()
	b.follow(`.heading form[action="/crawls"] button`)
	b.sees(".numbers", "1")
	b.follow(`.parts a[href$="/changes"]`)
	b.sees(".list", "/shop/3")
	b.sees(".list", "/shop/1")
	b.open("/sites/" + strings.TrimPrefix(site.URL, "http://"))
	if b.number("document.querySelectorAll('.trend svg circle').length") != 6 {
		t.Error("the trends have no point for each crawl")
	}
	b.follow(`form[action="/compare"] button`)
	b.sees("h1", "Comparison")
	b.sees(".list", "/shop/3")
	b.follow(".pills li:nth-child(2) a")
	b.sees(`.pills [aria-current]`, "Newly broken 1")
}

// TestSchedule plans crawls of a site, changes the plan and deletes it.
func TestSchedule(t *testing.T) {
	t.Parallel()
	b := openApplication(t, "/schedules", look{})
	b.sees(".nothing", "No schedules yet")
	b.follow(".nothing a")
	b.fill("#url", "www.example.com")
	b.follow(".form .primary")
	b.sees("[role=status]", "The schedule of www.example.com is saved")
	b.sees(".rows", "Mondays at 04:30 CET")
	b.sees(".rows", "has not run yet")
	b.sees(".rows", "9:00") // in the zone of the browser
	newTab(t, b.server, "/schedules", look{noScript: true}).sees(".rows", "04:30 CET")
	b.follow(".rows a")
	b.number(`document.querySelector("#cron").closest("details").open = 1`)
	b.fill("#cron", "61 * * * *")
	b.follow(".form .primary")
	b.sees("[role=alert]", "cron")
	b.text(`document.querySelector("#cron").value = ""`)
	b.number(`document.querySelector(".form > .options").open = 1`)
	b.fill("#include", "/blog/*")
	b.click("#paused")
	b.click("#day-monday")
	b.follow(".form .primary")
	b.sees(".rows", "every day at 04:30 CET")
	b.sees(".rows .tag", "paused")
	b.follow(".rows a")
	if got := b.text("document.getElementById('include').value"); got != "/blog/*" {
		t.Errorf("the form has %q for the addresses", got)
	}
	b.follow(".danger")
	b.sees("[role=status]", "deleted")
	b.sees(".nothing", "No schedules yet")
}

// TestTools checks a sitemap, tests rules of a robots.txt, and asks why a page is left out.
func TestTools(t *testing.T) {
	t.Parallel()
	site := newTarget(t, false)
	b := openApplication(t, "/tools/lint", look{})
	b.follow(".form .primary")
	b.sees("[role=alert]", "Type the address of a sitemap")
	name := filepath.Join(t.TempDir(), "my sitemap.xml")
	text := `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>/relative</loc></url></urlset>`
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	b.upload("#file", name)
	b.follow(".form .primary")
	b.sees(".list", "loc-relative")
	b.sees(".list", "my sitemap.xml")

	b.open("/tools/robots")
	b.fill("#url", site.URL+"/private/page")
	b.follow(".form .primary")
	b.sees(".verdict", "Blocked")
	b.sees(".lines .hit", "Disallow: /private/")
	b.sees(".lines .hit th", "2")

	b.open("/tools/why")
	b.sees(".nothing", "No sites yet")
	b.open("/")
	b.crawl(site)
	b.sees("h2.headline", "6 pages")
	b.open("/tools/why")
	b.fill("#url", strings.TrimPrefix(site.URL, "http://")+"/old")
	b.follow(".form .primary")
	b.sees("article", "It redirects to another URL")
	b.sees("article .facts", "/about")
	b.open("/tools/why?url=" + site.URL + "/nowhere")
	b.sees("[role=alert]", "did not find this address")
}

// TestFilter searches and filters a list, with the script and without.
func TestFilter(t *testing.T) {
	t.Parallel()
	b, _ := openResult(t)
	b.follow(`.parts a[href$="/pages"]`)
	b.fill("#text", "shop")
	b.sees("#list [role=status]", "4 addresses")
	b.choose("#filter-decision", "client-error")
	b.click(".filter button")
	b.sees("#list [role=status]", "1 address")
	b.sees("#list", "/shop/3")
	address := b.address()
	plain := newTab(t, b.server, address, look{noScript: true, language: "es"})
	plain.sees("#list", "/shop/3")
	plain.choose("#filter-decision", "listed")
	plain.follow(".filter button")
	plain.sees("#list [role=status]", "3 direcciones")
	if csv := plain.download(".exports a"); !strings.Contains(csv, "/shop/2") || strings.Contains(csv, "/about") {
		t.Errorf("the export has other pages than the list: %s", csv)
	}
}

// TestLanguage changes the language of a page, which stays.
func TestLanguage(t *testing.T) {
	t.Parallel()
	b := openApplication(t, "/tools/robots", look{language: "es"})
	b.sees("h1", "Probar robots.txt")
	b.follow(".switch button")
	b.sees("h1", "Test robots.txt")
	b.open("/sites")
	b.sees("h1", "Sites")
	if got := b.text("document.documentElement.lang"); got != "en" {
		t.Errorf("the language of the page is %s", got)
	}
}

// TestReadableProblems shows the address of a problem decoded while a crawl runs.
func TestReadableProblems(t *testing.T) {
	t.Parallel()
	ended := make(chan struct{})
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/":
			fmt.Fprint(w, `<!doctype html><title>Casa</title><p>Casa <a href="/%C3%B1o/rota">rota</a> <a href="/lenta">lenta</a>`)
		case "/lenta":
			select {
			case <-ended:
			case <-r.Context().Done():
			}
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(site.Close)
	t.Cleanup(func() { close(ended) })
	server, _ := newApplication(t, nil)
	b := newTab(t, server, postForm(t, server, "/crawls", url.Values{"url": {site.URL}}), look{language: "es"})
	b.sees(".problems .address", "/ño/rota")
}
