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
	Title:    "an item of a feed without a link",
	Why:      "A search engine takes the page of an item from its link; without one it learns of nothing.",
	Cure:     "Give each item a link: in RSS an element with the address as text, in Atom an element with href.",
	Severity: rule.SeverityWarning,
	Source:   otherFormats,
	Since:    "0.1",
	Bad:      feedHead + "    <item><title>Steak</title></item>" + feedTail,
	Good:     feedGood,
}

var guidAsLink = &rule.Rule{
	ID:       string(sitemap.FaultFeedLinkFromGUID),
	Title:    "an item of a feed whose only address is its identifier",
	Why:      "The guid of RSS and the id of Atom name an item, and need not lead to a page. Some search engines take them for want of a link, others find no page.",
	Cure:     "Give each item a link as well.",
	Severity: rule.SeverityWarning,
	Source:   otherFormats,
	Since:    "0.1",
	Bad:      feedHead + "    <item><title>Steak</title><guid>https://example.com/steak</guid></item>" + feedTail,
	Good:     feedGood,
}

var badFeedDate = &rule.Rule{
	ID:       "feed-date-invalid",
	Title:    "a date of a feed's item that cannot be read",
	Why:      "Search engines take the date of an item for that of its page's last change; one they cannot read is none.",
	Cure:     "Write dates of RSS as in Mon, 08 Jan 2024 19:20:30 +0200, with English names, and dates of Atom as in 2024-01-08T19:20:30+02:00.",
	Severity: rule.SeverityWarning,
	Source:   otherFormats,
	Since:    "0.1", SearchConsole: "Invalid date",
	Bad:   feedHead + "    <item><link>https://example.com/steak</link><pubDate>Mo, 8. Januar 2024</pubDate></item>" + feedTail,
	Good:  feedHead + "    <item><link>https://example.com/steak</link><pubDate>Mon, 08 Jan 2024 19:20:30 +0200</pubDate></item>" + feedTail,
	Needs: scan.UnusualLastMod,
	CheckEntry: func(e *rule.Entry) {
		if !isFeed(e.File.Format) {
			return
		}
		if _, err := e.Date(); err != nil {
			e.Report("", 0, string(e.LastMod), "the date of the item cannot be read")
		}
	},
}

func isFeed(format sitemap.Format) bool {
	return format == sitemap.FormatRSS || format == sitemap.FormatAtom
}

var feedForYandex = &rule.Rule{
	ID:       "rss-unsupported",
	Title:    "a feed, which Yandex does not take for a sitemap",
	Why:      "Yandex reads sitemaps of XML and of text; of a feed it learns nothing.",
	Cure:     "List the same pages in a urlset or a text file as well.",
	Severity: rule.SeverityError,
	Engines:  rule.EngineYandex,
	Source:   yandexText,
	Since:    "0.1", Yandex: "Unknown tag",
	Bad:  feedGood,
	Good: goodSitemap,
	CheckFile: func(f *rule.File) {
		if isFeed(f.Format) {
			f.Report("the file is a feed")
		}
	},
}
