package lint

import (
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
var contentRules = []*Rule{
	{ID: "page-noindex", Severity: SeverityWarning, Source: googleRobotsMeta,
		SearchConsole: "Submitted URL marked ‘noindex’", Live: true,
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
					p.reportLoc(newText("rule.page-noindex.meta"))
					return
				}
				if excludes(p, &header, indexer.name) {
					p.reportLoc(newText("rule.page-noindex.header"))
					return
				}
			}
		}},
	{ID: "page-canonical-other", Severity: SeverityWarning, Source: googleCanonical, Live: true,
		checkPage: func(p *pageCheck) {
			if facts := p.html(); facts != nil && facts.canonical != "" && !isSamePage(facts.canonical, p.Loc) {
				p.reportLoc(newText("rule.page-canonical-other.found", printable(facts.canonical)))
			}
		}},
	{ID: "page-canonical-missing", Severity: SeverityInfo, Source: googleCanonical, Live: true,
		checkPage: func(p *pageCheck) {
			if facts := p.html(); facts != nil && facts.canonical == "" {
				p.reportLoc(newText("rule.page-canonical-missing.found"))
			}
		}},
	{ID: "page-nonhtml", Severity: SeverityInfo,
		Source: "https://developers.google.com/search/docs/crawling-indexing/indexable-file-types", Live: true,
		checkPage: func(p *pageCheck) {
			a := p.chain().own()
			if a != nil && a.Status == http.StatusOK && !isHTML(a.Header) {
				media, _, _ := mime.ParseMediaType(a.Header.Get("Content-Type"))
				p.reportLoc(newText("finding.content-type", printable(media)))
			}
		}},
	{ID: "page-hreflang-differs", Severity: SeverityWarning, Source: hreflangAll, Live: true,
		checkPage: func(p *pageCheck) {
			if len(p.Alternates) == 0 {
				return
			}
			facts := p.html()
			if facts == nil || len(facts.alternates) == 0 {
				return
			}
			listed, shown := byLanguage(p.Alternates), byLanguage(facts.alternates)
			if difference, differ := differenceOf(listed, shown); differ {
				p.report(p.AlternatesAt, "xhtml:link", "", difference)
			}
		}},
	{ID: "lastmod-differs", Severity: SeverityInfo,
		Source: "https://developers.google.com/search/blog/2023/06/sitemaps-lastmod-ping", Live: true,
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
				newText("rule.lastmod-differs.found", facts.modified.source, facts.modified.time.UTC().Format(time.DateOnly)))
		}},
}

const googleCanonical = "https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls"

// indexers are the names of the engines in robots meta elements.
var indexers = []struct {
	engine Engines
	name   string
}{{EngineSitemapsOrg, ""}, {EngineGoogle, "googlebot"}, {EngineBing, "bingbot"},
	{EngineYandex, "yandex"}}

func excludes(p *pageCheck, robots *extract.Robots, bot string) bool {
	d := robots.For(bot)
	return d.NoIndex || !d.UnavailableAfter.IsZero() && d.UnavailableAfter.Before(p.options.Now)
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
func differenceOf(listed, shown map[string]string) (difference Text, differ bool) {
	all := maps.Clone(listed)
	maps.Copy(all, shown)
	for _, language := range slices.Sorted(maps.Keys(all)) {
		href, isListed := listed[language]
		other, isShown := shown[language]
		name := printable(language)
		switch {
		case !isShown:
			return newText("rule.page-hreflang-differs.only-sitemap", name), true
		case !isListed:
			return newText("rule.page-hreflang-differs.only-page", name), true
		case !isSamePage(href, other):
			return newText("rule.page-hreflang-differs.found", name, printable(other)), true
		}
	}
	return Text{}, false
}

// farApart is the time between two dates that are neither the same day in two zones
// nor the same change in two systems.
const farApart = 48 * time.Hour
