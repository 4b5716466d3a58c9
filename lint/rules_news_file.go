package lint

import (
	"fmt"

	"github.com/mapatools/mapa/lint/internal/scan"
)

const maxNews = 1000

var tooManyNews = &Rule{
	ID:            "too-many-news",
	Title:         "more than 1,000 news articles in a sitemap",
	Why:           "Google reads only 1,000 news:news of a sitemap.",
	Fix:           "Split the sitemap into several with a sitemap index, or remove articles that are more than two days old.",
	Severity:      SeverityError,
	Engines:       EngineGoogle,
	Source:        newsPage,
	SearchConsole: "Too many News URLs",
	Since:         "0.1",
	Bad:           newsMany + `{{repeat 1001 "` + newsEntry + `"}}</urlset>` + "\n",
	Good:          newsMany + `{{repeat 1000 "` + newsEntry + `"}}</urlset>` + "\n",
	needs:         scan.HasNews,
	checkEntry: func(e *entryCheck) {
		before := e.file.statistics.articles
		if before <= maxNews && before+len(e.Parsed().News) > maxNews {
			reportNews(e, maxNews-before, "", fmt.Sprintf("the sitemap has more than %d articles", maxNews))
		}
	},
}

const (
	newsMany  = exampleHead + ` xmlns:news="http://www.google.com/schemas/sitemap-news/0.9">` + "\n"
	newsEntry = "<url><loc>https://example.com/steak</loc><news:news><news:publication><news:name>The Example Times</news:name>" +
		"<news:language>en</news:language></news:publication><news:publication_date>{{today}}</news:publication_date>" +
		"<news:title>Steak</news:title></news:news></url>"
	pageEntry = "<url><loc>https://example.com/about</loc></url>\n"
)

var mixedNews = &Rule{
	ID:       "news-mixed-with-old",
	Title:    "news articles and other pages in one sitemap",
	Why:      "Google reads both. But a sitemap with only news is small enough to be fetched often, and Search Console then reports on news separately.",
	Fix:      "List articles of the last two days in a sitemap of their own, and all other pages in another.",
	Severity: SeverityInfo,
	Engines:  EngineGoogle,
	Source:   newsPage,
	Since:    "0.1",
	Bad:      newsMany + newsEntry + "\n" + pageEntry + "</urlset>\n",
	Good:     newsMany + newsEntry + "\n</urlset>\n",
	needs:    scan.NewsChanges,
	checkEntry: func(e *entryCheck) {
		if e.file.statistics.seen&scan.NewsChanges == 0 { // the first change
			e.report("url", 0, "", "the sitemap has both news articles and other pages")
		}
	},
}
