package lint

import (
	"strings"

	"github.com/mapatools/mapa/lint/internal/scan"
	"github.com/mapatools/mapa/sitemap"
)

// feedRules are about RSS and Atom feeds that serve as sitemaps
// (https://www.sitemaps.org/protocol.html#otherformats).
var feedRules = []*Rule{emptyFeed, atomNamespace, itemWithoutLink, guidAsLink, badFeedDate, feedForYandex}

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

var emptyFeed = &Rule{
	ID:       "empty-feed",
	Title:    "feed lists no page",
	Why:      "RSS and Atom allow a feed without items, and a new site has one. Search engines learn of no page from it.",
	Fix:      "If the feed is your only sitemap, add a sitemap that lists all pages.",
	Severity: SeverityInfo,
	Source:   "https://www.rssboard.org/rss-specification#hrelementsOfLtitemgt",
	Since:    "0.1",
	Bad:      feedHead + feedTail,
	Good:     feedGood,
	checkFile: func(f *fileCheck) {
		if isFeed(f.Format) && f.statistics.entries == 0 {
			f.report("no item of the feed has a link to a page")
		}
	},
}

const (
	atomNamespaceURI = "http://www.w3.org/2005/Atom" // RFC 4287, section 2
	oldAtomNamespace = "http://purl.org/atom/ns#"    // Atom 0.3

	atomGood = `<feed xmlns="http://www.w3.org/2005/Atom"><title>Example</title>` +
		`<entry><title>Steak</title><link href="https://example.com/steak"/></entry></feed>` + "\n"
)

var atomNamespace = &Rule{
	ID:       "atom-namespace",
	Title:    "Atom feed without the Atom namespace",
	Why:      "Without its namespace, <feed> is not Atom. Feed readers that check the namespace find no entries.",
	Fix:      `Write <feed xmlns="http://www.w3.org/2005/Atom">.`,
	Severity: SeverityError, Overlay: Overlay{Warning: search},
	Source: "https://www.rfc-editor.org/rfc/rfc4287#section-2", SearchConsole: "Incorrect namespace",
	Since: "0.1",
	Bad:   strings.Replace(atomGood, "2005/Atom", "2005/atom", 1),
	Good:  atomGood,
	checkFile: func(f *fileCheck) {
		if f.Format != sitemap.FormatAtom {
			return
		}
		p := prologOf(f)
		switch namespace := p.namespace(); namespace {
		case atomNamespaceURI, oldAtomNamespace:
		case "":
			f.report("<feed> has no namespace")
		default:
			f.report(`the namespace of <feed> is "` + printable(namespace) + `"`)
		}
	},
}

var itemWithoutLink = &Rule{
	ID:       string(sitemap.FaultFeedItemWithoutLink),
	Title:    "feed item has no link",
	Why:      "Search engines take the page's URL from the link. Without a link they do not learn of the page.",
	Fix:      "Give each item a link: in RSS an element with the URL as text, in Atom an element with href.",
	Severity: SeverityWarning,
	Source:   otherFormats,
	Since:    "0.1",
	Bad:      feedHead + "    <item><title>Steak</title></item>" + feedTail,
	Good:     feedGood,
}

var guidAsLink = &Rule{
	ID:       string(sitemap.FaultFeedLinkFromGUID),
	Title:    "feed item has an identifier but no link",
	Why:      "The RSS guid and the Atom id name an item and need not lead to a page. Some search engines use them in place of the link, others find no page.",
	Fix:      "Add a link to each item.",
	Severity: SeverityWarning,
	Source:   otherFormats,
	Since:    "0.1",
	Bad:      feedHead + "    <item><title>Steak</title><guid>https://example.com/steak</guid></item>" + feedTail,
	Good:     feedGood,
}

var badFeedDate = &Rule{
	ID:       "feed-date-invalid",
	Title:    "feed item has an invalid date",
	Why:      "Search engines use the item's date as the date of the page's last change. They ignore a date that they cannot read.",
	Fix:      "Write RSS dates as Mon, 08 Jan 2024 19:20:30 +0200, with English names, and Atom dates as 2024-01-08T19:20:30+02:00.",
	Severity: SeverityWarning,
	Source:   otherFormats,
	Since:    "0.1", SearchConsole: "Invalid date",
	Bad: feedHead + "    <item><link>https://example.com/steak</link><pubDate>Mo, 8. Januar 2024</pubDate></item>" +
		feedTail,
	Good:  feedHead + "    <item><link>https://example.com/steak</link><pubDate>Mon, 08 Jan 2024 19:20:30 +0200</pubDate></item>" + feedTail,
	needs: scan.UnusualLastMod,
	checkEntry: func(e *entryCheck) {
		if !isFeed(e.file.Format) {
			return
		}
		if _, err := e.Date(); err != nil {
			e.report("", 0, string(e.LastMod), "the date of the item is not valid")
		}
	},
}

func isFeed(format sitemap.Format) bool {
	return format == sitemap.FormatRSS || format == sitemap.FormatAtom
}

var feedForYandex = &Rule{
	ID:       "rss-unsupported",
	Title:    "Yandex does not read feeds as sitemaps",
	Why:      "Yandex reads XML and text sitemaps. It learns nothing from a feed.",
	Fix:      "List the same pages in a urlset or a text file as well.",
	Severity: SeverityError,
	Engines:  EngineYandex,
	Source:   yandexText,
	Since:    "0.1", Yandex: "Unknown tag",
	Bad:  feedGood,
	Good: goodSitemap,
	checkFile: func(f *fileCheck) {
		if isFeed(f.Format) {
			f.report("the file is a feed, which Yandex does not read as a sitemap")
		}
	},
}
