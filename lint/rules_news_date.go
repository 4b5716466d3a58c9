package lint

import (
	"time"

	"github.com/mapatools/mapa/lint/internal/scan"
	"github.com/mapatools/mapa/sitemap"
)

const (
	freshNews = 48 * time.Hour
	clockSkew = 10 * time.Minute // by which a server's clock may be wrong
)

var badNewsDate = &Rule{
	ID:            "news-date-invalid",
	Title:         "news article has an invalid publication date",
	Why:           "Google accepts articles of the last two days. It cannot tell the age of an article if it cannot read the date.",
	Fix:           "Write the day, such as 2024-01-08, or better with time and time zone, such as 2024-01-08T19:20:30+08:00.",
	Severity:      SeverityError,
	Engines:       schemaOfGoogle,
	Overlay:       notElsewhere,
	Source:        newsPage,
	SearchConsole: "Invalid date",
	Since:         "0.1",
	Bad: newsHead + newsPublication + "      <news:publication_date>8 January 2024</news:publication_date>\n" +
		newsTitle + newsTail,
	Good:  newsGood,
	needs: scan.HasNews,
	checkEntry: eachNews(func(e *entryCheck, n int, news *sitemap.News) {
		if news.PublicationDate == "" {
			return
		}
		d, err := sitemap.ParseDate(news.PublicationDate)
		if err != nil || d.Precision() < sitemap.PrecisionDay ||
			d.Dialects()&(sitemap.DialectGoogle|sitemap.DialectXSD) == 0 {
			reportNews(e, n, news.PublicationDate, "news:publication_date is not a day, or a day with a time")
		}
	}),
}

var newsDateWithoutZone = &Rule{
	ID:            "news-date-no-zone",
	Title:         "news publication date has a time without a time zone",
	Why:           "Google reads a time only with a time zone. Without one, the age of the article is known to half a day at best.",
	Fix:           "Add Z for UTC at the end, or an offset such as +02:00.",
	Severity:      SeverityError,
	Engines:       EngineGoogle,
	Source:        newsPage,
	SearchConsole: "Invalid date",
	Since:         "0.1",
	Bad: newsHead + newsPublication +
		"      <news:publication_date>{{today}}T00:00:00</news:publication_date>\n" + newsTitle + newsTail,
	Good: newsHead + newsPublication + "      <news:publication_date>{{today}}T00:00:00Z</news:publication_date>\n" +
		newsTitle + newsTail,
	needs: scan.HasNews,
	checkEntry: eachNews(func(e *entryCheck, n int, news *sitemap.News) {
		if d, err := sitemap.ParseDate(news.PublicationDate); err == nil && lacksZone(d) {
			reportNews(e, n, news.PublicationDate, "news:publication_date has a time without a time zone")
		}
	}),
}

var oldNews = &Rule{
	ID:       "news-older-2d",
	Title:    "news article is more than two days old",
	Why:      "Google accepts only articles of the last two days as news.",
	Fix:      "Remove older pages from the news sitemap, or remove their news:news.",
	Severity: SeverityWarning,
	Engines:  EngineGoogle,
	Source:   newsPage,
	Since:    "0.1",
	Bad: newsHead + newsPublication + "      <news:publication_date>{{today -4}}</news:publication_date>\n" +
		newsTitle + newsTail,
	Good:  newsGood,
	needs: scan.HasNews,
	checkEntry: eachNews(func(e *entryCheck, n int, news *sitemap.News) {
		if d, err := sitemap.ParseDate(news.PublicationDate); err == nil && e.file.options.Now.Sub(latest(d)) > freshNews {
			reportNews(e, n, news.PublicationDate, "the article is more than two days old")
		}
	}),
}

var futureNews = &Rule{
	ID:       "news-future",
	Title:    "news publication date is in the future",
	Why:      "The date is when the article first appeared on your site. A date in the future is wrong, or the article should not be listed yet.",
	Fix:      "Correct the date or its time zone, or list the article after it is published.",
	Severity: SeverityWarning,
	Engines:  EngineGoogle,
	Source:   newsPage,
	Since:    "0.1",
	Bad: newsHead + newsPublication + "      <news:publication_date>{{today 3}}</news:publication_date>\n" +
		newsTitle + newsTail,
	Good:  newsGood,
	needs: scan.HasNews,
	checkEntry: eachNews(func(e *entryCheck, n int, news *sitemap.News) {
		if d, err := sitemap.ParseDate(news.PublicationDate); err == nil && earliest(d).Sub(e.file.options.Now) > clockSkew {
			reportNews(e, n, news.PublicationDate, "news:publication_date is in the future")
		}
	}),
}
