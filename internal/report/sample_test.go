package report_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/insight"
	"github.com/mapatools/mapa/internal/store"
	"github.com/mapatools/mapa/sitemap"
)

// owned is the attribute that the attacks of the sample set if they run.
const owned = "data-owned"

const (
	attackScript = `</script><script>document.documentElement.setAttribute("data-owned","1")</script>`
	attackImage  = `<img src=x onerror='document.documentElement.setAttribute("data-owned","1")'>`
	attackURL    = `javascript:document.documentElement.setAttribute("data-owned","1")`
	attackSheet  = `=HYPERLINK("https://evil.example/","x")`
	attackScreen = "red \x1b[31m \u009b2J bell\a \u202Ecod.exe\u202C end"
)

// made is a URL of the sample.
type made struct {
	url   string
	given crawl.SeedSource
	link  crawl.Link  // the rest of it
	page  *crawl.Page // nil where it was not fetched
}

func anchor(to crawl.ID, text string) crawl.Edge {
	return crawl.Edge{To: to, Kind: crawl.EdgeAnchor, Text: text}
}

func to(to crawl.ID, fragment, text string) crawl.Edge {
	return crawl.Edge{To: to, Kind: crawl.EdgeAnchor, Fragment: fragment, Text: text}
}

// classListed returns an HTML page.
func classListed(title string, links ...crawl.Edge) *crawl.Page {
	return &crawl.Page{Status: 200, MediaType: "text/html", Size: 2_000, Duration: 40 * time.Millisecond, Title: title,
		Language: "en", Words: 120, Links: links, Facts: &crawl.Facts{Description: "About " + title, H1: title}}
}

// refused returns a page that is not listed.
// notFound is the detail of a page with status 404.
var notFound = crawl.NewDetail(crawl.DetailStatus, "Not Found")

func refused(status int, reason crawl.Reason, detail crawl.Detail, target crawl.ID) *crawl.Page {
	return &crawl.Page{Status: status, Reason: reason, Detail: detail, Target: target, Duration: 5 * time.Millisecond}
}

func with(page *crawl.Page, change func(*crawl.Page)) *crawl.Page {
	change(page)
	return page
}

// sampleSite has one example of everything in a report, by ID from 1.
func sampleSite() []made {
	same := func(p *crawl.Page) { p.Digest = 77 }
	versions := func(list ...string) func(*crawl.Page) {
		return func(p *crawl.Page) {
			p.Extensions = &sitemap.Extensions{}
			for i := 0; i < len(list); i += 2 {
				p.Extensions.Alternates = append(p.Extensions.Alternates,
					sitemap.Alternate{Hreflang: list[i], Href: "https://example.com" + list[i+1]})
			}
		}
	}
	return []made{
		{url: "/", given: crawl.SeedStart,
			page: with(classListed("Home", anchor(2, "About us"), anchor(4, "the old page"), anchor(6, "older"),
				anchor(8, "elsewhere"),
				to(3, "team", "our team"), anchor(11, "x"), anchor(12, "Deutsch"), anchor(14, attackScript), anchor(15, "sheet"),
				anchor(17, attackScreen), anchor(16, attackImage), anchor(7, ""), anchor(18, "later")),
				versions("en", "/", "de", "/de/", "fr", "/gone"))},
		{url: "/about", given: crawl.SeedSitemap,
			page: with(classListed("About", anchor(3, "more"), anchor(4, "gone")), same)},
		{url: "/about-us", page: with(classListed("About", anchor(1, "Home")), same)},
		{url: "/gone", given: crawl.SeedSitemap, page: refused(404, crawl.ReasonClientError, notFound, 0)},
		{url: "/old", given: crawl.SeedSitemap, page: refused(301, crawl.ReasonRedirect,
			crawl.NewDetail(crawl.DetailLocation, "/about"), 2)},
		{url: "/older", page: refused(302, crawl.ReasonRedirect, crawl.NewDetail(crawl.DetailLocation, "/old"), 5)},
		{url: "/private/", page: refused(0, crawl.ReasonRobots,
			crawl.NewDetail(crawl.DetailDisallowed, "3", "Disallow: /private/"), 0)},
		{url: "https://other.example/",
			link: crawl.Link{Role: crawl.RoleExternal, Reason: crawl.ReasonOutOfScope, Detail: crawl.DetailOtherSite}},
		{url: "/orphan", given: crawl.SeedSitemap | crawl.SeedList,
			page: with(classListed(""), func(p *crawl.Page) { p.Words, p.Facts = 0, &crawl.Facts{NeedsScript: true} })},
		{url: "/hidden", given: crawl.SeedSitemap, page: refused(200, crawl.ReasonNoIndex, crawl.DetailMetaRobots, 0)},
		{url: "/canonical", page: with(refused(200, crawl.ReasonCanonical, crawl.DetailLinkElement, 4),
			func(p *crawl.Page) { p.Conflict = crawl.NewDetail(crawl.DetailConflict, "/a", "/gone") })},
		{url: "/de/", page: with(classListed("Über uns"), versions("fr", "/de/fr", "fr", "/fr"))},
		{url: "/slow", given: crawl.SeedLog,
			page: with(classListed("Slow", anchor(1, "Home")),
				func(p *crawl.Page) { p.Duration, p.Size, p.Reused = 2500*time.Millisecond, 3<<20, true })},
		{url: "/?q=" + attackImage + `&b="'`,
			page: with(classListed(attackScript, anchor(16, attackScript), anchor(4, attackImage)), func(p *crawl.Page) {
				p.Language = attackImage
				p.Facts = &crawl.Facts{Description: attackScript, H1: attackImage, OpenGraph: crawl.OpenGraphTitle,
					OpenGraphType: attackImage, JSONLD: attackScript, ImagesWithoutAlt: 3}
			})},
		{url: "/sheet", page: with(classListed(attackSheet), func(p *crawl.Page) {
			p.Facts = &crawl.Facts{Description: attackSheet, H1: attackSheet, OpenGraphType: attackSheet, JSONLD: attackSheet}
		})},
		{url: attackURL, page: refused(0, crawl.ReasonUnreachable, crawl.NewDetail(crawl.DetailError, attackScript), 0)},
		{url: "/screen", page: with(classListed(attackScreen, anchor(1, "")), func(p *crawl.Page) {
			p.Facts = &crawl.Facts{Description: attackScreen, H1: attackScreen, JSONLD: attackScreen}
		})},
		{url: "/later"},
		{url: "/about?from=home", page: refused(200, crawl.ReasonParameterVariant, "", 2)},
	}
}

// sample returns the crawl file of the sample site, which is judged.
func sample(t testing.TB) *store.File {
	t.Helper()
	return judged(t, crawlFile(t, sampleSite()))
}

// judged applies the rules to a crawl.
func judged(t testing.TB, file *store.File) *store.File {
	t.Helper()
	rules, err := new(insight.Options).Rules()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := insight.Write(t.Context(), file, rules, &insight.End{}, nil); err != nil {
		t.Fatal(err)
	}
	return file
}

func crawlFile(t testing.TB, site []made) *store.File {
	t.Helper()
	file, err := store.Create(filepath.Join(t.TempDir(), "crawl.sqlite"),
		crawl.Meta{Start: "https://example.com/", Program: "1.2.3"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	var commit crawl.Commit
	for i, m := range site {
		id := crawl.ID(i + 1)
		link := m.link
		if link.ID, link.URL, link.From = id, m.url, min(1, id-1); m.url[0] == '/' {
			link.URL = "https://example.com" + m.url
		}
		commit.Found = append(commit.Found, link)
		if m.given != 0 {
			commit.Seeds = append(commit.Seeds, crawl.Link{ID: id, SeededBy: m.given})
		}
		if m.page != nil {
			page := *m.page
			page.ID, page.Time = id, time.Date(2026, 3, 4, 5, 6, 7, int(id)*int(time.Millisecond), time.UTC)
			commit.Done = append(commit.Done, page)
		}
	}
	if err := file.Append(t.Context(), commit); err != nil {
		t.Fatal(err)
	}
	return file
}
