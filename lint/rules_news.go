package lint

import (
	"fmt"
	"strings"

	"github.com/mapatools/mapa/lint/internal/scan"
	"github.com/mapatools/mapa/sitemap"
)

const (
	newsHead = exampleHead + ` xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"` + examplePage +
		"    <news:news>\n"
	newsPublication = "      <news:publication><news:name>The Example Times</news:name><news:language>en</news:language></news:publication>\n"
	newsDate        = "      <news:publication_date>{{today}}</news:publication_date>\n"
	newsTitle       = "      <news:title>Companies A, B in merger talks</news:title>"
	newsTail        = "\n    </news:news>" + exampleTail
	newsGood        = newsHead + newsPublication + newsDate + newsTitle + newsTail
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

// reportNews reports a breach by the n-th article of the entry.
func reportNews(e *entryCheck, n int, evidence, message string) {
	e.report("news:news", n, evidence, message)
}

var newsWithoutPublication = &Rule{
	ID:            "news-missing-publication",
	Title:         "news article has no publication",
	Why:           "Google requires the name and language of the publication for every article.",
	Fix:           "Add news:publication with news:name and news:language.",
	Severity:      SeverityError,
	Engines:       schemaOfGoogle,
	Overlay:       notElsewhere,
	Source:        newsPage,
	SearchConsole: "Missing <publication> tag",
	Since:         "0.1",
	Bad:           newsHead + newsDate + newsTitle + newsTail,
	Good:          newsGood,
	needs:         scan.HasNews,
	checkEntry: eachNews(func(e *entryCheck, n int, news *sitemap.News) {
		if news.PublicationName == "" && news.PublicationLanguage == "" {
			reportNews(e, n, "", "the article has no news:publication")
		}
	}),
}

var newsWithoutName = &Rule{
	ID:            "news-missing-name",
	Title:         "news publication has no name",
	Why:           "Google requires the name of the publication, exactly as in Google News.",
	Fix:           "Add news:name to news:publication, without anything in parentheses.",
	Severity:      SeverityError,
	Engines:       schemaOfGoogle,
	Overlay:       notElsewhere,
	Source:        newsPage,
	SearchConsole: "Missing XML tag",
	Since:         "0.1",
	Bad: newsHead + "      <news:publication><news:language>en</news:language></news:publication>\n" + newsDate +
		newsTitle + newsTail,
	Good:  newsGood,
	needs: scan.HasNews,
	checkEntry: eachNews(func(e *entryCheck, n int, news *sitemap.News) {
		if news.PublicationName == "" && news.PublicationLanguage != "" {
			reportNews(e, n, "", "the publication has no news:name")
		}
	}),
}

var newsWithoutLanguage = &Rule{
	ID:            "news-missing-language",
	Title:         "news publication has no language",
	Why:           "Google requires the language of the publication.",
	Fix:           "Add news:language to news:publication: two or three letters of ISO 639, or zh-cn or zh-tw.",
	Severity:      SeverityError,
	Engines:       schemaOfGoogle,
	Overlay:       notElsewhere,
	Source:        newsPage,
	SearchConsole: "Missing XML tag",
	Since:         "0.1",
	Bad: newsHead + "      <news:publication><news:name>The Example Times</news:name></news:publication>\n" +
		newsDate + newsTitle + newsTail,
	Good:  newsGood,
	needs: scan.HasNews,
	checkEntry: eachNews(func(e *entryCheck, n int, news *sitemap.News) {
		if news.PublicationLanguage == "" && news.PublicationName != "" {
			reportNews(e, n, "", "the publication has no news:language")
		}
	}),
}

var newsWithoutDate = &Rule{
	ID:            "news-missing-date",
	Title:         "news article has no publication date",
	Why:           "Google accepts articles of the last two days. It cannot tell the age of an article without a date.",
	Fix:           "Add news:publication_date with the day, or better the time, when the article first appeared on your site.",
	Severity:      SeverityError,
	Engines:       schemaOfGoogle,
	Overlay:       notElsewhere,
	Source:        newsPage,
	SearchConsole: "Missing XML tag",
	Since:         "0.1",
	Bad:           newsHead + newsPublication + newsTitle + newsTail,
	Good:          newsGood,
	needs:         scan.HasNews,
	checkEntry: eachNews(func(e *entryCheck, n int, news *sitemap.News) {
		if news.PublicationDate == "" {
			reportNews(e, n, "", "the article has no news:publication_date")
		}
	}),
}

var newsWithoutTitle = &Rule{
	ID:            "news-missing-title",
	Title:         "news article has no title",
	Why:           "Google requires the title of every article.",
	Fix:           "Add news:title with the title as it appears on your site, without author, publication or date.",
	Severity:      SeverityError,
	Engines:       schemaOfGoogle,
	Overlay:       notElsewhere,
	Source:        newsPage,
	SearchConsole: "Missing XML tag",
	Since:         "0.1",
	Bad:           newsHead + newsPublication + newsDate + newsTail,
	Good:          newsGood,
	needs:         scan.HasNews,
	checkEntry: eachNews(func(e *entryCheck, n int, news *sitemap.News) {
		if news.Title == "" {
			reportNews(e, n, "", "the article has no news:title")
		}
	}),
}

var repeatedNews = &Rule{
	ID:            "news-repeated",
	Title:         "more than one news article on a page",
	Why:           "A page is one article, and each url may have one news:news. Google does not say which of several it uses.",
	Fix:           "Keep the news:news of the article at this URL. Give other articles an entry of their own.",
	Severity:      SeverityError,
	Engines:       EngineGoogle,
	Source:        newsPage,
	SearchConsole: "Invalid XML: too many tags",
	Since:         "0.1",
	Bad: newsHead + newsPublication + newsDate + newsTitle + "\n    </news:news>\n    <news:news>\n" +
		newsPublication + newsDate + newsTitle + newsTail,
	Good:  newsGood,
	needs: scan.HasNews,
	checkEntry: func(e *entryCheck) {
		if n := len(e.Parsed().News); n > 1 {
			reportNews(e, 1, "", fmt.Sprintf("%d news:news for one page", n))
		}
	},
}

var newsLanguage = &Rule{
	ID:            "news-language",
	Title:         "news publication has an invalid language",
	Why:           "Google accepts ISO 639 codes of two or three lower-case letters, and zh-cn and zh-tw for Chinese. The schema of news sitemaps rejects other forms.",
	Fix:           "Write the language without a country: en, not en-US.",
	Severity:      SeverityError,
	Engines:       schemaOfGoogle,
	Overlay:       notElsewhere,
	Source:        newsPage,
	SearchConsole: "Invalid tag value",
	Since:         "0.1",
	Bad: newsHead + "      <news:publication><news:name>The Example Times</news:name><news:language>en-US</news:language></news:publication>\n" +
		newsDate + newsTitle + newsTail,
	Good:  newsGood,
	needs: scan.HasNews,
	checkEntry: eachNews(func(e *entryCheck, n int, news *sitemap.News) {
		if code := news.PublicationLanguage; code != "" && !isNewsLanguage(code) {
			reportNews(e, n, code, "news:language is not an ISO 639 code, zh-cn or zh-tw")
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
	Title:    "news tags that Google no longer documents",
	Why:      "Access, genres, keywords and stock tickers remain in the schema of news sitemaps, but not on Google's page. They only make the file larger.",
	Fix:      "Remove them.",
	Severity: SeverityInfo,
	Engines:  EngineGoogle,
	Source:   newsPage,
	Since:    "0.1",
	Bad: newsHead + newsPublication + newsDate + newsTitle +
		"\n      <news:keywords>business, merger</news:keywords>" + newsTail,
	Good:  newsGood,
	needs: scan.HasNews,
	checkEntry: eachNews(func(e *entryCheck, n int, news *sitemap.News) {
		if tags := deprecatedNewsTags(news); len(tags) > 0 {
			reportNews(e, n, "", withoutEffect(tags))
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
