package lint

import (
	"strings"
)

// crawlRules compare the pages of all files together with those of a crawl.
var crawlRules = []*Rule{pageNotInSitemap, orphanPage, crawledDead, crawledRedirect, crawledNoIndex}

// website is an example of a sitemap with entries, a home page with links, and two
// more pages.
func website(entries, links string) string {
	html := func(body string) string {
		return "<!DOCTYPE html>\n<title>Example</title>\n<body>" + body + "</body>\n"
	}
	return "-- /sitemap.xml --\n" + urlset(entries) + "-- / --\n" + html(links) + "-- /steak --\n" + html("") +
		"-- /wine --\n" + html("")
}

var bothPages = goodURL + page("https://example.com/steak", "") + page("https://example.com/wine", "")

const bothLinks = `<a href="/steak">Steak</a> <a href="/wine">Wine</a>`

var pageNotInSitemap = &Rule{
	ID:    "page-not-in-sitemap",
	Title: "page is missing from the sitemap",
	Why: "The crawl found that the page answers 200 and is open to search engines, but no sitemap " +
		"lists it. Search engines have to discover it on their own. This rule needs --crawl.",
	Fix:      "List the page, or add noindex if it should not appear in search results.",
	Severity: SeverityInfo,
	Source:   protocolHome,
	Since:    "0.1",
	Bad:      website(goodURL+page("https://example.com/steak", ""), bothLinks),
	Good:     website(bothPages, bothLinks),
}

var orphanPage = &Rule{
	ID:    "orphan-page",
	Title: "orphan page: no page links to this listed page",
	Why: "Visitors cannot reach the page through links, and search engines consider it unimportant. Google asks for at " +
		"least one link to every page you care about. This rule needs --crawl, and checks only pages that the crawl found.",
	Fix:      "Link to the page where visitors look for it, or remove it from the sitemap if it is obsolete.",
	Severity: SeverityInfo,
	Source:   "https://developers.google.com/search/docs/crawling-indexing/links-crawlable",
	Since:    "0.1",
	Bad:      website(bothPages, `<a href="/steak">Steak</a>`),
	Good:     website(bothPages, bothLinks),
}

// wineIs is an example in which both other pages are listed and linked, with what the
// site answers for the second.
func wineIs(answer string) string {
	return strings.Replace(website(bothPages, bothLinks), "-- /wine --\n", "-- /wine --\n"+answer, 1)
}

var crawledDead = &Rule{
	ID:    "crawled-dead",
	Title: "the crawl could not get a listed page",
	Why: "The page answered with an error, did not answer, or redirected in a circle. Search engines find nothing to " +
		"index, and come back less often to a sitemap with dead pages. This rule needs --crawl.",
	Fix:           "Restore the page, or remove it from the sitemap.",
	Severity:      SeverityError,
	Source:        googleReport,
	SearchConsole: "URLs not accessible", Yandex: "HTTP error",
	Since: "0.1",
	Bad:   wineIs("HTTP 404\n\n"),
	Good:  website(bothPages, bothLinks),
}

var crawledRedirect = &Rule{
	ID:            "crawled-redirect",
	Title:         "a listed page redirected the crawl",
	Why:           "Search engines index the page at the end of the redirect. A sitemap lists final URLs only. This rule needs --crawl.",
	Fix:           "List the URL that the redirect leads to.",
	Severity:      SeverityWarning,
	Source:        googleReport,
	SearchConsole: "URLs not followed", Yandex: "HTTP error",
	Since: "0.1",
	Bad:   wineIs("HTTP 301\nLocation: /steak\n\n"),
	Good:  website(bothPages, bothLinks),
}

var crawledNoIndex = &Rule{
	ID:       "crawled-noindex",
	Title:    "the crawl found noindex on a listed page",
	Why:      "The sitemap asks search engines to index the page, and the page asks them not to. They follow the page. This rule needs --crawl.",
	Fix:      "Remove the page from the sitemap, or remove noindex from the page.",
	Severity: SeverityWarning,
	Source:   "https://developers.google.com/search/docs/crawling-indexing/block-indexing",
	Since:    "0.1",
	Bad:      wineIs("HTTP 200\nContent-Type: text/html\nX-Robots-Tag: noindex\n\n"),
	Good:     website(bothPages, bothLinks),
}
