package web_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mapatools/mapa/internal/app/service"
	"github.com/mapatools/mapa/internal/programtest"
	"github.com/mapatools/mapa/internal/web"
)

const (
	walkPassword = "correct horse battery"
	walkToken    = "token-of-the-walk"
)

// A walker goes through the application as a person does, and logs what that costs. A click is also a tap
// into a field.
type walker struct {
	*tab
	look   look
	script string // axe-core
	crawls *service.Service
	clicks int
	pixels int // heights of all pages
	lines  []string
}

// TestWalk does what four kinds of people do, with JavaScript and without, and logs a line a page: the clicks until
// then, its height in pixels and in screens of a phone, and before what the same cost at cebab747. The full form does
// it in three widths, light and dark, in both languages.
func TestWalk(t *testing.T) {
	t.Parallel()
	for _, journey := range []struct {
		name  string
		usual look
		walk  func(*testing.T, look)
	}{
		{"owner", look{width: phone, language: "es", dark: true}, walkOwner},
		{"consultant", look{width: 1440}, walkConsultant},
		{"administrator", look{width: 820}, walkAdministrator},
		{"visitor", look{width: phone}, walkVisitor},
	} {
		plain := journey.usual
		plain.noScript = true
		looks := []look{journey.usual, plain}
		if isTorture {
			looks = everyLook()
		}
		for _, l := range looks {
			t.Run(fmt.Sprint(journey.name, " ", l), func(t *testing.T) {
				t.Parallel()
				journey.walk(t, l)
			})
		}
	}
}

func everyLook() (looks []look) {
	for _, width := range []int64{phone, 820, 1440} {
		for _, language := range []string{"en", "es"} {
			looks = append(looks, look{width: width, language: language}, look{width: width, language: language, dark: true},
				look{width: width, language: language, noScript: true})
		}
	}
	return looks
}

// newWalker opens a tab. What is logged appears together, when the test ends.
func newWalker(t *testing.T, l look, server string, crawls *service.Service) *walker {
	t.Helper()
	w := &walker{tab: newTab(t, server, "/about", l), look: l, script: programtest.AxeScript(t), crawls: crawls}
	t.Cleanup(func() {
		t.Logf("%s\n%d clicks, %d px, %.1f screens in all", strings.Join(w.lines, "\n"),
			w.clicks, w.pixels, float64(w.pixels)/tall)
	})
	return w
}

// step checks the page that is open, and logs it.
func (w *walker) step(name, before string) {
	w.t.Helper()
	w.isNarrow()
	if !w.look.noScript {
		w.check(w.script, name, w.look)
		w.setUp(w.look)
	}
	height := w.number("document.documentElement.scrollHeight")
	w.pixels += height
	if before != "" {
		before = "; before: " + before
	}
	w.lines = append(w.lines,
		fmt.Sprintf("%2d clicks, %5d px, %4.1f screens: %s%s", w.clicks, height, float64(height)/tall, name, before))
}

func (w *walker) follow(selector string) {
	w.t.Helper()
	w.clicks++
	w.tab.follow(selector)
}

func (w *walker) click(selector string) {
	w.t.Helper()
	w.clicks++
	w.tab.click(selector)
}

func (w *walker) fill(selector, text string) {
	w.t.Helper()
	w.clicks++
	w.tab.fill(selector, text)
}

// says waits for a text in the language of the walker.
func (w *walker) says(selector, english, spanish string) {
	w.t.Helper()
	if w.look.language == "es" {
		english = spanish
	}
	w.sees(selector, english)
}

// shown returns how many elements are visible.
func (w *walker) shown(selector string) int {
	w.t.Helper()
	return w.number(fmt.Sprintf(
		"[...document.querySelectorAll(%q)].filter((one) => one.checkVisibility()).length", selector))
}

// count returns the number that an element shows.
func (w *walker) count(selector string) int {
	w.t.Helper()
	return w.number("+document.querySelector(" + quote(selector) + ").textContent")
}

// get returns what a link leads to, with the cookies of the tab.
func (w *walker) get(selector string) string {
	w.t.Helper()
	w.clicks++
	return w.text("fetch(document.querySelector(" + quote(selector) + ").href).then((answer) => answer.text())")
}

// logIn types the password of the server into the form, which is open.
func (w *walker) logIn() {
	w.t.Helper()
	w.says("h1", "Log in", "Iniciar sesión")
	w.step("the form to log in", "")
	w.fill("#password", walkPassword)
	w.follow(".form .primary")
}

// awaitCrawls waits until all crawls have ended.
func (w *walker) awaitCrawls() {
	w.t.Helper()
	list, _, err := w.crawls.Crawls(w.t.Context(), "", "", 200)
	if err != nil {
		w.t.Fatal(err)
	}
	for i := range list {
		if events := w.ask("GET", "/api/v1/crawls/"+list[i].ID+"/events", ""); !strings.Contains(events, "event: end") {
			w.t.Fatalf("%s did not end: %s", list[i].Site, events)
		}
	}
}

// ask sends a request to the API with a token and returns the body of its answer.
func (w *walker) ask(method, path, body string) string {
	w.t.Helper()
	r, err := http.NewRequestWithContext(w.t.Context(), method, w.server+path, strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+walkToken)
	r.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		w.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode >= http.StatusBadRequest {
		w.t.Fatalf("%s %s: %s, %v: %s", method, path, response.Status, err, text)
	}
	return string(text)
}

// withWalkPassword makes a server that asks for a password.
func withWalkPassword(o *web.Options, _ *service.Options) {
	o.Password, o.Tokens = walkPassword, []web.Token{{Value: walkToken}}
}

// walkOwner comes back to a shop after three weeks, in which it lost pages. The owner sees what is wrong without a tap,
// opens the pages of a broken link, ignores one that is intended, and downloads the sitemap.
func walkOwner(t *testing.T, l look) {
	server, crawls := newApplication(t, nil)
	shop, change := newShop(t)
	crawlSite(t, server, shop)
	change()
	result := crawlSite(t, server, shop)
	w := newWalker(t, l, server, crawls)

	w.open("/sites")
	w.step("the list of sites", "")
	w.follow(".sites .site a")
	w.step("the site", "")
	w.follow(`.heading a[href="` + result + `"]`)
	w.says("h2.headline", "6 pages have been missing from the sitemap", "Faltan 6 páginas en el sitemap")
	for selector, least := range map[string]int{
		".sign": 1, ".headline": 1, ".since a": 2, ".tasks li .rule": 3, ".downloads .button": 1,
	} {
		if n := w.shown(selector); n < least {
			t.Errorf("%d of %s are visible without a tap, want %d", n, selector, least)
		}
	}
	w.step("the newest result, with what changed", "5 taps, 6278 px, 7.4 screens")
	errors := w.count(`.parts a[href*="severity=error"] .count`)

	w.open(result)
	w.step("the same by the link of a mail", "")
	w.follow(`.tasks a[href*="rule=link-broken"]`)
	w.sees(".broken", "/offer")
	w.step("the broken links", "")
	w.follow(`.broken a[href*="/ignore?"]`)
	w.step("the form to ignore one", "not possible")
	w.fill("#reason", "Fuera de temporada")
	w.follow(".form .primary")
	w.sees(".rows", "Fuera de temporada")
	w.step("what is ignored", "not possible")
	w.open(result)
	w.sees(`.numbers a[href$="/ignored"]`, "1")
	w.step("the result without it", "")
	if now := w.count(`.parts a[href*="severity=error"] .count`); now != errors-1 {
		t.Errorf("%d errors, before one was ignored %d", now, errors)
	}
	if sitemap := w.get(".downloads .button"); !strings.Contains(sitemap, shop+"/shop/2/1</loc>") {
		t.Errorf("the sitemap is %.300s", sitemap)
	}
}

// newClients starts sites. Each may lose a page.
func newClients(t *testing.T, n int) (addresses []string, lose func(i int)) {
	t.Helper()
	lost := make([]atomic.Bool, n)
	for i := range n {
		site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/robots.txt" {
				http.NotFound(w, r)
				return
			}
			robots := "all"
			if lost[i].Load() && r.URL.Path == "/two" {
				robots = "noindex"
			}
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprintf(w, "<!doctype html><html lang=en><meta name=robots content=%s><title>Page %s of %d</title>"+
				"<p>The words of page %[2]s. <a href=/>home</a> <a href=/one>one</a> <a href=/two>two</a>", robots, r.URL.Path, i)
		}))
		t.Cleanup(site.Close)
		addresses = append(addresses, site.URL)
	}
	return addresses, func(i int) { lost[i].Store(true) }
}

// walkConsultant adds 15 sites at once. After the crawls of the next week, the three that lost a page come first. The
// consultant opens what changed, exports the table, and shares the newest result.
func walkConsultant(t *testing.T, l look) {
	server, crawls := newApplication(t, withWalkPassword)
	clients, lose := newClients(t, 15)
	w := newWalker(t, l, server, crawls)

	w.open("/sites")
	w.logIn()
	w.step("the list without a site", "")
	w.follow(`.heading a[href="/schedules/many"]`)
	w.fill("#urls", strings.Join(clients, "\n"))
	w.fill("#labels", "client")
	w.step("the form for many sites", "each address in a form of its own")
	w.follow(".form > .actions .primary")
	w.says("[role=status]", "15 sites were added", "Se han añadido 15 sitios")
	w.step("15 sites with a schedule each", "")
	w.awaitCrawls()
	worse := map[string]bool{}
	for _, i := range []int{3, 7, 11} {
		lose(i)
		worse["/sites/"+strings.TrimPrefix(clients[i], "http://")] = true
	}
	schedules, err := crawls.Schedules(t.Context(), "")
	if err != nil || len(schedules) != len(clients) {
		t.Fatalf("%d schedules: %v", len(schedules), err)
	}
	for i := range schedules {
		if _, err := crawls.RunSchedule(t.Context(), schedules[i].ID); err != nil {
			t.Fatal(err)
		}
	}
	w.awaitCrawls()
	w.open("/sites")
	w.says("#list [role=status]", "3 of 15 sites got worse", "3 de 15 sitios han empeorado")
	first := strings.Fields(w.text(`[...document.querySelectorAll(".sites .site a[href^='/sites/']")].slice(0, 3)
		.map((one) => one.getAttribute("href")).join(" ")`))
	for _, path := range first {
		if !worse[path] {
			t.Errorf("%s is one of the first three sites", path)
		}
	}
	w.step("a week later: who lost something", "45 clicks, or 15 mails")
	if table := w.get(`.exports a[href*="csv"]`); strings.Count(table, "\n") != 1+len(clients) {
		t.Errorf("the table is %s", table)
	}
	w.follow(".sites .site a[href^='/sites/']")
	site := w.address()
	w.step("the first of them", "")
	w.follow(`.heading a[href^="/crawls/"]`)
	w.follow(`.since a[href$="/changes"]`)
	w.sees(".list", "/two")
	w.step("what changed", "no row said it")
	w.open(site)
	w.follow(`.heading a[href$="/shares"]`)
	w.step("the form to share", "not possible for a site")
	w.follow(".form .primary")
	link := w.text(`document.getElementById("link").value`)
	w.step("the link", "")
	w.call("Network.clearBrowserCookies", nil)
	w.open(strings.TrimPrefix(link, server))
	w.says("h2.headline", "1 page has been missing from the sitemap", "Falta 1 página en el sitemap")
	w.step("the result, as a client sees it", "")
}

// walkAdministrator plans crawls, moves what is ignored with a file, and reads the API with a token.
func walkAdministrator(t *testing.T, l look) {
	server, crawls := newApplication(t, withWalkPassword)
	site := newTarget(t, false)
	host := strings.TrimPrefix(site.URL, "http://")
	w := newWalker(t, l, server, crawls)

	w.open("/schedules")
	w.logIn()
	w.step("no schedules", "")
	w.follow(".nothing a")
	w.fill("#url", site.URL)
	w.step("the form of a schedule", "")
	w.follow(".form > .actions .primary")
	w.sees(".rows", host)
	w.step("the schedules", "")
	w.follow(`.rows form[action$="/run"] button`)
	w.sees("h2.headline", "")
	w.open("/sites/" + host)
	w.step("the site", "")
	w.follow(`.heading a[href^="/crawls/"]`)
	w.follow(`.tasks a[href*="rule=link-broken"]`)
	w.follow(`.broken a[href*="/ignore?"]`)
	w.fill("#reason", "moved")
	w.follow(".form .primary")
	w.sees(".rows", "moved")
	w.step("what is ignored", "not possible")
	baseline := w.get(`a[download="ignored.json"]`)
	w.follow(`.rows form[action$="/forget"] button`)
	if w.shown(".rows") > 0 {
		t.Error("what counts again is listed")
	}
	name := filepath.Join(t.TempDir(), "baseline.json")
	if err := os.WriteFile(name, []byte(baseline), 0o600); err != nil {
		t.Fatal(err)
	}
	w.upload("#file", name)
	w.follow(`form[action$="/ignored"] button`)
	w.sees(".rows", "moved")
	w.step("what is ignored, from a file", "not possible")
	if sites := w.ask("GET", "/api/v1/sites", ""); !strings.Contains(sites, `"ignored":1`) {
		t.Errorf("the API says %s", sites)
	}
	if ignored := w.ask("GET", "/api/v1/sites/"+url.PathEscape(host)+"/ignored", ""); !strings.Contains(ignored, "moved") {
		t.Errorf("the API says %s", ignored)
	}
}

// walkVisitor opens a link to a result that somebody sent. All other pages say whom to ask.
func walkVisitor(t *testing.T, l look) {
	server, crawls := newApplication(t, withWalkPassword)
	var paths []string
	w := newWalker(t, l, server, crawls)
	for range 2 {
		started, err := crawls.Start(t.Context(), service.Request{URL: newTarget(t, false).URL})
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, "/crawls/"+started.ID)
	}
	w.awaitCrawls()
	_, link, _ := strings.Cut(w.ask("POST", "/api/v1"+paths[0]+"/shares", `{"days":7}`), `"link":"`+server)
	link, _, _ = strings.Cut(link, `"`)

	w.open(link)
	w.says("h2.headline", "The sitemap lists 6 pages", "El sitemap incluye 6 páginas")
	if n := w.shown(`form[action^="/crawls"], a[href^="/sites"]`); n > 0 {
		t.Errorf("%d buttons and links are not for a visitor", n)
	}
	w.step("the result", "")
	w.follow(`.tasks a[href*="rule=link-broken"]`)
	w.sees(".broken", "/gone")
	w.step("the broken links", "")
	w.follow(`.parts a[href$="/pages"]`)
	w.sees("#list", "/about")
	w.step("the pages", "")
	if w.look.noScript {
		w.follow(`.list a[href*="/pages/"]`)
	} else {
		w.click(`.list a[href*="/pages/"]`)
		w.sees("dialog article", "")
	}
	w.step("a page", "")
	for _, path := range []string{paths[1], paths[1] + "/pages"} {
		w.open(path)
		w.says(".lead", "Ask the person who sent it for a link", "Pide un enlace a quien te lo envió")
		w.step("another result", "a form to log in, without a word")
	}
	w.open("/sites")
	w.says(".lead", "Ask the person who gave you this address", "a quien te dio esta dirección")
	w.step("the sites", "words for the administrator")
}
