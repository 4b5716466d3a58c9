package lint

import (
	"github.com/mapatools/mapa/lint/internal/scan"
	"github.com/mapatools/mapa/sitemap"
)

// feedRules are about RSS and Atom feeds that serve as sitemaps
// (https://www.sitemaps.org/protocol.html#otherformats).
var feedRules = []*Rule{
	{ID: "empty-feed", Severity: SeverityInfo,
		Source: "https://www.rssboard.org/rss-specification#hrelementsOfLtitemgt",
		checkFile: func(f *fileCheck) {
			if isFeed(f.Format) && f.statistics.entries == 0 && f.summary.failed == nil {
				f.report(newText("rule.empty-feed.found"))
			}
		}},
	{ID: "atom-namespace", Severity: SeverityError, Overlay: Overlay{Warning: search},
		Source: "https://www.rfc-editor.org/rfc/rfc4287#section-2", SearchConsole: "Incorrect namespace",
		checkFile: func(f *fileCheck) {
			if f.Format != sitemap.FormatAtom {
				return
			}
			p := prologOf(f)
			switch namespace := p.namespace(); namespace {
			case atomNamespaceURI, oldAtomNamespace:
			case "":
				f.report(newText("rule.atom-namespace.missing"))
			default:
				f.report(newText("rule.atom-namespace.wrong", printable(namespace)))
			}
		}},
	{ID: string(sitemap.FaultFeedItemWithoutLink), Severity: SeverityWarning, Source: otherFormats},
	{ID: string(sitemap.FaultFeedLinkFromGUID), Severity: SeverityWarning, Source: otherFormats},
	{ID: "feed-date-invalid", Severity: SeverityWarning, Source: otherFormats, SearchConsole: "Invalid date",
		needs: scan.UnusualLastMod,
		checkEntry: func(e *entryCheck) {
			if !isFeed(e.file.Format) {
				return
			}
			if _, err := e.Date(); err != nil {
				e.report("", 0, string(e.LastMod), newText("rule.feed-date-invalid.found"))
			}
		}},
	{ID: "rss-unsupported", Severity: SeverityError, Engines: EngineYandex, Source: yandexText, Yandex: "Unknown tag",
		checkFile: func(f *fileCheck) {
			if isFeed(f.Format) {
				f.report(newText("rule.rss-unsupported.found"))
			}
		}},
}

const (
	atomNamespaceURI = "http://www.w3.org/2005/Atom" // RFC 4287, section 2
	oldAtomNamespace = "http://purl.org/atom/ns#"    // Atom 0.3

)

func isFeed(format sitemap.Format) bool {
	return format == sitemap.FormatRSS || format == sitemap.FormatAtom
}
