package web_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/app/service"
	"github.com/mapatools/mapa/internal/programtest"
	"github.com/mapatools/mapa/internal/web"
)

// isTorture reports whether tests run in their full form.
var isTorture = os.Getenv("MAPA_TORTURE") != ""

// TestAccessibility checks every page with axe-core, light and dark. The full form does it
// in both languages and on a phone too.
func TestAccessibility(t *testing.T) {
	t.Parallel()
	looks := map[string]look{"wide": {}}
	if isTorture {
		looks["phone"], looks["spanish"] = look{width: phone, language: "es"}, look{language: "es"}
	}
	script := programtest.AxeScript(t)
	slow := newTarget(t, false)
	server, crawls := newApplication(t, nil)
	paths := everyPage(t, server, crawls, slow)
	for name, l := range looks {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newTab(t, server, "/", l)
			for _, path := range paths {
				b.open(path)
				if path == paths[1] {
					b.sees(".state.good", "") // it runs
				}
				b.check(script, path, l)
				b.isNarrow()
			}
			b.open("/tools/lint")
			b.follow(".form .primary")
			b.check(script, "lint without a file", l)
			b.open("/tools/robots")
			b.fill("#url", slow.URL+"/private/page")
			b.follow(".form .primary")
			b.sees(".verdict", "")
			b.check(script, "a verdict of robots.txt", l)
			b.open(paths[0])
			b.click("a[data-panel]")
			b.sees("dialog article", "")
			b.check(script, "a panel", l)
		})
	}
}

// check runs axe-core on the page that is open, light and dark. The short form checks only
// the colors of the dark one.
func (b *tab) check(script, where string, l look) {
	b.t.Helper()
	if _, err := evaluate[any](b, script+";0"); err != nil {
		b.t.Fatalf("%s: %v", where, err)
	}
	for _, l.dark = range []bool{false, true} {
		b.setUp(l)
		rules := programtest.AxeRun
		if l.dark && !isTorture {
			rules = programtest.AxeColors
		}
		found, err := evaluate[string](b, rules+".then((found) => JSON.stringify(found))")
		if err != nil {
			b.t.Fatalf("%s: %v", where, err)
		}
		programtest.CheckAxe(b.t, where, []byte(found))
	}
}

// everyPage makes two crawls of a site, another that takes long, and a schedule, and
// returns the paths of all pages. The first is a list of pages.
func everyPage(t *testing.T, server string, crawls *service.Service, slow *target) []string {
	t.Helper()
	site := newTarget(t, false)
	old := crawlSite(t, server, site.URL)
	site.change()
	result := crawlSite(t, server, site.URL)
	waiting := postForm(t, server, "/crawls", url.Values{"url": {slow.URL}, "rate": {"0.01"}})
	schedule, err := crawls.PutSchedule(t.Context(), service.Schedule{
		URL: site.URL, Cron: "5 4 * * *", Options: map[string][]string{"user": {"a:b"}, "header": {"A: b"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	paths := []string{result + "/pages", waiting, result}
	for _, part := range []string{
		"/findings?rule=link-broken&severity=error", "/findings?rule=anchor-missing&severity=warning",
		"/findings?rule=title-length&severity=info", "/findings?rule=tls-expiry", "/pages?rule=title-duplicate",
		"/pages?text=nothing+has+this", "/pages/1", "/pages/1/links?direction=out", "/tree", "/changes",
	} {
		paths = append(paths, result+part)
	}
	nobody := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
	}))
	defer nobody.Close()
	paths = append(paths, crawlSite(t, server, nobody.URL), "/?url="+url.QueryEscape(nobody.URL))
	id := func(path string) string { return strings.TrimPrefix(path, "/crawls/") }
	return append(paths, old, "/", "/sites", "/sites/"+strings.TrimPrefix(site.URL, "http://"),
		"/compare?old="+id(old)+"&new="+id(result), "/schedules", "/schedules/new", "/schedules/many",
		"/schedules/"+schedule.ID,
		"/tools/lint", "/tools/robots", "/tools/why", "/about", "/nothing")
}

// crawlSite crawls a site to its end and returns the path of its page.
func crawlSite(t *testing.T, server, site string) string {
	t.Helper()
	return crawlWith(t, server, site, url.Values{})
}

// crawlWith is crawlSite with options of the form.
func crawlWith(t *testing.T, server, site string, form url.Values) string {
	t.Helper()
	form.Set("url", site)
	path := postForm(t, server, "/crawls", form)
	response, err := http.Get(server + path + "/events") // ends with the crawl
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var text strings.Builder
	if err := response.Write(&text); err != nil || !strings.Contains(text.String(), "event: end") {
		t.Fatalf("the crawl did not end: %v: %s", err, text.String())
	}
	return path
}

// postForm sends a form and returns the path that the answer leads to.
func postForm(t *testing.T, server, path string, form url.Values) string {
	t.Helper()
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.PostForm(server+path, form)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusSeeOther {
		t.Fatalf("POST %s: %s", path, response.Status)
	}
	return response.Header.Get("Location")
}

// TestLoginAccessibility checks the page for the password.
func TestLoginAccessibility(t *testing.T) {
	t.Parallel()
	const password = "correct horse battery"
	server, _ := newApplication(t, func(o *web.Options, _ *service.Options) { o.Password = password })
	b := newTab(t, server, "/sites", look{})
	b.sees("h1", "Log in")
	script := programtest.AxeScript(t)
	b.check(script, "login", look{})
	b.fill("#password", "wrong")
	b.follow(".form .primary")
	b.sees("[role=alert]", "The password is wrong.")
	b.check(script, "wrong password", look{})
	b.fill("#password", password)
	b.follow(".form .primary")
	b.sees("h1", "Sites")
	b.open("/")
	b.sees("h1", "Create a sitemap of your website")
	b.crawl(newTarget(t, false))
	b.follow(`.heading a[href$="/shares"]`)
	b.check(script, "shares", look{})
	b.follow(".form .primary")
	b.sees("h2", "The result is shared")
	b.check(script, "a share", look{})
	b.isNarrow()
	link, result := b.text(`document.getElementById("link").value`), b.text(`document.querySelector(".rows a").href`)
	b.click(".more summary")
	b.check(script, "the open menu", look{})
	b.follow(`form[action="/logout"] button`)
	b.open(strings.TrimPrefix(link, server))
	b.sees("h2.headline", "The sitemap lists")
	b.check(script, "a shared result", look{})
	b.open(strings.TrimPrefix(result, server) + "/pages")
	b.click("a[data-panel]")
	b.sees("dialog article", "")
	b.open("/share/" + strings.Repeat("a", 26) + "/x")
	b.sees("h1", "This link does not work")
	b.check(script, "a share that has ended", look{})
	b.open("/sites")
	b.sees("h1", "Log in")
}

// TestVisitorAccessibility checks the pages that only a public server has. The file of a
// proof on a private host is not looked for.
func TestVisitorAccessibility(t *testing.T) {
	t.Parallel()
	server, _ := newApplication(t, func(o *web.Options, s *service.Options) {
		o.Public, o.Contact, s.Public = true, "abuse@example.com", &service.PublicLimits{}
	})
	b := newTab(t, server, "/", look{})
	script := programtest.AxeScript(t)
	for _, path := range []string{"/", "/about", "/owner"} {
		b.open(path)
		b.check(script, path, look{})
	}
	b.fill("#url", "http://127.0.0.1:1")
	b.follow(".form .primary")
	b.sees("code", "/.well-known/mapa-")
	b.check(script, "the file of a proof", look{})
	b.follow(".form .primary")
	b.sees("[role=alert]", "The file is not there yet")
	b.open("/")
	b.fill("#url", "127.0.0.1")
	b.follow(".start .primary")
	b.sees("h1", "127.0.0.1")
	b.sees(".headline", "This server crawls only sites on the public internet.")
	b.check(script, "a crawl that failed", look{})
}
