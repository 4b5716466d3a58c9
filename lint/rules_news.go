package lint

import (
	"strings"

	"github.com/mapatools/mapa/lint/internal/scan"
	"github.com/mapatools/mapa/sitemap"
)

// newsRules are about news:news
// (https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap).
var newsRules = []*Rule{
	newsWithoutPublication, newsWithoutName, newsWithoutLanguage, newsWithoutDate, newsWithoutTitle,
	repeatedNews, newsLanguage, badNewsDate, newsDateWithoutZone, oldNews, futureNews, deprecatedNewsTag,
	tooManyNews, mixedNews,
}

// eachNews returns a check that calls check with the articles of an entry. N counts
// them from 0.
func eachNews(check func(e *entryCheck, n int, news *sitemap.News)) func(*entryCheck) {
	return func(e *entryCheck) {
		articles := e.Parsed().News
		for n := range articles {
			check(e, n, &articles[n])
		}
	}
}

// reportNews reports a breach by an element of the n-th article of the entry, or by the
// article itself.
func reportNews(e *entryCheck, n int, element, evidence string, message Text) {
	e.reportIn("news:news", n, element, evidence, message)
}

var newsWithoutPublication = &Rule{
	ID:            "news-missing-publication",
	Severity:      SeverityError,
	Engines:       schemaOfGoogle,
	Overlay:       notElsewhere,
	Source:        newsPage,
	SearchConsole: "Missing <publication> tag",
	needs:         scan.HasNews,
	checkEntry: eachNews(func(e *entryCheck, n int, news *sitemap.News) {
		if news.PublicationName == "" && news.PublicationLanguage == "" {
			reportNews(e, n, "", "", newText("rule.news-missing-publication.found"))
		}
	}),
}

var newsWithoutName = &Rule{
	ID:            "news-missing-name",
	Severity:      SeverityError,
	Engines:       schemaOfGoogle,
	Overlay:       notElsewhere,
	Source:        newsPage,
	SearchConsole: "Missing XML tag",
	needs:         scan.HasNews,
	checkEntry: eachNews(func(e *entryCheck, n int, news *sitemap.News) {
		if news.PublicationName == "" && news.PublicationLanguage != "" {
			reportNews(e, n, "news:publication", "", newText("rule.news-missing-name.found"))
		}
	}),
}

var newsWithoutLanguage = &Rule{
	ID:            "news-missing-language",
	Severity:      SeverityError,
	Engines:       schemaOfGoogle,
	Overlay:       notElsewhere,
	Source:        newsPage,
	SearchConsole: "Missing XML tag",
	needs:         scan.HasNews,
	checkEntry: eachNews(func(e *entryCheck, n int, news *sitemap.News) {
		if news.PublicationLanguage == "" && news.PublicationName != "" {
			reportNews(e, n, "news:publication", "", newText("rule.news-missing-language.found"))
		}
	}),
}

var newsWithoutDate = &Rule{
	ID:            "news-missing-date",
	Severity:      SeverityError,
	Engines:       schemaOfGoogle,
	Overlay:       notElsewhere,
	Source:        newsPage,
	SearchConsole: "Missing XML tag",
	needs:         scan.HasNews,
	checkEntry: eachNews(func(e *entryCheck, n int, news *sitemap.News) {
		if news.PublicationDate == "" {
			reportNews(e, n, "", "", newText("rule.news-missing-date.found"))
		}
	}),
}

var newsWithoutTitle = &Rule{
	ID:            "news-missing-title",
	Severity:      SeverityError,
	Engines:       schemaOfGoogle,
	Overlay:       notElsewhere,
	Source:        newsPage,
	SearchConsole: "Missing XML tag",
	needs:         scan.HasNews,
	checkEntry: eachNews(func(e *entryCheck, n int, news *sitemap.News) {
		if news.Title == "" {
			reportNews(e, n, "", "", newText("rule.news-missing-title.found"))
		}
	}),
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

var newsLanguage = &Rule{
	ID:            "news-language",
	Severity:      SeverityError,
	Engines:       schemaOfGoogle,
	Overlay:       notElsewhere,
	Source:        newsPage,
	SearchConsole: "Invalid tag value",
	needs:         scan.HasNews,
	checkEntry: eachNews(func(e *entryCheck, n int, news *sitemap.News) {
		if code := news.PublicationLanguage; code != "" && !isNewsLanguage(code) {
			reportNews(e, n, "news:language", code, newText("rule.news-language.found"))
		}
	}),
}

func isNewsLanguage(code string) bool {
	return code == "zh-cn" || code == "zh-tw" ||
		(len(code) == 2 || len(code) == 3) && strings.Trim(code, "abcdefghijklmnopqrstuvwxyz") == "" &&
			isLanguageOfAnyLength(code)
}

var deprecatedNewsTag = &Rule{
	ID:       "news-deprecated",
	Severity: SeverityInfo,
	Engines:  EngineGoogle,
	Source:   newsPage,
	needs:    scan.HasNews,
	checkEntry: eachNews(func(e *entryCheck, n int, news *sitemap.News) {
		if tags := deprecatedNewsTags(news); len(tags) > 0 {
			reportNews(e, n, tags[0], "", withoutEffect(tags))
		}
	}),
}

func deprecatedNewsTags(news *sitemap.News) []string {
	return present(
		tag{"news:access", news.Access != ""},
		tag{"news:genres", news.Genres != ""},
		tag{"news:keywords", news.Keywords != ""},
		tag{"news:stock_tickers", news.StockTickers != ""},
	)
}
