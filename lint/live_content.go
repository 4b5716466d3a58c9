package lint

import (
	"fmt"
	"maps"
	"mime"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/mapatools/mapa/internal/extract"
	"github.com/mapatools/mapa/sitemap"
)

// contentRules are about what the listed pages say of themselves.
var contentRules = []*Rule{pageNoIndex, canonicalOther, canonicalMissing, pageNoHTML, hreflangDiffers, lastModDiffers}

const googleCanonical = "https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls"

// indexers are the names by which pages address the engines.
var indexers = []struct {
	engine Engines
	name   string
}{{EngineSitemapsOrg, ""}, {EngineGoogle, "googlebot"}, {EngineBing, "bingbot"}, {EngineYandex, "yandex"}}

var pageNoIndex = &Rule{
	ID:            "page-noindex",
	Title:         "listed page has noindex",
	Why:           "The sitemap asks search engines to index the page, and the page asks them not to. They obey the page.",
	Cure:          "Remove the page from the sitemap, or remove noindex from the page or its X-Robots-Tag header.",
	Severity:      SeverityWarning,
	Source:        "https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag",
	SearchConsole: "Submitted URL marked ‘noindex’",
	Since:         "0.1",
	Live:          true,
	Bad:           liveExample("-- /a --\n<!DOCTYPE html><meta name=\"robots\" content=\"noindex\"><p>Hello</p>\n"),
	Good:          liveExample("-- /a --\n<!DOCTYPE html><meta name=\"robots\" content=\"nofollow\"><p>Hello</p>\n"),
	live: func(e *encounter) {
		answer := e.own().own()
		if answer == nil || answer.Status != http.StatusOK {
			return
		}
		header := extract.ParseRobotsHeader(answer.Header.Values("X-Robots-Tag"))
		for _, indexer := range indexers {
			if e.options.Engines&indexer.engine == 0 {
				continue
			}
			if facts := e.html(); facts != nil && e.excludes(&facts.robots, indexer.name) {
				e.reportPage("the page has noindex in a robots meta tag")
				return
			}
			if e.excludes(&header, indexer.name) {
				e.reportPage("the page has noindex in its X-Robots-Tag header")
				return
			}
		}
	},
}

func (e *encounter) excludes(robots *extract.Robots, bot string) bool {
	d := robots.For(bot)
	return d.NoIndex || !d.UnavailableAfter.IsZero() && d.UnavailableAfter.Before(e.options.Now)
}

var canonicalOther = &Rule{
	ID:       "page-canonical-other",
	Title:    "listed page names another page as canonical",
	Why:      "The page asks search engines to show another URL, and the sitemap asks for this one. They have to choose.",
	Cure:     "List only the canonical URL, or correct rel=canonical in the page or its Link header.",
	Severity: SeverityWarning,
	Source:   googleCanonical,
	Since:    "0.1",
	Live:     true,
	Bad:      liveExample("-- /a --\n<!DOCTYPE html><link rel=\"canonical\" href=\"/b\"><p>Hello</p>\n"),
	Good:     goodLive,
	live: func(e *encounter) {
		if facts := e.html(); facts != nil && facts.canonical != "" && !isSamePage(facts.canonical, e.page.Loc) {
			e.reportPage("the canonical page is " + printable([]byte(facts.canonical)))
		}
	},
}

var canonicalMissing = &Rule{
	ID:       "page-canonical-missing",
	Title:    "listed page has no rel=canonical",
	Why:      "With rel=canonical the page keeps one URL, even if links to it use other parameters, another letter case or an extra slash.",
	Cure:     `Add <link rel="canonical" href="https://example.com/page"> with the page's own URL to its head.`,
	Severity: SeverityInfo,
	Source:   googleCanonical,
	Since:    "0.1",
	Live:     true,
	Bad:      liveExample("-- /a --\n<!DOCTYPE html><p>Hello</p>\n"),
	Good:     goodLive,
	live: func(e *encounter) {
		if facts := e.html(); facts != nil && facts.canonical == "" {
			e.reportPage("no rel=canonical in a link element or a Link header")
		}
	},
}

var pageNoHTML = &Rule{
	ID:       "page-nonhtml",
	Title:    "listed URL is not an HTML page",
	Why:      "Search engines index some documents, including PDF. Images, scripts, feeds and data do not belong in a list of pages.",
	Cure:     "Remove files that people do not search for. List the images of a page as image:image.",
	Severity: SeverityInfo,
	Source:   "https://developers.google.com/search/docs/crawling-indexing/indexable-file-types",
	Since:    "0.1",
	Live:     true,
	Bad:      liveExample("-- /a --\nHTTP 200\nContent-Type: application/json\n\n{}\n"),
	Good:     goodLive,
	live: func(e *encounter) {
		a := e.own().own()
		if a != nil && a.Status == http.StatusOK && !isHTML(a.Header) {
			media, _, _ := mime.ParseMediaType(a.Header.Get("Content-Type"))
			e.reportPage("Content-Type: " + printable([]byte(media)))
		}
	},
}

const alternateHead = exampleHead + ` xmlns:xhtml="http://www.w3.org/1999/xhtml">
  <url>
    <loc>https://example.com/a</loc>
    <xhtml:link rel="alternate" hreflang="en" href="https://example.com/a"/>
    <xhtml:link rel="alternate" hreflang="de" href="https://example.com/de"/>` + exampleTail

var hreflangDiffers = &Rule{
	ID:       "page-hreflang-differs",
	Title:    "hreflang links in the sitemap and in the page differ",
	Why:      "Language versions can be given in the page, its header or the sitemap. If two of them disagree, search engines trust neither.",
	Cure:     "Give them in one place only, or generate both from the same list.",
	Severity: SeverityWarning,
	Source:   hreflangAll,
	Since:    "0.1",
	Live:     true,
	Bad: livePage + alternateHead +
		`-- /a --
<!DOCTYPE html><link rel="alternate" hreflang="en" href="/a"><link rel="alternate" hreflang="de" href="/deutsch"><p>Hello</p>
`,
	Good: livePage + alternateHead +
		`-- /a --
<!DOCTYPE html><link rel="alternate" hreflang="en" href="/a"><link rel="alternate" hreflang="de" href="/de"><p>Hello</p>
`,
	live: func(e *encounter) {
		if len(e.page.Alternates) == 0 {
			return
		}
		facts := e.html()
		if facts == nil || len(facts.alternates) == 0 {
			return
		}
		listed, shown := byLanguage(e.page.Alternates), byLanguage(facts.alternates)
		if difference := differenceOf(listed, shown); difference != "" {
			e.report(e.page.AlternatesAt, "xhtml:link", "", difference)
		}
	},
}

func byLanguage(versions []rendition) map[string]string {
	languages := map[string]string{}
	for _, v := range versions {
		languages[strings.ToLower(v.Hreflang)] = v.Href
	}
	return languages
}

// differenceOf names the first language, by the alphabet, in which two lists
// differ.
func differenceOf(listed, shown map[string]string) string {
	all := maps.Clone(listed)
	maps.Copy(all, shown)
	for _, language := range slices.Sorted(maps.Keys(all)) {
		href, isListed := listed[language]
		other, isShown := shown[language]
		name := printable([]byte(language))
		switch {
		case !isShown:
			return name + " is only in the sitemap"
		case !isListed:
			return name + " is only in the page"
		case !isSamePage(href, other):
			return fmt.Sprintf("%s is %s in the page", name, printable([]byte(other)))
		}
	}
	return ""
}

// farApart are two dates that mean neither the same day in two zones nor the same
// change in two systems.
const farApart = 48 * time.Hour

var lastModDiffers = &Rule{
	ID:       "lastmod-differs",
	Title:    "lastmod differs from the page's own date",
	Why:      "Google and Bing compare lastmod with the page, and use it only as long as it is accurate.",
	Cure:     "Take lastmod from the same source as the page's date: the last change of its content.",
	Severity: SeverityInfo,
	Source:   "https://developers.google.com/search/blog/2023/06/sitemaps-lastmod-ping",
	Since:    "0.1",
	Live:     true,
	Bad: livePage + urlset(page("https://example.com/a", "<lastmod>2025-06-01</lastmod>")) +
		"-- /a --\nHTTP 200\nContent-Type: text/html\nLast-Modified: Tue, 05 Mar 2024 10:00:00 GMT\n\n" + goodPage,
	Good: livePage + urlset(page("https://example.com/a", "<lastmod>2024-03-05</lastmod>")) +
		"-- /a --\nHTTP 200\nContent-Type: text/html\nLast-Modified: Tue, 05 Mar 2024 10:00:00 GMT\n\n" + goodPage,
	live: func(e *encounter) {
		if e.page.LastMod == "" {
			return
		}
		listed, err := sitemap.ParseDate(e.page.LastMod)
		if err != nil || listed.Precision() < sitemap.PrecisionDay {
			return
		}
		facts := e.html()
		if facts == nil || facts.modified.at.IsZero() || facts.modified.at.Sub(listed.Time()).Abs() < farApart {
			return
		}
		e.report(e.page.LastModAt, "lastmod", e.page.LastMod, facts.modified.source+" says "+facts.modified.at.UTC().Format(time.DateOnly))
	},
}
