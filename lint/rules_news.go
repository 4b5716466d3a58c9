package lint

import (
	"strings"
	"time"

	"github.com/mapatools/mapa/lint/internal/scan"
	"github.com/mapatools/mapa/sitemap"
)

const (
	maxNews   = 1000
	freshNews = 48 * time.Hour
	clockSkew = 10 * time.Minute // by which a server's clock may be wrong
)

// newsRules are about news:news
// (https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap).
var newsRules = []*Rule{
	articles.field("news-missing-publication", "Missing <publication> tag", "", func(n *sitemap.News) (string, bool) {
		return "", n.PublicationName == "" && n.PublicationLanguage == ""
	}),
	articles.field("news-missing-name", "Missing XML tag", "news:publication", func(n *sitemap.News) (string, bool) {
		return "", n.PublicationName == "" && n.PublicationLanguage != ""
	}),
	articles.field("news-missing-language", "Missing XML tag", "news:publication", func(n *sitemap.News) (string, bool) {
		return "", n.PublicationLanguage == "" && n.PublicationName != ""
	}),
	articles.field("news-missing-date", "Missing XML tag", "", func(n *sitemap.News) (string, bool) {
		return "", n.PublicationDate == ""
	}),
	articles.field("news-missing-title", "Missing XML tag", "", func(n *sitemap.News) (string, bool) {
		return "", n.Title == ""
	}),
	{ID: "news-repeated", Severity: SeverityError, Engines: EngineGoogle, Source: newsPage,
		SearchConsole: "Invalid XML: too many tags", needs: scan.HasNews,
		checkEntry: func(e *entryCheck) {
			if n := len(e.Parsed().News); n > 1 {
				reportNews(e, 1, "", "", newText("rule.news-repeated.found", n))
			}
		}},
	articles.field("news-language", "Invalid tag value", "news:language", func(n *sitemap.News) (string, bool) {
		return n.PublicationLanguage, n.PublicationLanguage != "" && !isNewsLanguage(n.PublicationLanguage)
	}),
	articles.refused("news-date-invalid", "Invalid date",
		func(e *entryCheck, n int, news *sitemap.News) {
			if news.PublicationDate == "" {
				return
			}
			d, err := sitemap.ParseDate(news.PublicationDate)
			if err != nil || d.Precision() < sitemap.PrecisionDay ||
				d.Dialects()&(sitemap.DialectGoogle|sitemap.DialectXSD) == 0 {
				reportNews(e, n, "news:publication_date", news.PublicationDate, newText("rule.news-date-invalid.found"))
			}
		}),
	articles.ofGoogle("news-date-no-zone", SeverityError, "Invalid date",
		func(e *entryCheck, n int, news *sitemap.News) {
			if d, err := sitemap.ParseDate(news.PublicationDate); err == nil && lacksZone(d) {
				reportNews(e, n, "news:publication_date", news.PublicationDate, newText("rule.news-date-no-zone.found"))
			}
		}),
	articles.ofGoogle("news-older-2d", SeverityWarning, "",
		func(e *entryCheck, n int, news *sitemap.News) {
			if d, err := sitemap.ParseDate(news.PublicationDate); err == nil && e.file.options.Now.Sub(latest(d)) > freshNews {
				reportNews(e, n, "news:publication_date", news.PublicationDate, newText("rule.news-older-2d.found"))
			}
		}),
	articles.ofGoogle("news-future", SeverityWarning, "",
		func(e *entryCheck, n int, news *sitemap.News) {
			if d, err := sitemap.ParseDate(news.PublicationDate); err == nil && earliest(d).Sub(e.file.options.Now) > clockSkew {
				reportNews(e, n, "news:publication_date", news.PublicationDate, newText("rule.news-future.found"))
			}
		}),
	articles.ofGoogle("news-deprecated", SeverityInfo, "",
		func(e *entryCheck, n int, news *sitemap.News) {
			if tags := deprecatedNewsTags(news); len(tags) > 0 {
				reportNews(e, n, tags[0], "", withoutEffect(tags))
			}
		}),
	{ID: "too-many-news", Severity: SeverityError, Engines: EngineGoogle, Source: newsPage,
		SearchConsole: "Too many News URLs", needs: scan.HasNews,
		checkEntry: func(e *entryCheck) {
			before := e.file.statistics.articles
			if before <= maxNews && before+len(e.Parsed().News) > maxNews {
				reportNews(e, maxNews-before, "", "", newText("rule.too-many-news.found", maxNews))
			}
		}},
	{ID: "news-mixed-with-old", Severity: SeverityInfo, Engines: EngineGoogle, Source: newsPage,
		needs: scan.NewsChanges,
		checkEntry: func(e *entryCheck) {
			if e.file.statistics.seen&scan.NewsChanges == 0 { // the first change
				e.report("url", 0, "", newText("rule.news-mixed-with-old.found"))
			}
		}},
}

// reportNews reports a breach by an element of the n-th article of the entry, or by the
// article itself.
func reportNews(e *entryCheck, n int, element, evidence string, message Text) {
	e.reportIn("news:news", n, element, evidence, message)
}

func isNewsLanguage(code string) bool {
	return code == "zh-cn" || code == "zh-tw" ||
		(len(code) == 2 || len(code) == 3) && strings.Trim(code, "abcdefghijklmnopqrstuvwxyz") == "" &&
			isLanguageOfAnyLength(code)
}

func deprecatedNewsTags(news *sitemap.News) []string {
	return present(
		tag{"news:access", news.Access != ""},
		tag{"news:genres", news.Genres != ""},
		tag{"news:keywords", news.Keywords != ""},
		tag{"news:stock_tickers", news.StockTickers != ""},
	)
}
