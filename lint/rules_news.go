package lint

import (
	"strings"

	"github.com/mapatools/mapa/lint/internal/scan"
	"github.com/mapatools/mapa/sitemap"
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
	repeatedNews,
	articles.field("news-language", "Invalid tag value", "news:language", func(n *sitemap.News) (string, bool) {
		return n.PublicationLanguage, n.PublicationLanguage != "" && !isNewsLanguage(n.PublicationLanguage)
	}),
	badNewsDate, newsDateWithoutZone, oldNews, futureNews, deprecatedNewsTag, tooManyNews, mixedNews,
}

// reportNews reports a breach by an element of the n-th article of the entry, or by the
// article itself.
func reportNews(e *entryCheck, n int, element, evidence string, message Text) {
	e.reportIn("news:news", n, element, evidence, message)
}

var repeatedNews = &Rule{
	ID:            "news-repeated",
	Severity:      SeverityError,
	Engines:       EngineGoogle,
	Source:        newsPage,
	SearchConsole: "Invalid XML: too many tags",
	needs:         scan.HasNews,
	checkEntry: func(e *entryCheck) {
		if n := len(e.Parsed().News); n > 1 {
			reportNews(e, 1, "", "", newText("rule.news-repeated.found", n))
		}
	},
}

func isNewsLanguage(code string) bool {
	return code == "zh-cn" || code == "zh-tw" ||
		(len(code) == 2 || len(code) == 3) && strings.Trim(code, "abcdefghijklmnopqrstuvwxyz") == "" &&
			isLanguageOfAnyLength(code)
}

var deprecatedNewsTag = articles.ofGoogle("news-deprecated", SeverityInfo, "",
	func(e *entryCheck, n int, news *sitemap.News) {
		if tags := deprecatedNewsTags(news); len(tags) > 0 {
			reportNews(e, n, tags[0], "", withoutEffect(tags))
		}
	})

func deprecatedNewsTags(news *sitemap.News) []string {
	return present(
		tag{"news:access", news.Access != ""},
		tag{"news:genres", news.Genres != ""},
		tag{"news:keywords", news.Keywords != ""},
		tag{"news:stock_tickers", news.StockTickers != ""},
	)
}
