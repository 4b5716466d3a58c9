package rules

import (
	"github.com/mapatools/mapa/lint/internal/rule"
)

// crawlRules compare the pages of all files together with those of a crawl.
var crawlRules = []*rule.Rule{pageNotInSitemap, orphanPage}

// website is an example of a sitemap with these entries, a home page with these
// links, and two more pages.
func website(entries, links string) string {
	html := func(body string) string {
		return "<!DOCTYPE html>\n<title>Example</title>\n<body>" + body + "</body>\n"
	}
	return "-- /sitemap.xml --\n" + urlset(entries) + "-- / --\n" + html(links) + "-- /steak --\n" + html("") + "-- /wine --\n" + html("")
}

var bothPages = goodURL + page("https://example.com/steak", "") + page("https://example.com/wine", "")

const bothLinks = `<a href="/steak">Steak</a> <a href="/wine">Wine</a>`

var pageNotInSitemap = &rule.Rule{
	ID:    "page-not-in-sitemap",
	Title: "a page of the site that no sitemap lists",
	Why: "A crawl found the page fit to be listed, with an answer of 200 and open to search engines, and none of the sitemaps lists it. " +
		"Engines have to come across it by themselves. Without a crawl, --crawl, nothing is said.",
	Cure:     "List the page, or let it say noindex when nobody is to find it.",
	Severity: rule.SeverityInfo,
	Source:   protocolHome,
	Since:    "0.1",
	Bad:      website(goodURL+page("https://example.com/steak", ""), bothLinks),
	Good:     website(bothPages, bothLinks),
}

var orphanPage = &rule.Rule{
	ID:    "orphan-page",
	Title: "a listed page that no page links to",
	Why: "Nobody gets there by following links, and engines take such a page for an unimportant one: Google asks for a link " +
		"to every page that one cares about. Only pages that a crawl has met are judged; without one, --crawl, nothing is said.",
	Cure:     "Link to it where visitors will look for it, or take it out when it was forgotten.",
	Severity: rule.SeverityInfo,
	Source:   "https://developers.google.com/search/docs/crawling-indexing/links-crawlable",
	Since:    "0.1",
	Bad:      website(bothPages, `<a href="/steak">Steak</a>`),
	Good:     website(bothPages, bothLinks),
}
