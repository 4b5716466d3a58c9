package rules

import (
	"fmt"
	"maps"
	"mime"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/mapatools/mapa/internal/extract"
	"github.com/mapatools/mapa/lint/internal/display"
	"github.com/mapatools/mapa/lint/internal/live"
	"github.com/mapatools/mapa/lint/internal/rule"
	"github.com/mapatools/mapa/sitemap"
)

// contentRules are about the content of the listed pages.
var contentRules = []*rule.Rule{pageNoIndex, canonicalOther, canonicalMissing, pageNoHTML, hreflangDiffers,
	lastModDiffers}

const googleCanonical = "https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls"

// indexers are the names of the engines in robots meta elements.
var indexers = []struct {
	engine rule.Engines
	name   string
}{{rule.EngineSitemapsOrg, ""}, {rule.EngineGoogle, "googlebot"}, {rule.EngineBing, "bingbot"},
	{rule.EngineYandex, "yandex"}}

var pageNoIndex = &rule.Rule{
	ID:            "page-noindex",
	Title:         "listed page has noindex",
	Why:           "The sitemap asks search engines to index the page, and the page asks them not to. They obey the page.",
	Cure:          "Remove the page from the sitemap, or remove noindex from the page or its X-Robots-Tag header.",
	Severity:      rule.SeverityWarning,
	Source:        "https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag",
	SearchConsole: "Submitted URL marked ‘noindex’",
	Since:         "0.1",
	Live:          true,
	Bad:           liveExample("-- /a --\n<!DOCTYPE html><meta name=\"robots\" content=\"noindex\"><p>Hello</p>\n"),
	Good:          liveExample("-- /a --\n<!DOCTYPE html><meta name=\"robots\" content=\"nofollow\"><p>Hello</p>\n"),
	CheckPage: func(p *rule.Page) {
		answer := p.Chain().Own()
		if answer == nil || answer.Status != http.StatusOK {
			return
		}
		header := extract.ParseRobotsHeader(answer.Header.Values("X-Robots-Tag"))
		for _, indexer := range indexers {
			if p.Options.Engines&indexer.engine == 0 {
				continue
			}
			if facts := p.HTML(); facts != nil && excludes(p, &facts.Robots, indexer.name) {
				p.ReportLoc("the page has noindex in a robots meta tag")
				return
			}
			if excludes(p, &header, indexer.name) {
				p.ReportLoc("the page has noindex in its X-Robots-Tag header")
				return
			}
		}
	},
}

func excludes(p *rule.Page, robots *extract.Robots, bot string) bool {
	d := robots.For(bot)
	return d.NoIndex || !d.UnavailableAfter.IsZero() && d.UnavailableAfter.Before(p.Options.Now)
}

var canonicalOther = &rule.Rule{
	ID:       "page-canonical-other",
	Title:    "listed page names another page as canonical",
	Why:      "The page asks search engines to show another URL, and the sitemap asks for this one. They have to choose.",
	Cure:     "List only the canonical URL, or correct rel=canonical in the page or its Link header.",
	Severity: rule.SeverityWarning,
	Source:   googleCanonical,
	Since:    "0.1",
	Live:     true,
	Bad:      liveExample("-- /a --\n<!DOCTYPE html><link rel=\"canonical\" href=\"/b\"><p>Hello</p>\n"),
	Good:     goodLive,
	CheckPage: func(p *rule.Page) {
		if facts := p.HTML(); facts != nil && facts.Canonical != "" && !live.IsSamePage(facts.Canonical, p.Loc) {
			p.ReportLoc("the canonical page is " + display.Text(facts.Canonical))
		}
	},
}

var canonicalMissing = &rule.Rule{
	ID:       "page-canonical-missing",
	Title:    "listed page has no rel=canonical",
	Why:      "With rel=canonical the page keeps one URL, even if links to it use other parameters, another letter case or an extra slash.",
	Cure:     `Add <link rel="canonical" href="https://example.com/page"> with the page's own URL to its head.`,
	Severity: rule.SeverityInfo,
	Source:   googleCanonical,
	Since:    "0.1",
	Live:     true,
	Bad:      liveExample("-- /a --\n<!DOCTYPE html><p>Hello</p>\n"),
	Good:     goodLive,
	CheckPage: func(p *rule.Page) {
		if facts := p.HTML(); facts != nil && facts.Canonical == "" {
			p.ReportLoc("no rel=canonical in a link element or a Link header")
		}
	},
}

var pageNoHTML = &rule.Rule{
	ID:       "page-nonhtml",
	Title:    "listed URL is not an HTML page",
	Why:      "Search engines index some documents, including PDF. Images, scripts, feeds and data do not belong in a list of pages.",
	Cure:     "Remove files that people do not search for. List the images of a page as image:image.",
	Severity: rule.SeverityInfo,
	Source:   "https://developers.google.com/search/docs/crawling-indexing/indexable-file-types",
	Since:    "0.1",
	Live:     true,
	Bad:      liveExample("-- /a --\nHTTP 200\nContent-Type: application/json\n\n{}\n"),
	Good:     goodLive,
	CheckPage: func(p *rule.Page) {
		a := p.Chain().Own()
		if a != nil && a.Status == http.StatusOK && !live.IsHTML(a.Header) {
			media, _, _ := mime.ParseMediaType(a.Header.Get("Content-Type"))
			p.ReportLoc("Content-Type: " + display.Text(media))
		}
	},
}

const alternateHead = exampleHead + ` xmlns:xhtml="http://www.w3.org/1999/xhtml">
  <url>
    <loc>https://example.com/a</loc>
    <xhtml:link rel="alternate" hreflang="en" href="https://example.com/a"/>
    <xhtml:link rel="alternate" hreflang="de" href="https://example.com/de"/>` + exampleTail

var hreflangDiffers = &rule.Rule{
	ID:       "page-hreflang-differs",
	Title:    "hreflang links in the sitemap and in the page differ",
	Why:      "Language versions can be given in the page, its header or the sitemap. If two of them disagree, search engines trust neither.",
	Cure:     "Give them in one place only, or generate both from the same list.",
	Severity: rule.SeverityWarning,
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
	CheckPage: func(p *rule.Page) {
		if len(p.Alternates) == 0 {
			return
		}
		facts := p.HTML()
		if facts == nil || len(facts.Alternates) == 0 {
			return
		}
		listed, shown := byLanguage(p.Alternates), byLanguage(facts.Alternates)
		if difference := differenceOf(listed, shown); difference != "" {
			p.Report(p.AlternatesAt, "xhtml:link", "", difference)
		}
	},
}

func byLanguage(versions []live.Alternate) map[string]string {
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
		name := display.Text(language)
		switch {
		case !isShown:
			return name + " is only in the sitemap"
		case !isListed:
			return name + " is only in the page"
		case !live.IsSamePage(href, other):
			return fmt.Sprintf("%s is %s in the page", name, display.Text(other))
		}
	}
	return ""
}

// farApart is the time between two dates that are neither the same day in two zones
// nor the same change in two systems.
const farApart = 48 * time.Hour

var lastModDiffers = &rule.Rule{
	ID:       "lastmod-differs",
	Title:    "lastmod differs from the page's own date",
	Why:      "Google and Bing compare lastmod with the page, and use it only as long as it is accurate.",
	Cure:     "Take lastmod from the same source as the page's date: the last change of its content.",
	Severity: rule.SeverityInfo,
	Source:   "https://developers.google.com/search/blog/2023/06/sitemaps-lastmod-ping",
	Since:    "0.1",
	Live:     true,
	Bad: livePage + urlset(page("https://example.com/a", "<lastmod>2025-06-01</lastmod>")) +
		"-- /a --\nHTTP 200\nContent-Type: text/html\nLast-Modified: Tue, 05 Mar 2024 10:00:00 GMT\n\n" + goodPage,
	Good: livePage + urlset(page("https://example.com/a", "<lastmod>2024-03-05</lastmod>")) +
		"-- /a --\nHTTP 200\nContent-Type: text/html\nLast-Modified: Tue, 05 Mar 2024 10:00:00 GMT\n\n" + goodPage,
	CheckPage: func(p *rule.Page) {
		if p.LastMod == "" {
			return
		}
		listed, err := sitemap.ParseDate(p.LastMod)
		if err != nil || listed.Precision() < sitemap.PrecisionDay {
			return
		}
		facts := p.HTML()
		if facts == nil || facts.Modified.Time.IsZero() || facts.Modified.Time.Sub(listed.Time()).Abs() < farApart {
			return
		}
		p.Report(p.LastModAt, "lastmod", p.LastMod,
			facts.Modified.Source+" says "+facts.Modified.Time.UTC().Format(time.DateOnly))
	},
}
