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

	"github.com/mapatools/mapa/lint/internal/sample"
	"github.com/mapatools/mapa/sitemap"
)

// contentRules are about the content of the listed pages.
var contentRules = []*Rule{pageNoIndex, canonicalOther, canonicalMissing, pageNoHTML, hreflangDiffers,
	lastModDiffers}

const googleCanonical = "https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls"

// indexers are the names of the engines in robots meta elements.
var indexers = []struct {
	engine Engines
	name   string
}{{EngineSitemapsOrg, ""}, {EngineGoogle, "googlebot"}, {EngineBing, "bingbot"},
	{EngineYandex, "yandex"}}

var pageNoIndex = &Rule{
	ID:            "page-noindex",
	Title:         "listed page has noindex",
	Why:           "The sitemap asks search engines to index the page, and the page asks them not to. They obey the page.",
	Fix:           "Remove the page from the sitemap, or remove noindex from the page or its X-Robots-Tag header.",
	Severity:      SeverityWarning,
	Source:        "https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag",
	SearchConsole: "Submitted URL marked ‘noindex’",
	Since:         "0.1",
	Live:          true,
	Bad:           liveExample("-- /a --\n<!DOCTYPE html><meta name=\"robots\" content=\"noindex\"><p>Hello</p>\n"),
	Good:          liveExample("-- /a --\n<!DOCTYPE html><meta name=\"robots\" content=\"nofollow\"><p>Hello</p>\n"),
	checkPage: func(p *pageCheck) {
		answer := p.chain().own()
		if answer == nil || answer.Status != http.StatusOK {
			return
		}
		header := extract.ParseRobotsHeader(answer.Header.Values("X-Robots-Tag"))
		for _, indexer := range indexers {
			if p.options.Engines&indexer.engine == 0 {
				continue
			}
			if facts := p.html(); facts != nil && excludes(p, &facts.robots, indexer.name) {
				p.reportLoc("the page has noindex in a robots meta tag")
				return
			}
			if excludes(p, &header, indexer.name) {
				p.reportLoc("the page has noindex in its X-Robots-Tag header")
				return
			}
		}
	},
}

func excludes(p *pageCheck, robots *extract.Robots, bot string) bool {
	d := robots.For(bot)
	return d.NoIndex || !d.UnavailableAfter.IsZero() && d.UnavailableAfter.Before(p.options.Now)
}

var canonicalOther = &Rule{
	ID:       "page-canonical-other",
	Title:    "listed page names another page as canonical",
	Why:      "The page asks search engines to show another URL, and the sitemap asks for this one. They have to choose.",
	Fix:      "List only the canonical URL, or correct rel=canonical in the page or its Link header.",
	Severity: SeverityWarning,
	Source:   googleCanonical,
	Since:    "0.1",
	Live:     true,
	Bad:      liveExample("-- /a --\n<!DOCTYPE html><link rel=\"canonical\" href=\"/b\"><p>Hello</p>\n"),
	Good:     goodLive,
	checkPage: func(p *pageCheck) {
		if facts := p.html(); facts != nil && facts.canonical != "" && !isSamePage(facts.canonical, p.Loc) {
			p.reportLoc("the canonical page is " + printable(facts.canonical))
		}
	},
}

var canonicalMissing = &Rule{
	ID:       "page-canonical-missing",
	Title:    "listed page has no rel=canonical",
	Why:      "With rel=canonical the page keeps one URL, even if links to it use other parameters, another letter case or an extra slash.",
	Fix:      `Add <link rel="canonical" href="https://example.com/page"> with the page's own URL to its head.`,
	Severity: SeverityInfo,
	Source:   googleCanonical,
	Since:    "0.1",
	Live:     true,
	Bad:      liveExample("-- /a --\n<!DOCTYPE html><p>Hello</p>\n"),
	Good:     goodLive,
	checkPage: func(p *pageCheck) {
		if facts := p.html(); facts != nil && facts.canonical == "" {
			p.reportLoc("no rel=canonical in a link element or a Link header")
		}
	},
}

var pageNoHTML = &Rule{
	ID:       "page-nonhtml",
	Title:    "listed URL is not an HTML page",
	Why:      "Search engines index some documents, including PDF. Images, scripts, feeds and data do not belong in a list of pages.",
	Fix:      "Remove files that people do not search for. List the images of a page as image:image.",
	Severity: SeverityInfo,
	Source:   "https://developers.google.com/search/docs/crawling-indexing/indexable-file-types",
	Since:    "0.1",
	Live:     true,
	Bad:      liveExample("-- /a --\nHTTP 200\nContent-Type: application/json\n\n{}\n"),
	Good:     goodLive,
	checkPage: func(p *pageCheck) {
		a := p.chain().own()
		if a != nil && a.Status == http.StatusOK && !isHTML(a.Header) {
			media, _, _ := mime.ParseMediaType(a.Header.Get("Content-Type"))
			p.reportLoc("Content-Type: " + printable(media))
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
	Fix:      "Give them in one place only, or generate both from the same list.",
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
	checkPage: func(p *pageCheck) {
		if len(p.Alternates) == 0 {
			return
		}
		facts := p.html()
		if facts == nil || len(facts.alternates) == 0 {
			return
		}
		listed, shown := byLanguage(p.Alternates), byLanguage(facts.alternates)
		if difference := differenceOf(listed, shown); difference != "" {
			p.report(p.AlternatesAt, "xhtml:link", "", difference)
		}
	},
}

func byLanguage(versions []sample.Alternate) map[string]string {
	languages := map[string]string{}
	for _, v := range versions {
		languages[strings.ToLower(v.Hreflang)] = v.Href
	}
	return languages
}

// differenceOf returns a message about the first language, in alphabetical order, in
// which two lists differ.
func differenceOf(listed, shown map[string]string) string {
	all := maps.Clone(listed)
	maps.Copy(all, shown)
	for _, language := range slices.Sorted(maps.Keys(all)) {
		href, isListed := listed[language]
		other, isShown := shown[language]
		name := printable(language)
		switch {
		case !isShown:
			return name + " is only in the sitemap"
		case !isListed:
			return name + " is only in the page"
		case !isSamePage(href, other):
			return fmt.Sprintf("%s is %s in the page", name, printable(other))
		}
	}
	return ""
}

// farApart is the time between two dates that are neither the same day in two zones
// nor the same change in two systems.
const farApart = 48 * time.Hour

var lastModDiffers = &Rule{
	ID:       "lastmod-differs",
	Title:    "lastmod differs from the page's own date",
	Why:      "Google and Bing compare lastmod with the page, and use it only as long as it is accurate.",
	Fix:      "Take lastmod from the same source as the page's date: the last change of its content.",
	Severity: SeverityInfo,
	Source:   "https://developers.google.com/search/blog/2023/06/sitemaps-lastmod-ping",
	Since:    "0.1",
	Live:     true,
	Bad: livePage + urlset(page("https://example.com/a", "<lastmod>2025-06-01</lastmod>")) +
		"-- /a --\nHTTP 200\nContent-Type: text/html\nLast-Modified: Tue, 05 Mar 2024 10:00:00 GMT\n\n" + goodPage,
	Good: livePage + urlset(page("https://example.com/a", "<lastmod>2024-03-05</lastmod>")) +
		"-- /a --\nHTTP 200\nContent-Type: text/html\nLast-Modified: Tue, 05 Mar 2024 10:00:00 GMT\n\n" + goodPage,
	checkPage: func(p *pageCheck) {
		if p.LastMod == "" {
			return
		}
		listed, err := sitemap.ParseDate(p.LastMod)
		if err != nil || listed.Precision() < sitemap.PrecisionDay {
			return
		}
		facts := p.html()
		if facts == nil || facts.modified.time.IsZero() || facts.modified.time.Sub(listed.Time()).Abs() < farApart {
			return
		}
		p.report(p.LastModAt, "lastmod", p.LastMod,
			facts.modified.source+" says "+facts.modified.time.UTC().Format(time.DateOnly))
	},
}
