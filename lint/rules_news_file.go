package lint

import (
	"github.com/mapatools/mapa/lint/internal/scan"
)

const maxNews = 1000

var tooManyNews = &Rule{
	ID:            "too-many-news",
	Severity:      SeverityError,
	Engines:       EngineGoogle,
	Source:        newsPage,
	SearchConsole: "Too many News URLs",
	needs:         scan.HasNews,
	checkEntry: func(e *entryCheck) {
		before := e.file.statistics.articles
		if before <= maxNews && before+len(e.Parsed().News) > maxNews {
			reportNews(e, maxNews-before, "", "", newText("rule.too-many-news.found", maxNews))
		}
	},
}

var mixedNews = &Rule{
	ID:       "news-mixed-with-old",
	Severity: SeverityInfo,
	Engines:  EngineGoogle,
	Source:   newsPage,
	needs:    scan.NewsChanges,
	checkEntry: func(e *entryCheck) {
		if e.file.statistics.seen&scan.NewsChanges == 0 { // the first change
			e.report("url", 0, "", newText("rule.news-mixed-with-old.found"))
		}
	},
}
