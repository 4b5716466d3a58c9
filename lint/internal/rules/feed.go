package rules

import (
	"github.com/mapatools/mapa/lint/internal/rule"
	"github.com/mapatools/mapa/lint/internal/scan"
	"github.com/mapatools/mapa/sitemap"
)

// feedRules are about RSS and Atom feeds that serve as sitemaps
// (https://www.sitemaps.org/protocol.html#otherformats).
var feedRules = []*rule.Rule{itemWithoutLink, guidAsLink, badFeedDate, feedForYandex}

const (
	feedHead = `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0">
  <channel>
    <title>Example</title>
    <link>https://example.com/</link>
    <description>What is new</description>
`
	feedTail = `
  </channel>
</rss>
`
	feedGood = feedHead + "    <item><title>Steak</title><link>https://example.com/steak</link></item>" + feedTail
)

var itemWithoutLink = &rule.Rule{
	ID:       string(sitemap.FaultFeedItemWithoutLink),
	Title:    "feed item has no link",
	Why:      "Search engines take the page's URL from the link. Without a link they do not learn of the page.",
	Cure:     "Give each item a link: in RSS an element with the URL as text, in Atom an element with href.",
	Severity: rule.SeverityWarning,
	Source:   otherFormats,
	Since:    "0.1",
	Bad:      feedHead + "    <item><title>Steak</title></item>" + feedTail,
	Good:     feedGood,
}

var guidAsLink = &rule.Rule{
	ID:       string(sitemap.FaultFeedLinkFromGUID),
	Title:    "feed item has an identifier but no link",
	Why:      "The RSS guid and the Atom id name an item and need not lead to a page. Some search engines use them in place of the link, others find no page.",
	Cure:     "Add a link to each item.",
	Severity: rule.SeverityWarning,
	Source:   otherFormats,
	Since:    "0.1",
	Bad:      feedHead + "    <item><title>Steak</title><guid>https://example.com/steak</guid></item>" + feedTail,
	Good:     feedGood,
}

var badFeedDate = &rule.Rule{
	ID:       "feed-date-invalid",
	Title:    "feed item has an invalid date",
	Why:      "Search engines use the item's date as the date of the page's last change. They ignore a date that they cannot read.",
	Cure:     "Write RSS dates as Mon, 08 Jan 2024 19:20:30 +0200, with English names, and Atom dates as 2024-01-08T19:20:30+02:00.",
	Severity: rule.SeverityWarning,
	Source:   otherFormats,
	Since:    "0.1", SearchConsole: "Invalid date",
	Bad: feedHead + "    <item><link>https://example.com/steak</link><pubDate>Mo, 8. Januar 2024</pubDate></item>" +
		feedTail,
	Good:  feedHead + "    <item><link>https://example.com/steak</link><pubDate>Mon, 08 Jan 2024 19:20:30 +0200</pubDate></item>" + feedTail,
	Needs: scan.UnusualLastMod,
	CheckEntry: func(e *rule.Entry) {
		if !isFeed(e.File.Format) {
			return
		}
		if _, err := e.Date(); err != nil {
			e.Report("", 0, string(e.LastMod), "the date of the item is not valid")
		}
	},
}

func isFeed(format sitemap.Format) bool {
	return format == sitemap.FormatRSS || format == sitemap.FormatAtom
}

var feedForYandex = &rule.Rule{
	ID:       "rss-unsupported",
	Title:    "Yandex does not read feeds as sitemaps",
	Why:      "Yandex reads XML and text sitemaps. It learns nothing from a feed.",
	Cure:     "List the same pages in a urlset or a text file as well.",
	Severity: rule.SeverityError,
	Engines:  rule.EngineYandex,
	Source:   yandexText,
	Since:    "0.1", Yandex: "Unknown tag",
	Bad:  feedGood,
	Good: goodSitemap,
	CheckFile: func(f *rule.File) {
		if isFeed(f.Format) {
			f.Report("the file is a feed, which Yandex does not read as a sitemap")
		}
	},
}
