package web_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// owned is the attribute that the attacks of the hostile site set if they run.
const owned = "data-owned"

// The attacks are those of the report's tests.
const (
	attackScript = `</script><script>document.documentElement.setAttribute("data-owned","1")</script>`
	attackImage  = `<img src=x onerror='document.documentElement.setAttribute("data-owned","1")'>`
	attackURL    = `javascript:document.documentElement.setAttribute("data-owned","1")`
	attackScreen = "red \x1b[31m \u202Ecod.exe\u202C end"
)

// hostileSite says everything that could harm a page that repeats it.
func hostileSite(w http.ResponseWriter, r *http.Request) {
	escape := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace
	all := escape(attackScript + attackImage + attackScreen)
	path := func(text string) string { return "/" + url.PathEscape(text) }
	switch r.URL.Path {
	case "/":
		w.Header().Set("Etag", `"`+strings.Map(func(c rune) rune {
			if c == '"' || c < ' ' || c > '~' {
				return -1
			}
			return c
		}, attackScript)+`"`)
		fmt.Fprintf(w, `<!doctype html><html lang="%[1]s"><title>%[1]s</title><meta name=description content="%[1]s">
<meta property="og:title" content="%[1]s"><meta property="og:type" content="%[1]s"><h1>%[1]s</h1>
<script type="application/ld+json">{"@type": "%[2]s"}</script>
<a href="%[3]s">%[1]s</a> <a href="%[4]s">%[1]s</a> <a href="%[5]s">%[1]s</a> <a href="/folder%[4]s/page">%[1]s</a>
<a href="/moved">%[1]s</a> <a href="/page#%[6]s">%[1]s</a> <a href="/canonical">x</a>`,
			all, `<img src=x onerror=alert(1)>`, escape(attackURL), path(attackImage), path("gone "+attackScript),
			escape(url.PathEscape(attackImage)))
	case "/moved":
		w.Header().Set("Location", "/page?q="+url.QueryEscape(attackScript))
		w.WriteHeader(http.StatusFound)
	case "/canonical":
		fmt.Fprintf(w, `<title>x</title><link rel=canonical href="/page?%s">`, escape(url.PathEscape(attackImage)))
	case "/robots.txt":
		fmt.Fprintf(w, "User-agent: *\nDisallow: /private%s\n# %s\nSitemap: %s\n", attackImage, attackScript, attackURL)
	default:
		if strings.HasPrefix(r.URL.Path, "/gone") {
			w.WriteHeader(http.StatusNotFound)
		}
		fmt.Fprintf(w, "<title>%s</title><h1>%s</h1>", all, all)
	}
}

// TestBrowserSeesAttacks checks that the test notices an attack that works.
func TestBrowserSeesAttacks(t *testing.T) {
	t.Parallel()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, "<!doctype html><title>x</title><script>%s</script>", attackURL[len("javascript:"):])
	}))
	defer site.Close()
	b := newTab(t, site.URL, "/", look{})
	if b.attacked() == 0 {
		t.Error("an attack that works is not noticed")
	}
}

// attacked returns how many parts of the page an attack brought in.
func (b *tab) attacked() int {
	b.t.Helper()
	return b.number(`document.querySelectorAll("[` + owned + `], main img, main script, [onerror]").length +
		[...document.querySelectorAll("[href], [src], [action]")].filter((e) =>
			/^(?!https?:|\/|#|mailto:)/i.test((e.getAttribute("href") ?? e.getAttribute("src") ?? e.getAttribute("action")).trim())).length`)
}

// TestHostileSite crawls a site that attacks, opens all pages about it, and checks that
// nothing of it runs.
func TestHostileSite(t *testing.T) {
	t.Parallel()
	site := httptest.NewServer(http.HandlerFunc(hostileSite))
	t.Cleanup(site.Close)
	server, _ := newApplication(t, nil)
	result := crawlSite(t, server, site.URL)
	paths := []string{"", "/tree", "/changes", "/pages/1/links?direction=out", "/pages/1/links?direction=in"}
	for id := 1; id <= 8; id++ {
		paths = append(paths, fmt.Sprintf("/pages/%d", id))
	}
	attack := url.QueryEscape(attackScript + attackImage)
	for _, list := range []string{"", "broken.broken-urls", "broken.missing-anchors", "redirects.redirects", "titles.same",
		"titles.long", "descriptions.long", "headings.long", "sharing.json-ld", "canonical.elsewhere", "gaps.orphans"} {
		paths = append(paths, "/pages?list="+list)
	}
	paths = append(paths, "/pages?text="+attack, "/pages?media_type="+attack, "/pages?folder="+attack)
	b := newTab(t, server, "/", look{})
	seen := ""
	for _, path := range paths {
		b.open(result + path)
		if n := b.attacked(); n > 0 {
			t.Errorf("%s has %d parts of an attack", path, n)
		}
		seen += b.text("document.body.innerText")
	}
	for _, want := range []string{`<script>document`, "onerror=", `cod.exe`} {
		if !strings.Contains(seen, want) {
			t.Errorf("no page shows %s of the site, so the test proves nothing", want)
		}
	}
	for _, path := range []string{"/", "/sites", "/tools/why?url=" + attack, "/compare?old=" + attack + "&new=x",
		"/sites/" + url.PathEscape(attackImage), "/" + url.PathEscape(attackScript), "/schedules/new?url=" + attack} {
		b.open(path)
		if n := b.attacked(); n > 0 {
			t.Errorf("%s has %d parts of an attack", path, n)
		}
	}
	b.open("/tools/robots")
	b.fill("#url", site.URL+"/private"+attackImage)
	b.follow(".form .primary")
	b.sees(".lines", attackScript)
	if n := b.attacked(); n > 0 {
		t.Errorf("the robots.txt has %d parts of an attack", n)
	}
	b.open(result + "/pages")
	b.click("a[data-panel]")
	b.sees("dialog article h2", site.URL)
	if n := b.attacked(); n > 0 {
		t.Errorf("the panel has %d parts of an attack", n)
	}
}
